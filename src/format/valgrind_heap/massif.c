/*
 * Reads massif's results (valgrind --tool=massif; written by valgrind's massif/ms_main.c):
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
 *	heap_tree=empty			or "detailed" or "peak", followed by the tree:
 *	n2: 48 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 40 0x1091BA: mk (t.c:5)		"n" and the number of children, bytes, frame
 *	  n0: 40 0x10926D: main (t.c:7)		the caller
 *	 n0: 8 in 2 places, all below massif's threshold (1.00%)
 *
 * All snapshots become the memory over time. Two trees are loaded: the peak's and the last other
 * one. The file is read twice, since only its end shows which ones these are.
 */
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "massif_private.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	MAX_TEXT_BYTES = 4 * 1024 * 1024,
	MAGIC_BITS = 8 * 11,
};

static const char *const series_keys[MASSIF_SERIES] = { "mem_heap_B", "mem_heap_extra_B",
	"mem_stacks_B" };

static const struct heap_metric series_metrics[MASSIF_SERIES] = {
	{ "mem_heap", "bytes", "heap, as asked for" },
	{ "mem_heap_extra", "bytes", "heap beside that: administration and alignment" },
	{ "mem_stacks", "bytes", "stacks" },
};

static bool
read_value(struct massif *m, struct text rest, int64_t *value, bool *has)
{
	if (!scan_int64(&rest, value) || rest.size)
		return massif_refuse(m, "no number from 0 to 2^63 - 1 after \"=\"");
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
		return massif_issue(
			m, ISSUE_LEFT_OUT, "snapshot left out: no time or no mem_heap_B");
	for (size_t i = 0; i < MASSIF_SERIES; i++)
		values[i] = decimal_from_int64(s->values[i]);
	row.values = values;
	return !m->emitting || m->sink->sample(m->sink, m->set, &row, m->err);
}

static bool
begin_snapshot(struct massif *m)
{
	uint64_t number = m->snapshot.number + 1;

	if (!end_snapshot(m))
		return false;
	m->snapshot = (struct massif_snapshot){ .number = number };
	return true;
}

static bool
read_head_line(struct massif *m, struct text t)
{
	if (scan_word(&t, "desc:")) {
		if (m->description.size)
			strbuf_append_char(&m->description, '\n');
		strbuf_append_text(&m->description, text_trim(t));
		return true;
	}
	if (scan_word(&t, "cmd:")) {
		m->command = arena_text(&m->arena, text_trim(t));
		return true;
	}
	if (scan_word(&t, "time_unit:")) {
		m->time_unit = arena_text(&m->arena, text_trim(t));
		return true;
	}
	return massif_issue(m, ISSUE_LEFT_OUT, "line left out: not written by massif");
}

static bool
read_line(struct massif *m)
{
	struct massif_snapshot *s = &m->snapshot;
	struct text t = m->line.text;

	if (!t.size || t.data[0] == '#')
		return true;
	if (scan_word(&t, "snapshot="))
		return begin_snapshot(m);
	if (!s->number)
		return m->emitting || read_head_line(m, t);
	if (scan_word(&t, "time="))
		return read_value(m, t, &s->time, &s->has_time);
	for (size_t i = 0; i < MASSIF_SERIES; i++) {
		struct text rest = t;

		if (scan_word(&rest, series_keys[i]) && scan_word(&rest, "="))
			return read_value(m, rest, &s->values[i], &s->has_values[i]);
	}
	if (scan_word(&t, "heap_tree="))
		return massif_read_heap_tree(m, t);
	return massif_issue(m, ISSUE_LEFT_OUT, "line left out: not written by massif");
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
pass(struct massif *m, bool emitting)
{
	const struct line_options options = { .source = m->name,
		.max_line_bytes = MASSIF_MAX_LINE_BYTES,
		.tick = emitting ? tick : NULL,
		.tick_self = m };
	int fd = bundle_open_member(m->source->bundle, m->member, m->err);
	bool ok;

	if (fd < 0)
		return false;
	m->emitting = emitting;
	m->lines = line_reader_new_fd(fd, &options);
	ok = read_lines(m);
	if (ok && !m->snapshot.number)
		ok = massif_refuse(m, "massif's result has no snapshot");
	line_reader_free(m->lines);
	close(fd);
	return ok;
}

/* time: of the snapshot that the track shows, or MODEL_NULL for all snapshots. */
static bool
emit_track(struct massif *m, int32_t *id, const char *name, metric_number metric, int64_t time)
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
	members_text(&m->attributes, "time_unit", m->time_unit);
	if (time != MODEL_NULL)
		members_int(&m->attributes, "time", time);
	row.attributes = members_end(&m->attributes);
	return m->sink->track(m->sink, m->set, &row, m->err);
}

static bool
emit_tree_metric(struct massif *m, const struct heap_metric *metric, metric_number *number,
	int32_t *track, int64_t time)
{
	return heap_emit_metrics(m->sink, m->set, metric, 1, number, m->err) &&
	       emit_track(m, track, metric->title, *number, time);
}

/* The peak's metric comes first: it is the default one. */
static bool
emit_metrics(struct massif *m)
{
	static const struct heap_metric peak = { "peak_space", "bytes", "heap at the peak" };
	static const struct heap_metric last = { "inuse_space", "bytes",
		"heap in the last detailed snapshot" };

	if (m->peak && !emit_tree_metric(m, &peak, &m->peak_metric, &m->peak_track, m->peak_time))
		return false;
	if (m->last && !emit_tree_metric(m, &last, &m->last_metric, &m->last_track, m->last_time))
		return false;
	return heap_emit_metrics(
		       m->sink, m->set, series_metrics, MASSIF_SERIES, &m->time_metric, m->err) &&
	       emit_track(m, &m->time_track, "memory over time", m->time_metric, MODEL_NULL);
}

static bool
emit_metadata(struct massif *m)
{
	struct strbuf *b = &m->attributes;
	struct text application = heap_application(m->command);
	bool ok;

	strbuf_reset(b);
	ok = !m->description.failed && members_text(b, "command", m->command) &&
	     members_text(b, "time_unit", m->time_unit) &&
	     members_text(
		     b, "desc", m->description.size ? strbuf_text(&m->description) : TEXT_NULL) &&
	     members_text(b, "heap_tree", m->root) &&
	     members_int(b, "snapshots", (int64_t)m->snapshot.number);
	if (m->peak)
		ok = ok && members_int(b, "peak_heap_bytes", m->peak_bytes) &&
		     members_int(b, "peak_time", m->peak_time);
	if (!ok)
		return massif_refuse(m, "the head has more than %d bytes", MAX_TEXT_BYTES);
	return (text_is_null(application) ||
		       m->sink->metadata(m->sink, m->set, "application", application, m->err)) &&
	       m->sink->metadata(m->sink, m->set, "caption",
		       m->command.size ? m->command : text_from(m->name), m->err) &&
	       m->sink->metadata(m->sink, m->set, "attributes", members_end(b), m->err);
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
	m.frames = frame_dictionary_new(sink, set);
	ok = pass(&m, false) && emit_metadata(&m) && emit_metrics(&m) && pass(&m, true);
	frame_dictionary_free(m.frames);
	strbuf_release(&m.description);
	strbuf_release(&m.attributes);
	free(m.nodes);
	arena_release(&m.arena);
	return ok;
}

/* --- the format ----------------------------------------------------------------------------- */

/* "desc:" at the start, and a line "time_unit:" unless a long command hides it. A callgrind profile
 * may start with "desc:" too, but has lines "events:" or "version:". */
static bool
is_massif(const char *head, size_t size)
{
	struct text begin = { head, size };

	if (!scan_word(&begin, "desc:"))
		return false;
	for (size_t i = 1; i < size; i++) {
		struct text rest = { head + i, size - i };

		if (head[i - 1] != '\n')
			continue;
		if (scan_word(&rest, "time_unit:"))
			return true;
		if (scan_word(&rest, "events:") || scan_word(&rest, "version:"))
			return false;
	}
	return scan_word(&begin, " --");
}

static const struct heap_reader reader = { "massif result", is_massif, read_member };

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
