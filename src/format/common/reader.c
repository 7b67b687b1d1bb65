/* The context of a reader: input, issues and errors. */
#include "emit.h"

#include "format/common/demangle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

enum {
	TICK_EVERY = 4096,
	MESSAGE_MAX = 512,
};

void
reader_init(struct reader *r, struct format_source *source, struct sink *sink, size_t member,
	struct error *err)
{
	const struct bundle_member *m = bundle_member(source->bundle, member);

	*r = (struct reader){ .source = source,
		.sink = sink,
		.err = err,
		.set = ISSUE_EVERY_SET,
		.wanted = true,
		.member = member,
		.name = m->name,
		.size = m->size,
		.lenient = source->options.lenient,
		.fd = -1 };
	strbuf_init(&r->plain, DEMANGLE_MAX_BYTES);
}

static void
close_member(struct reader *r)
{
	if (r->lines)
		line_reader_free(r->lines);
	if (r->fd >= 0)
		close(r->fd);
	r->lines = NULL;
	r->fd = -1;
}

void
reader_release(struct reader *r)
{
	close_member(r);
	strbuf_release(&r->plain);
}

/* --- bytes and lines ------------------------------------------------------------------- */

bool
reader_open(struct reader *r)
{
	close_member(r);
	r->line = (struct line){ .text = TEXT_NULL };
	r->fd = bundle_open_member(r->source->bundle, r->member, r->err);
	return r->fd >= 0;
}

static bool
open_lines(struct reader *r, size_t max_line_bytes, bool log)
{
	const struct line_options options = { .source = r->name,
		.max_line_bytes = max_line_bytes,
		.tick = reader_progress,
		.tick_self = r,
		.log = log };

	if (!reader_open(r))
		return false;
	r->lines = line_reader_new_fd(r->fd, &options);
	return true;
}

bool
reader_open_lines(struct reader *r, size_t max_line_bytes)
{
	return open_lines(r, max_line_bytes, false);
}

bool
reader_open_log(struct reader *r, size_t max_line_bytes)
{
	return open_lines(r, max_line_bytes, true);
}

bool
reader_next_line(struct reader *r, bool *more)
{
	const struct format_source *s = r->source;
	enum log_line use = LOG_LINE_READ;

	do {
		if (!line_next(r->lines, &r->line, more, r->err))
			return false;
		if (*more && s->log_line)
			use = s->log_line(s->log_self, r->line.number, r->line.text);
	} while (*more && use == LOG_LINE_SKIP);
	r->again |= use == LOG_LINE_STOP;
	return use != LOG_LINE_STOP;
}

bool
reader_line(struct reader *r, bool *ok)
{
	bool more;

	*ok = *ok && reader_next_line(r, &more);
	return *ok && more;
}

void
reader_progress(void *self, uint64_t offset)
{
	struct reader *r = self;
	int64_t at = offset < (uint64_t)r->size ? (int64_t)offset : r->size;

	r->source->consumed = r->before + at;
	if (r->source->tick)
		r->source->tick(r->source->tick_self);
}

void
reader_tick(struct reader *r, uint64_t offset)
{
	if (++r->ticks % TICK_EVERY == 0)
		reader_progress(r, offset);
}

/* --- messages ---------------------------------------------------------------------------- */

#define LENIENT_HINT "--lenient accepts this and adds an import issue"

static ERROR_PRINTF(3, 0) void format_message(
	char message[MESSAGE_MAX], const char *part, const char *format, va_list args)
{
	const int used = snprintf(message, MESSAGE_MAX, "%s", part ? part : "");

	vsnprintf(message + used, MESSAGE_MAX - (size_t)used, format, args);
	message[text_utf8_prefix(message, strlen(message))] = '\0';
}

#define FORMAT_MESSAGE(message, part, format) \
	do { \
		va_list args; \
		va_start(args, format); \
		format_message(message, part, format, args); \
		va_end(args); \
	} while (0)

static bool
emit_issue(struct reader *r, struct issue issue, const char *message)
{
	issue.source = r->name;
	issue.message = message;
	return r->sink->issue(r->sink, r->set, &issue, r->err);
}

static struct issue
at_line(const struct reader *r, enum issue_code code)
{
	return (struct issue){
		.code = code, .line = r->line.number, .offset = r->line.offset, .raw = r->line.text
	};
}

static bool
refuse(struct reader *r, const char *message)
{
	if (!r->line.number)
		return error_set(r->err, ERROR_INPUT, "%s: %s", r->name, message);
	return error_set(
		r->err, ERROR_INPUT, "%s: line %" PRIu64 ": %s", r->name, r->line.number, message);
}

static bool
refuse_at(struct reader *r, uint64_t offset, const char *message)
{
	return error_set(
		r->err, ERROR_INPUT, "%s: offset %" PRIu64 ": %s", r->name, offset, message);
}

bool
reader_issue(struct reader *r, enum issue_code code, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, NULL, format);
	return emit_issue(r, at_line(r, code), message);
}

bool
reader_issue_at(struct reader *r, enum issue_code code, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, r->part, format);
	return emit_issue(r, (struct issue){ .code = code, .offset = offset }, message);
}

bool
reader_issue_count(struct reader *r, enum issue_code code, uint64_t offset, uint64_t count,
	const char *one, const char *many)
{
	return !count || reader_issue_at(r, code, offset, "%" PRIu64 " %s", count,
				 by_count(count, one, many));
}

bool
reader_issue_like(struct reader *r, const struct issue *at, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, NULL, format);
	return emit_issue(r, *at, message);
}

bool
reader_check_utf8(struct reader *r)
{
	return !r->line.bad_utf8 ||
	       reader_issue(r, ISSUE_BAD_UTF8, "bytes that are not UTF-8 became U+FFFD");
}

bool
reader_refuse(struct reader *r, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, NULL, format);
	return refuse(r, message);
}

bool
reader_refuse_at(struct reader *r, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, r->part, format);
	return refuse_at(r, offset, message);
}

bool
reader_tolerate(struct reader *r, enum issue_code code, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, NULL, format);
	if (r->lenient)
		return emit_issue(r, at_line(r, code), message);
	refuse(r, message);
	return error_hint(r->err, LENIENT_HINT);
}

bool
reader_tolerate_at(struct reader *r, enum issue_code code, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];

	FORMAT_MESSAGE(message, r->part, format);
	if (r->lenient)
		return emit_issue(r, (struct issue){ .code = code, .offset = offset }, message);
	refuse_at(r, offset, message);
	return error_hint(r->err, LENIENT_HINT);
}

/* --- rows ---------------------------------------------------------------------------------- */

bool
emit_metadata(struct reader *r, const char *key, struct text value)
{
	return r->sink->metadata(r->sink, r->set, key, value, r->err);
}

bool
emit_coverage(
	struct reader *r, enum coverage_what what, enum coverage_degree degree, const char *source)
{
	char key[32], value[200];

	snprintf(key, sizeof(key), "looked_for:%s", coverage_what_name(what));
	snprintf(value, sizeof(value), "%s %s", coverage_degree_name(degree), source);
	return emit_metadata(r, key, text_from(value));
}

bool
emit_finished(struct reader *r, bool finished)
{
	return emit_metadata(
		r, "finished", finished ? TEXT_LITERAL("true") : TEXT_LITERAL("false"));
}

bool
reader_set(struct reader *r, const char *caption)
{
	const struct set_row row = { .source_inst_id = MODEL_NULL };

	return r->sink->set(r->sink, &row, &r->set, &r->wanted, r->err) &&
	       (!r->wanted || emit_metadata(r, "caption", text_from(caption)));
}

struct routine_row
blank_routine(int64_t id)
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

bool
emit_routine(struct reader *r, struct routine_row *row)
{
	struct text name = row->routine_name;

	if (demangle(name, &r->plain, &row->routine_name))
		row->symbol_moniker = name;
	return r->sink->routine(r->sink, r->set, row, r->err);
}

void
metric_name(struct text title, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < title.size && n + 2 < size; i++) {
		char c = char_lower(title.data[i]);

		if (n == 0 && char_is_digit(c))
			out[n++] = 'n';
		if (char_is_letter(c) || char_is_digit(c))
			out[n++] = c;
		else if (n && out[n - 1] != '_')
			out[n++] = '_';
	}
	while (n && out[n - 1] == '_')
		n--;
	if (!n)
		out[n++] = 'n';
	out[n] = '\0';
}
