#include "text_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	HEAD_BYTES = 256 * 1024,
	TICK_EVERY = 4096,
	MESSAGE_MAX = 512,
};

/* --- messages ---------------------------------------------------------------------- */

static bool
tell_issue(struct text_file *f, enum issue_code code, const char *message)
{
	const struct issue told = { .code = code,
		.source = f->name,
		.line = f->line.number,
		.offset = f->line.offset,
		.message = message,
		.raw = f->line.text };

	return f->sink->issue(f->sink, f->set, &told, f->err);
}

static bool
refuse(struct text_file *f, const char *message)
{
	if (!f->line.number)
		return error_set(f->err, ERROR_INPUT, "%s: %s", f->name, message);
	return error_set(
		f->err, ERROR_INPUT, "%s: line %" PRIu64 ": %s", f->name, f->line.number, message);
}

bool
text_file_issue(struct text_file *f, enum issue_code code, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	message[text_utf8_prefix(message, strlen(message))] = '\0';
	return tell_issue(f, code, message);
}

bool
text_file_refuse(struct text_file *f, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return refuse(f, message);
}

bool
text_file_bend(struct text_file *f, enum issue_code code, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	message[text_utf8_prefix(message, strlen(message))] = '\0';
	if (f->lenient)
		return tell_issue(f, code, message);
	refuse(f, message);
	return error_hint(f->err, "--lenient takes it, with an import issue");
}

/* --- rows -------------------------------------------------------------------------- */

struct routine_row
text_routine(int64_t id)
{
	return (struct routine_row){ .id = id,
		.parent_id = -1,
		.rec_id = id,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = MODEL_NULL,
		.token = MODEL_NULL,
		.address = NUMBER_NULL };
}

/* --- lines ------------------------------------------------------------------------- */

static void
tick(void *self, uint64_t offset)
{
	struct text_file *f = self;

	f->source->consumed = f->before + (int64_t)offset;
	if (f->source->tick)
		f->source->tick(f->source->tick_self);
}

bool
text_file_open(struct text_file *f, size_t max_line_bytes)
{
	const struct line_options options = {
		.source = f->name, .max_line_bytes = max_line_bytes, .tick = tick, .tick_self = f
	};

	text_file_close(f);
	f->line = (struct line){ .text = TEXT_NULL };
	f->fd = bundle_open_member(f->source->bundle, f->member, f->err);
	if (f->fd < 0)
		return false;
	f->lines = line_reader_new_fd(f->fd, &options);
	return true;
}

bool
text_file_next(struct text_file *f, bool *more)
{
	return line_next(f->lines, &f->line, more, f->err);
}

void
text_file_close(struct text_file *f)
{
	if (f->lines)
		line_reader_free(f->lines);
	if (f->fd >= 0)
		close(f->fd);
	f->lines = NULL;
	f->fd = -1;
}

bool
text_file_set(struct text_file *f, const char *caption)
{
	const struct set_row row = { .source_inst_id = MODEL_NULL };

	return f->sink->set(f->sink, &row, &f->set, &f->wanted, f->err) &&
	       (!f->wanted ||
		       f->sink->metadata(f->sink, f->set, "caption", text_from(caption), f->err));
}

/* --- files ------------------------------------------------------------------------- */

/* The first whole lines of a member; 0 when it cannot be read. */
static size_t
read_head(struct bundle *b, size_t member, char *head)
{
	size_t size = bundle_read_head(b, member, head, HEAD_BYTES);
	size_t end = size;

	while (size == HEAD_BYTES && end && head[end - 1] != '\n')
		end--;
	return end ? end : size;
}

static int
look(struct bundle *b, size_t member, const struct text_kind *kind)
{
	const struct bundle_member *m = bundle_member(b, member);
	const struct line_options options = { .source = m->name };
	char *head = xmalloc(HEAD_BYTES);
	size_t size;
	int bits = 0;

	size = read_head(b, member, head);
	if (size) {
		struct line_reader *r = line_reader_new_memory(head, size, 0, &options);

		bits = kind->look(r, m->name);
		line_reader_free(r);
	}
	free(head);
	return bits;
}

int
text_files_probe(const struct format_source *source, const struct text_kind *kind)
{
	int most = 0;

	if (!source->bundle)
		return 0;
	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		int bits = look(source->bundle, i, kind);

		if (bits > most)
			most = bits;
	}
	return most;
}

static bool
tell_left_out(struct sink *sink, const char *name, const char *noun, struct error *err)
{
	char message[MESSAGE_MAX];
	const struct issue left_out = {
		.code = ISSUE_NO_PROFILE, .source = name, .message = message
	};

	snprintf(message, sizeof(message), "no %s; it was left out", noun);
	return sink->issue(sink, ISSUE_EVERY_SET, &left_out, err);
}

struct told_set {
	uint32_t set;
	bool ours, wanted;
};

static bool
begin_files(struct format_source *source, struct sink *sink, const struct text_kind *kind,
	struct told_set *sets, struct error *err)
{
	const struct set_row row = { .source_inst_id = MODEL_NULL };
	size_t count = bundle_count(source->bundle);
	size_t ours = 0;

	for (size_t i = 0; i < count; i++) {
		/* A single one was chosen by the user or by the probe. */
		sets[i].ours = count == 1 || look(source->bundle, i, kind) > 0;
		if (!sets[i].ours)
			continue;
		if (!sink->set(sink, &row, &sets[i].set, &sets[i].wanted, err))
			return false;
		ours++;
	}
	if (!ours)
		return error_set(err, ERROR_INPUT, "%s: no %s in it", source->path, kind->noun);
	return true;
}

static bool
read_file(struct text_file *f, const struct text_kind *kind)
{
	bool ok = (!f->wanted || f->sink->metadata(
					 f->sink, f->set, "caption", text_from(f->name), f->err)) &&
		  kind->read(f);

	text_file_close(f);
	return ok;
}

static enum format_result
read_files(struct format_source *source, struct sink *sink, const struct text_kind *kind,
	const struct told_set *sets, struct error *err)
{
	int64_t before = 0;

	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		const struct bundle_member *m = bundle_member(source->bundle, i);
		struct text_file f = { .source = source,
			.sink = sink,
			.err = err,
			.set = sets[i].set,
			.member = i,
			.name = m->name,
			.lenient = source->options.lenient,
			.wanted = sets[i].wanted,
			.fd = -1,
			.before = before };
		bool ok = true;

		if (!sets[i].ours)
			ok = tell_left_out(sink, m->name, kind->noun, err);
		else if (sets[i].wanted || kind->documents)
			ok = read_file(&f, kind);
		if (f.again)
			return FORMAT_AGAIN;
		if (!ok)
			return FORMAT_FAILED;
		before += m->size;
		source->consumed = before;
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}

enum format_result
text_files_read(struct format_source *source, struct sink *sink, const struct text_kind *kind,
	struct error *err)
{
	struct told_set *sets = xcalloc(bundle_count(source->bundle), sizeof(*sets));
	enum format_result result = FORMAT_FAILED;

	if (begin_files(source, sink, kind, sets, err))
		result = read_files(source, sink, kind, sets, err);
	free(sets);
	return result;
}
