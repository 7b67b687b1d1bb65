#include "heap_facts.h"

#include "base/depot_text.h"
#include "input/bundle/bundle.h"

#include <stdarg.h>

enum {
	MESSAGE_MAX = 512,
	HEAD_BYTES = 512,
};

bool
heap_emit_metrics(struct sink *sink, uint32_t set, const struct heap_metric *metrics, size_t count,
	metric_number *first, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct metric_row row = { .family = METRIC_OF_SAMPLES,
			.name = text_from(metrics[i].name),
			.unit = text_from(metrics[i].unit),
			.title = text_from(metrics[i].title) };
		metric_number number;

		if (!sink->metric(sink, set, &row, &number, err))
			return false;
		if (i == 0)
			*first = number;
	}
	return true;
}

struct text
heap_clean_text(struct strbuf *b, struct text t, bool *bad)
{
	size_t at = 0;

	if (!t.size)
		return (struct text){ "", 0 };
	if (text_utf8_prefix(t.data, t.size) == t.size && !memchr(t.data, 0, t.size) &&
		!memchr(t.data, DEPOT_TEXT_ESCAPE, t.size))
		return t;
	strbuf_reset(b);
	while (at < t.size) {
		size_t good = text_utf8_prefix(t.data + at, t.size - at);

		for (size_t end = at + good; at < end; at++)
			if (t.data[at] == 0 || t.data[at] == DEPOT_TEXT_ESCAPE)
				depot_text_append_unit(b, (uint16_t)t.data[at]);
			else
				strbuf_append_char(b, t.data[at]);
		if (at < t.size) {
			strbuf_append_str(b, "\xEF\xBF\xBD");
			*bad = true;
			at++;
		}
	}
	return strbuf_text(b);
}

/* --- messages -------------------------------------------------------------------------- */

bool
heap_issue(struct sink *sink, uint32_t set, const struct issue *issue, struct error *err,
	const char *format, ...)
{
	char message[MESSAGE_MAX];
	struct issue told = *issue;
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	told.message = message;
	return sink->issue(sink, set, &told, err);
}

struct text
heap_application(struct text command)
{
	struct text name = text_trim(command);

	for (size_t i = 0; i < name.size; i++)
		if (char_is_blank(name.data[i])) {
			name.size = i;
			break;
		}
	name = text_basename(name);
	return text_is_empty(name) ? TEXT_NULL : name;
}

/* --- files of an input ----------------------------------------------------------------- */

static bool
is_ours(const struct heap_reader *reader, const struct format_source *source, size_t member)
{
	char head[HEAD_BYTES];

	return reader->ours(head, bundle_read_head(source->bundle, member, head, sizeof(head)));
}

int
heap_probe(const struct heap_reader *reader, const struct format_source *source, int bits)
{
	if (!source->bundle)
		return 0;
	for (size_t i = 0; i < bundle_count(source->bundle); i++)
		if (is_ours(reader, source, i))
			return bits;
	return 0;
}

/* Told for all members before the rows of the first. */
static bool
tell_sets(const struct heap_reader *reader, struct format_source *source, struct sink *sink,
	uint32_t *sets, bool *wanted, struct error *err)
{
	bool is_file = bundle_is_file(source->bundle);
	size_t count = bundle_count(source->bundle);
	size_t ours = 0;

	for (size_t i = 0; i < count; i++) {
		const struct set_row row = { .source_inst_id = MODEL_NULL,
			.file = is_file ? TEXT_NULL
					: text_from(bundle_member(source->bundle, i)->name) };

		sets[i] = ISSUE_EVERY_SET;
		if (count > 1 && !is_ours(reader, source, i))
			continue;
		if (!sink->set(sink, &row, &sets[i], &wanted[i], err))
			return false;
		ours++;
	}
	return ours || error_set(err, ERROR_INPUT, "%s: no %s in it", source->path, reader->what);
}

static bool
pass_over(const struct heap_reader *reader, const struct format_source *source, struct sink *sink,
	size_t member, struct error *err)
{
	const struct issue issue = { .code = ISSUE_UNKNOWN_TABLE,
		.source = bundle_member(source->bundle, member)->name };

	return heap_issue(
		sink, ISSUE_EVERY_SET, &issue, err, "no %s; it was left out", reader->what);
}

enum format_result
heap_read_members(const struct heap_reader *reader, struct format_source *source, struct sink *sink,
	struct error *err)
{
	size_t count = bundle_count(source->bundle);
	uint32_t *sets = arena_alloc_array(source->arena, count, sizeof(*sets));
	bool *wanted = arena_alloc_array(source->arena, count, sizeof(*wanted));
	int64_t done = 0;

	if (!tell_sets(reader, source, sink, sets, wanted, err))
		return FORMAT_FAILED;
	for (size_t i = 0; i < count; i++) {
		bool ok = true;

		if (sets[i] == ISSUE_EVERY_SET)
			ok = pass_over(reader, source, sink, i, err);
		else if (wanted[i])
			ok = reader->read(source, sink, sets[i], i, done, err);
		if (!ok)
			return FORMAT_FAILED;
		done += bundle_member(source->bundle, i)->size;
		source->consumed = done;
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}
