#include "format/common/each_file.h"
#include "pprof_private.h"

#include "format/formats.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MESSAGE_MAX = 512,
	TICK_EVERY = 4096,
	PASSES = 3,
	ATTRIBUTES_MAX_BYTES = 16 * 1024 * 1024,
};

/* --- messages ------------------------------------------------------------------ */

bool
pprof_refuse(struct pprof *p, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(
		p->err, ERROR_INPUT, "%s: offset %" PRIu64 ": %s", p->name, offset, message);
}

bool
pprof_issue(struct pprof *p, enum issue_code code, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	const struct issue told = {
		.code = code, .source = p->name, .offset = offset, .message = message
	};
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return p->sink->issue(p->sink, p->set, &told, p->err);
}

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
		return pprof_refuse(p, f->offset, "%s is no message", what);
	if (!wire_take(p->wire, f, PPROF_MAX_MEMBER_BYTES, &bytes, p->err))
		return false;
	arena_reset(&p->scratch);
	*message = protobuf_c_message_unpack(type, &p->allocator, (size_t)f->size, bytes);
	if (*message)
		return true;
	if (!wire_check(bytes, (size_t)f->size, &at, &wrong))
		return pprof_refuse(p, f->start + at, "in %s: %s", what, wrong);
	return pprof_refuse(p, f->offset, "%s has fields of other types than it should", what);
}

static void
tick(struct pprof *p)
{
	if (++p->ticks % TICK_EVERY != 0)
		return;
	/* Of the passes, each is a part of the way. */
	p->source->consumed =
		p->before + (int64_t)((wire_offset(p->wire) * (p->pass + 1)) / PASSES);
	if (p->source->tick)
		p->source->tick(p->source->tick_self);
}

bool
pprof_walk(struct pprof *p, bool (*field)(struct pprof *p, const struct wire_field *f))
{
	const off_t size = lseek(p->fd, 0, SEEK_END);
	struct wire_field f;
	bool more = true, ok;

	if (size < 0)
		return error_set_errno(p->err, ERROR_FILE, "%s: cannot be read", p->name);
	p->wire = wire_reader_new(p->fd, (uint64_t)size, p->name);
	for (;;) {
		ok = wire_next(p->wire, &f, &more, p->err);
		if (!ok || !more)
			break;
		tick(p);
		ok = field(p, &f);
		if (!ok)
			break;
	}
	wire_reader_free(p->wire);
	p->wire = NULL;
	p->pass++;
	return ok;
}

/* --- a file ------------------------------------------------------------------------ */

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
	close(p->fd);
	free(p);
}

static bool
read_file(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
	struct error *err)
{
	const int fd = bundle_open_member(source->bundle, member, err);
	struct pprof *p;
	bool ok;

	if (fd < 0)
		return false;
	p = xcalloc(1, sizeof(*p));
	*p = (struct pprof){ .source = source,
		.sink = sink,
		.err = err,
		.set = set,
		.member = member,
		.name = bundle_member(source->bundle, member)->name,
		.before = source->consumed,
		.fd = fd,
		.scratch = ARENA_INIT,
		.allocator = { take_memory, leave_memory, &p->scratch } };
	id_table_init(&p->mapping_ids);
	id_table_init(&p->function_ids);
	id_table_init(&p->location_ids);
	pair_map_init(&p->stacks);
	strbuf_init(&p->attributes, ATTRIBUTES_MAX_BYTES);
	p->frames = frame_dictionary_new(sink, set);
	ok = pprof_read_strings(p) && pprof_read_tables(p) && pprof_tell_metadata(p) &&
	     pprof_tell_metrics(p) && pprof_read_samples(p);
	release(p);
	return ok;
}

/* --- what is one ---------------------------------------------------------------------- */

static int
verify(const struct format_source *source, size_t member)
{
	struct error err = ERROR_INIT;
	const int fd = bundle_open_member(source->bundle, member, &err);
	int bits;

	if (fd < 0)
		return 0;
	bits = pprof_verify(fd, (uint64_t)bundle_member(source->bundle, member)->size);
	close(fd);
	return bits;
}

/* JSON begins with no tag of a profile; what else is no profile is found out at its first bytes. */
static int
probe(const struct format_source *source)
{
	if (!source->bundle)
		return 0;
	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		const int bits = verify(source, i);

		if (bits)
			return bits;
	}
	return 0;
}

static bool
is_ours(const struct format_source *source, size_t member)
{
	return verify(source, member) > 0;
}

static enum format_result
read_pprof(struct format_source *source, struct sink *sink, struct error *err)
{
	static const struct each_file each = { "pprof profile", is_ours, read_file };

	return each_file_read(source, sink, &each, err);
}

const struct format format_pprof = {
	.name = "pprof",
	.title = "pprof profile (profile.proto of Go and many others)",
	.profiler = "pprof",
	.known_by = "a protocol buffers message with sample types and a table of strings",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_pprof,
};
