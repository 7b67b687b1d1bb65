/* pprof's profiles: walking the file, its members, detection. Format: pprof_private.h. */
#include "pprof_private.h"

#include "format/formats.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	PASSES = 3,
	ATTRIBUTES_MAX_BYTES = 16 * 1024 * 1024,
};

/* --- members --------------------------------------------------------------------- */

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
	const uint8_t *bytes;
	const char *wrong;
	size_t at;

	if (f->type != WIRE_BYTES)
		return reader_refuse_at(p->in, f->offset, "%s is not a message", what);
	if (!wire_take(p->wire, f, PPROF_MAX_MEMBER_BYTES, &bytes, p->in->err))
		return false;
	arena_reset(&p->scratch);
	*message = protobuf_c_message_unpack(type, &p->allocator, (size_t)f->size, bytes);
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
		/* Each pass is a part of the progress. */
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

/* --- a member ------------------------------------------------------------------------ */

static void
release(struct pprof *p)
{
	frame_dictionary_free(p->frames);
	id_table_release(&p->mapping_ids);
	id_table_release(&p->function_ids);
	id_table_release(&p->location_ids);
	pair_map_release(&p->stacks);
	strbuf_release(&p->attributes);
	free(p->strings.bytes);
	free(p->strings.ends);
	free(p->mappings);
	free(p->functions);
	free(p->locations);
	free(p->lines);
	arena_release(&p->scratch);
	free(p);
}

static bool
read_member(struct reader *in)
{
	struct pprof *p = xcalloc(1, sizeof(*p));
	bool ok;

	p->in = in;
	p->allocator = (ProtobufCAllocator){ take_memory, leave_memory, &p->scratch };
	id_table_init(&p->mapping_ids);
	id_table_init(&p->function_ids);
	id_table_init(&p->location_ids);
	pair_map_init(&p->stacks);
	strbuf_init(&p->attributes, ATTRIBUTES_MAX_BYTES);
	p->frames = frame_dictionary_new(in->sink, in->set);
	ok = reader_open(in) && pprof_read_strings(p) && pprof_read_tables(p) &&
	     pprof_add_metadata(p) && pprof_add_metrics(p) && pprof_read_samples(p);
	release(p);
	return ok;
}

/* --- detection ------------------------------------------------------------------------- */

/* Most files that are not profiles show it in their first byte: it must be the tag of a field. */
static int
look(const struct format_source *source, size_t member)
{
	struct bundle *b = source->bundle;
	struct error ignored = ERROR_INIT;
	int fd, bits;

	if (!pprof_may_begin(bundle_head(b, member)))
		return 0;
	fd = bundle_open_member(b, member, &ignored);
	if (fd < 0)
		return 0;
	bits = pprof_verify(fd, (uint64_t)bundle_member(b, member)->size);
	close(fd);
	return bits;
}

static const struct member_kind kind = {
	.noun = "pprof profile", .look = look, .read = read_member, .captioned = true
};

static int
probe(const struct format_source *source)
{
	return members_probe(source, &kind);
}

static enum format_result
read_pprof(struct format_source *source, struct sink *sink, struct error *err)
{
	return members_read(source, sink, &kind, err);
}

const struct format format_pprof = {
	.name = "pprof",
	.title = "pprof profiles (profile.proto) of Go and many others",
	.profiler = "pprof",
	.known_by = "a protocol buffers message with sample types and a table of strings",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_pprof,
};
