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
 * The snapshots together show the memory over time. Two trees are loaded: the peak's tree, and the
 * last of the other trees. The file is read twice, because only its end shows which trees
 * these are.
 */
#include "format/formats.h"
#include "massif_private.h"

#include <stdlib.h>

enum {
	MAX_TEXT_BYTES = 4 * 1024 * 1024,
	MAGIC_BITS = 8 * 11,
};

static const char *const series_keys[MASSIF_SERIES] = { "mem_heap_B", "mem_heap_extra_B",
	"mem_stacks_B" };

static const struct heap_metric series_metrics[MASSIF_SERIES] = {
	{ "mem_heap", "bytes", "heap, as asked for", "max" },
	{ "mem_heap_extra", "bytes", "heap overhead: administration and alignment", "max" },
	{ "mem_stacks", "bytes", "stacks", "max" },
};

static bool
read_value(struct massif *m, struct text rest, int64_t *value, bool *has)
{
	if (!scan_int64(&rest, value) || rest.size)
		return reader_refuse(m->in, "no number from 0 to 2^63 - 1 after \"=\"");
	*has = true;
	return true;
}

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
	return !m->emitting || emit_sample(m->in, &row);
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
	struct text t = m->in->line.text;

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
	m->emitting = emitting;
	return reader_open_lines(m->in, MASSIF_MAX_LINE_BYTES) && read_lines(m) &&
	       (m->snapshot.number || reader_refuse(m->in, "massif's result has no snapshot"));
}

/* `time` is the time of the track's snapshot, or MODEL_NULL if the track shows all snapshots. */
static bool
add_track(struct massif *m, int32_t *id, const char *name, metric_number metric, int64_t time)
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
	return emit_track(m->in, &row);
}

static bool
emit_tree_metric(struct massif *m, const struct heap_metric *metric, metric_number *number,
	int32_t *track, int64_t time)
{
	return heap_emit_metrics(m->in, metric, 1, number) &&
	       add_track(m, track, metric->title, *number, time);
}

/* Emits the metrics and their tracks. The peak's metric comes first, because the first metric is the
 * default. */
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
	return heap_emit_metrics(m->in, series_metrics, MASSIF_SERIES, &m->time_metric) &&
	       add_track(m, &m->time_track, "memory over time", m->time_metric, MODEL_NULL);
}

static bool
emit_about(struct massif *m)
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
		return reader_refuse(m->in, "the head has more than %d bytes", MAX_TEXT_BYTES);
	return (text_is_null(application) || emit_metadata(m->in, "application", application)) &&
	       emit_metadata(
		       m->in, "caption", m->command.size ? m->command : text_from(m->in->name)) &&
	       emit_metadata(m->in, "attributes", members_end(b));
}

static bool
read_member(struct reader *r)
{
	struct massif m = { .in = r, .arena = ARENA_INIT };
	bool ok;

	strbuf_init(&m.description, MAX_TEXT_BYTES);
	strbuf_init(&m.attributes, 2 * (size_t)MAX_TEXT_BYTES);
	m.frames = frame_dictionary_new(r->sink, r->set);
	ok = pass(&m, false) && emit_about(&m) && emit_metrics(&m) && pass(&m, true);
	frame_dictionary_free(m.frames);
	strbuf_release(&m.description);
	strbuf_release(&m.attributes);
	free(m.nodes);
	arena_release(&m.arena);
	return ok;
}

/* massif results start with "desc:" and have a "time_unit:" line. This function searches only the
 * head; a long command can push the line beyond the head. Callgrind profiles can also start with
 * "desc:", but have "events:" or "version:". */
static int
look(const struct format_source *source, size_t member)
{
	struct text head = bundle_head(source->bundle, member);

	if (!scan_word(&head, "desc:"))
		return 0;
	for (struct text t = head; t.size;) {
		t = text_from_at(t, text_find(t, "\n"));
		scan_word(&t, "\n");
		if (text_begins(t, "time_unit:"))
			return MAGIC_BITS;
		if (text_begins(t, "events:") || text_begins(t, "version:"))
			return 0;
	}
	return text_begins(head, " --") ? MAGIC_BITS : 0;
}

static const struct member_kind kind = {
	.noun = "massif result", .look = look, .read = read_member
};

const struct format format_massif = {
	.name = "massif",
	.title = "massif results (valgrind)",
	.profiler = "massif",
	.known_by = "lines \"desc:\", \"cmd:\" and \"time_unit:\"",
	.covers = { [COVERAGE_HEAP] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
