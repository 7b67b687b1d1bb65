/*
 * massif's results (valgrind --tool=massif):
 *
 *	desc: --massif-out-file=...
 *	cmd: ./t
 *	time_unit: i			instructions; or ms, B
 *	#-----------
 *	snapshot=0
 *	#-----------
 *	time=0
 *	mem_heap_B=0
 *	mem_heap_extra_B=0
 *	mem_stacks_B=0
 *	heap_tree=empty			or detailed, peak, and the tree:
 *	n2: 48 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 40 0x1091BA: mk (t.c:5)		n and the number of children, bytes, frame
 *	  n0: 40 0x10926D: main (t.c:7)		its caller
 *	 n0: 8 in 2 places, all below massif's threshold (1.00%)
 *
 * All snapshots are the memory over time; of the trees the peak's is told, and the last
 * one beside it. Read twice: which one that is shows at the end.
 */
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "massif_private.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MAX_TEXT_BYTES = 4 * 1024 * 1024,
	MESSAGE_BYTES = 256,
	MAGIC_BITS = 8 * 11,
};

static const char *const series_keys[MASSIF_SERIES] = { "mem_heap_B", "mem_heap_extra_B",
	"mem_stacks_B" };

static const struct heap_metric series_metrics[MASSIF_SERIES] = {
	{ "mem_heap", "bytes", "heap, as asked for" },
	{ "mem_heap_extra", "bytes", "heap beside that: administration and alignment" },
	{ "mem_stacks", "bytes", "stacks" },
};

bool
massif_refuse(struct massif *m, const char *format, ...)
{
	char message[MESSAGE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(
		m->err, ERROR_INPUT, "%s: line %" PRIu64 ": %s", m->name, m->line.number, message);
}

bool
massif_issue(struct massif *m, enum issue_code code, const char *message)
{
	const struct issue told = { .code = code,
		.source = m->name,
		.line = m->line.number,
		.offset = m->line.offset,
		.message = message,
		.raw = m->line.text };

	return !m->telling || m->sink->issue(m->sink, m->set, &told, m->err);
}

/* --- lines -------------------------------------------------------------------------- */

bool
massif_next_line(struct massif *m, bool *more)
{
	if (!line_next(m->lines, &m->line, more, m->err))
		return false;
	if (*more && m->line.cut)
		return massif_refuse(m, "it has more than %d bytes", MASSIF_MAX_LINE_BYTES);
	if (*more && m->line.bad_utf8)
		return massif_issue(m, ISSUE_BAD_UTF8, "bytes that are no UTF-8 became U+FFFD");
	return true;
}

bool
massif_take(struct text *t, const char *prefix)
{
	size_t n = strlen(prefix);

	if (t->size < n || memcmp(t->data, prefix, n) != 0)
		return false;
	t->data += n;
	t->size -= n;
	return true;
}

/* Digits, at most as many as 2^63 - 1 has. */
bool
massif_take_number(struct text *t, int64_t *value)
{
	int64_t v = 0;
	size_t n = 0;

	for (; n < t->size && t->data[n] >= '0' && t->data[n] <= '9'; n++)
		if (__builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, t->data[n] - '0', &v))
			return false;
	if (!n)
		return false;
	*value = v;
	t->data += n;
	t->size -= n;
	return true;
}

static bool
read_value(struct massif *m, struct text rest, int64_t *value, bool *has)
{
	if (!massif_take_number(&rest, value) || rest.size)
		return massif_refuse(m, "no number from 0 to 2^63 - 1 behind \"=\"");
	*has = true;
	return true;
}

/* --- snapshots --------------------------------------------------------------------------- */

static bool
end_snapshot(struct massif *m)
{
	const struct massif_snapshot *s = &m->snapshot;
	struct decimal values[MASSIF_SERIES];
	struct sample_row row = { .track = m->time_track,
		.at = decimal_from_int64(s->time),
		.metric = m->time_metric,
		.value_count = MASSIF_SERIES };

	if (!s->number)
		return true;
	if (!s->has_time || !s->has_values[0])
		return massif_issue(m, ISSUE_LEFT_OUT,
			"a snapshot without its time or mem_heap_B was left out");
	for (size_t i = 0; i < MASSIF_SERIES; i++)
		values[i] = decimal_from_int64(s->values[i]);
	row.values = values;
	return !m->telling || m->sink->sample(m->sink, m->set, &row, m->err);
}

static bool
begin_snapshot(struct massif *m)
{
	uint64_t number = m->snapshot.number + 1;

	if (!end_snapshot(m))
		return false;
	m->snapshot = (struct massif_snapshot){
		.number = number, .line = m->line.number, .offset = m->line.offset
	};
	return true;
}

static bool
read_head_line(struct massif *m, struct text t)
{
	if (massif_take(&t, "desc:")) {
		if (m->description.size)
			strbuf_append_char(&m->description, '\n');
		strbuf_append_text(&m->description, text_trim(t));
		return true;
	}
	if (massif_take(&t, "cmd:")) {
		m->command = arena_text(&m->arena, text_trim(t));
		return true;
	}
	if (massif_take(&t, "time_unit:")) {
		m->time_unit = arena_text(&m->arena, text_trim(t));
		return true;
	}
	return massif_issue(m, ISSUE_LEFT_OUT, "a line that massif does not write was left out");
}

static bool
read_line(struct massif *m)
{
	struct massif_snapshot *s = &m->snapshot;
	struct text t = m->line.text;

	if (!t.size || t.data[0] == '#')
		return true;
	if (massif_take(&t, "snapshot="))
		return begin_snapshot(m);
	if (!s->number)
		return m->telling || read_head_line(m, t);
	if (massif_take(&t, "time="))
		return read_value(m, t, &s->time, &s->has_time);
	for (size_t i = 0; i < MASSIF_SERIES; i++) {
		struct text rest = t;

		if (massif_take(&rest, series_keys[i]) && massif_take(&rest, "="))
			return read_value(m, rest, &s->values[i], &s->has_values[i]);
	}
	if (massif_take(&t, "heap_tree="))
		return massif_read_heap_tree(m, t);
	return massif_issue(m, ISSUE_LEFT_OUT, "a line that massif does not write was left out");
}

/* --- a file --------------------------------------------------------------------------------- */

static void
tick(void *self, uint64_t offset)
{
	struct massif *m = self;

	m->source->consumed = m->done + (int64_t)offset;
	if (m->source->tick)
		m->source->tick(m->source->tick_self);
}

static bool
read_lines(struct massif *m)
{
	bool more;

	m->snapshot = (struct massif_snapshot){ 0 };
	for (;;) {
		if (!massif_next_line(m, &more))
			return false;
		if (!more)
			return end_snapshot(m);
		if (!read_line(m))
			return false;
	}
}

static bool
pass(struct massif *m, bool telling)
{
	const struct line_options options = { .source = m->name,
		.max_line_bytes = MASSIF_MAX_LINE_BYTES,
		.tick = telling ? tick : NULL,
		.tick_self = m };
	int fd = bundle_open_member(m->source->bundle, m->member, m->err);
	bool ok;

	if (fd < 0)
		return false;
	m->telling = telling;
	m->lines = line_reader_new_fd(fd, &options);
	ok = read_lines(m);
	if (ok && !m->snapshot.number)
		ok = massif_refuse(m, "no snapshot in massif's result");
	line_reader_free(m->lines);
	close(fd);
	return ok;
}

/* time: of the snapshot that it shows; MODEL_NULL: of all. */
static bool
tell_track(struct massif *m, int32_t *id, const char *name, metric_number metric, int64_t time)
{
	struct track_row row = { .id = ++m->tracks,
		.kind = time == MODEL_NULL ? "timeline" : "heap",
		.name = text_from(name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL,
		.metric = metric };

	*id = row.id;
	strbuf_reset(&m->attributes);
	heap_member_text(&m->attributes, "time_unit", m->time_unit);
	if (time != MODEL_NULL)
		heap_member_int(&m->attributes, "time", time);
	row.attributes = heap_members_end(&m->attributes);
	return m->sink->track(m->sink, m->set, &row, m->err);
}

static bool
tell_tree_metric(struct massif *m, const struct heap_metric *metric, metric_number *number,
	int32_t *track, int64_t time)
{
	return heap_tell_metrics(m->sink, m->set, metric, 1, number, m->err) &&
	       tell_track(m, track, metric->title, *number, time);
}

/* The peak's values first: they are what is asked for most. */
static bool
tell_metrics(struct massif *m)
{
	static const struct heap_metric peak = { "peak_space", "bytes", "heap at the peak" };
	static const struct heap_metric last = { "inuse_space", "bytes",
		"heap in the last detailed snapshot" };

	if (m->peak && !tell_tree_metric(m, &peak, &m->peak_metric, &m->peak_track, m->peak_time))
		return false;
	if (m->last && !tell_tree_metric(m, &last, &m->last_metric, &m->last_track, m->last_time))
		return false;
	return heap_tell_metrics(
		       m->sink, m->set, series_metrics, MASSIF_SERIES, &m->time_metric, m->err) &&
	       tell_track(m, &m->time_track, "memory over time", m->time_metric, MODEL_NULL);
}

static bool
tell_metadata(struct massif *m)
{
	struct strbuf *b = &m->attributes;
	struct text application = heap_application(m->command);

	strbuf_reset(b);
	heap_member_text(b, "command", m->command);
	heap_member_text(b, "time_unit", m->time_unit);
	if (m->description.size)
		heap_member_text(b, "desc", strbuf_text(&m->description));
	heap_member_text(b, "heap_tree", m->root);
	heap_member_int(b, "snapshots", (int64_t)m->snapshot.number);
	if (m->peak) {
		heap_member_int(b, "peak_heap_bytes", m->peak_bytes);
		heap_member_int(b, "peak_time", m->peak_time);
	}
	heap_members_end(b);
	if (b->failed || m->description.failed)
		return massif_refuse(m, "its head has more than %d bytes", MAX_TEXT_BYTES);
	return (text_is_null(application) ||
		       m->sink->metadata(m->sink, m->set, "application", application, m->err)) &&
	       m->sink->metadata(m->sink, m->set, "caption",
		       m->command.size ? m->command : text_from(m->name), m->err) &&
	       m->sink->metadata(m->sink, m->set, "attributes", strbuf_text(b), m->err);
}

static bool
read_member(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
	int64_t done, struct error *err)
{
	struct massif m = { .source = source,
		.sink = sink,
		.err = err,
		.set = set,
		.member = member,
		.name = bundle_member(source->bundle, member)->name,
		.done = done,
		.arena = ARENA_INIT };
	bool ok;

	strbuf_init(&m.description, MAX_TEXT_BYTES);
	strbuf_init(&m.attributes, 2 * (size_t)MAX_TEXT_BYTES);
	m.frames_told = frame_dictionary_new(sink, set);
	ok = pass(&m, false) && tell_metadata(&m) && tell_metrics(&m) && pass(&m, true);
	frame_dictionary_free(m.frames_told);
	strbuf_release(&m.description);
	strbuf_release(&m.attributes);
	free(m.nodes);
	arena_release(&m.arena);
	return ok;
}

/* --- the format ----------------------------------------------------------------------------- */

/* "desc:" at the beginning, and a line "time_unit:", which a long command hides; callgrind's
 * results may have the former as well, with lines "events:" or "version:". */
static bool
is_massif(const char *head, size_t size)
{
	struct text begin = { head, size };

	if (!massif_take(&begin, "desc:"))
		return false;
	for (size_t i = 1; i < size; i++) {
		struct text rest = { head + i, size - i };

		if (head[i - 1] != '\n')
			continue;
		if (massif_take(&rest, "time_unit:"))
			return true;
		if (massif_take(&rest, "events:") || massif_take(&rest, "version:"))
			return false;
	}
	return massif_take(&begin, " --");
}

static const struct heap_reader reader = { "result of massif", is_massif, read_member };

static int
probe(const struct format_source *source)
{
	return heap_probe(&reader, source, MAGIC_BITS);
}

static enum format_result
read_input(struct format_source *source, struct sink *sink, struct error *err)
{
	return heap_read_members(&reader, source, sink, err);
}

const struct format format_massif = {
	.name = "massif",
	.title = "massif results (valgrind)",
	.profiler = "massif",
	.known_by = "lines \"desc:\", \"cmd:\" and \"time_unit:\"",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_input,
};
