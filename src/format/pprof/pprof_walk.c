/* Walks over the fields of a pprof profile. */
#include "pprof_private.h"

enum {
	PASSES = 3
};

static void *
take_memory(void *arena, size_t size)
{
	return arena_alloc(arena, size);
}

static void
leave_memory(void *arena, void *memory)
{
	(void)arena;
	(void)memory;
}

bool
pprof_unpack(struct pprof *p, const struct wire_field *f, const ProtobufCMessageDescriptor *type,
	const char *what, ProtobufCMessage **message)
{
	ProtobufCAllocator allocator = { take_memory, leave_memory, &p->scratch };
	const uint8_t *bytes;
	const char *wrong;
	size_t at;

	if (f->type != WIRE_BYTES)
		return reader_refuse_at(p->in, f->offset, "%s is not a message", what);
	if (!wire_take(p->wire, f, PPROF_MAX_MEMBER_BYTES, &bytes, p->in->err))
		return false;
	arena_reset(&p->scratch);
	*message = protobuf_c_message_unpack(type, &allocator, (size_t)f->size, bytes);
	if (*message)
		return true;
	if (!wire_check(bytes, (size_t)f->size, &at, &wrong))
		return reader_refuse_at(p->in, f->start + at, "in %s: %s", what, wrong);
	return reader_refuse_at(p->in, f->offset, "%s has fields of a wrong type", what);
}

bool
pprof_walk(struct pprof *p, bool (*field)(struct pprof *p, const struct wire_field *f))
{
	struct wire_field f;
	bool more = true, ok;

	p->wire = wire_reader_new(p->in->fd, (uint64_t)p->in->size, p->in->name);
	for (;;) {
		ok = wire_next(p->wire, &f, &more, p->in->err);
		if (!ok || !more)
			break;
		/* Each pass is one third of the progress. */
		reader_tick(p->in, wire_offset(p->wire) * (p->pass + 1) / PASSES);
		ok = field(p, &f);
		if (!ok)
			break;
	}
	wire_reader_free(p->wire);
	p->wire = NULL;
	p->pass++;
	return ok;
}
