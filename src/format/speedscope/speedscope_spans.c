/* Writes the spans of a track: as an evented profile if they nest, otherwise as samples that have
 * self times as weights. */
#include "base/array.h"
#include "speedscope_private.h"
#include "speedscope_write_private.h"

#include <stdlib.h>

enum {
	MAX_DEPTH = STACK_MAX_FRAMES
};

/* A span of the track; times are fixed decimals. */
struct span {
	int64_t id, parent_id;
	wide_int start, stop, inside; /* inside: the sum of its children's durations */
	uint32_t frame;
	uint32_t parent; /* index, see find_parents */
	bool has_start;
};

struct spans {
	struct span *rows;
	size_t count, room;
	bool all_start; /* every span has a start */
};

static bool
take_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct spans *spans = w->work;
	struct span *span = ARRAY_ADD(spans->rows, spans->count, spans->room);
	wide_int start = decimal_to_fixed(row->start);
	wide_int duration = decimal_to_fixed(row->duration);

	(void)set;
	(void)err;
	*span = (struct span){ .id = row->id,
		.parent_id = row->parent_id,
		.start = start,
		.stop = start + (duration > 0 ? duration : 0),
		.has_start = row->start.kind != DECIMAL_NULL };
	if (pair_map_get(&w->frame_of, row->routine_id, 0) != PAIR_MAP_NONE)
		span->frame = speedscope_frame_of(w, row->routine_id);
	else
		span->frame = speedscope_frame(w, speedscope_span_label(row));
	spans->all_start = spans->all_start && span->has_start;
	return true;
}

static bool
take_call(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct spans *spans = w->work;

	(void)set;
	(void)err;
	*ARRAY_ADD(spans->rows, spans->count, spans->room) = (struct span){ .id = row->id,
		.parent_id = row->parent_id,
		.start = decimal_to_fixed(row->start),
		.stop = decimal_to_fixed(row->stop),
		.frame = speedscope_frame_of(w, row->routine_id),
		.has_start = true };
	return true;
}

/* --- evented ------------------------------------------------------------------------- */

static void
write_event(struct speedscope_writer *w, const char *type, uint32_t frame, wide_int at)
{
	json_begin_object(&w->json);
	json_key_string(&w->json, "type", type);
	json_key_int(&w->json, "frame", frame);
	json_key(&w->json, "at");
	speedscope_put_fixed(w, at);
	json_end_object(&w->json);
}

/* The tree of the spans and their children; the arrays are indexed like spans->rows. */
struct span_tree {
	uint32_t *child, *next; /* indexes of first child and next sibling, or PAIR_MAP_NONE */
	uint32_t root;          /* the first span without a parent on the track */
};

static int
compare(const struct span *a, const struct span *b, bool longer_first)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->stop != b->stop)
		return (a->stop > b->stop) == longer_first ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Sorts spans by start. If two spans start at the same time, the longer one comes first, because it is
 * the outer one. Equal spans are sorted by id. */
static int
compare_spans(const void *left, const void *right)
{
	return compare(left, right, true);
}

/* Sorts siblings by start. If two siblings start at the same time, the shorter one comes first. This
 * puts a span of length 0 before longer spans. */
static int
compare_siblings(const void *left, const void *right)
{
	return compare(left, right, false);
}

/* Sets the index of each parent; PAIR_MAP_NONE if the parent is not on the track. */
static void
find_parents(struct spans *spans)
{
	struct pair_map by_id = { 0 };

	for (size_t i = 0; i < spans->count; i++)
		pair_map_add(&by_id, spans->rows[i].id, 0, (uint32_t)i, NULL);
	for (size_t i = 0; i < spans->count; i++) {
		const int64_t id = spans->rows[i].parent_id;

		spans->rows[i].parent =
			id == MODEL_NULL ? PAIR_MAP_NONE : pair_map_get(&by_id, id, 0);
	}
	pair_map_release(&by_id);
}

static void
tree_link(struct span_tree *t, struct spans *spans)
{
	find_parents(spans);
	t->root = PAIR_MAP_NONE;
	for (size_t i = 0; i < spans->count; i++)
		t->child[i] = PAIR_MAP_NONE;
	for (size_t i = spans->count; i-- > 0;) {
		const uint32_t parent = spans->rows[i].parent;
		uint32_t *first = parent == PAIR_MAP_NONE ? &t->root : &t->child[parent];

		t->next[i] = *first;
		*first = (uint32_t)i;
	}
}

/* Returns whether the span is within its parent and after its previous sibling. */
static bool
fits(const struct span *s, const struct span *parent, const struct span *before)
{
	return (!parent || (s->start >= parent->start && s->stop <= parent->stop)) &&
	       (!before || s->start >= before->stop);
}

/* Walks the tree in order, and writes events unless w is NULL. Returns false if a span is not
 * within its parent, overlaps a sibling, or is not reachable from the root. */
static bool
tree_walk(struct speedscope_writer *w, const struct span_tree *t, const struct spans *spans)
{
	uint32_t *open = xmalloc(MAX_DEPTH * sizeof(*open));
	const struct span *before = NULL;
	uint32_t at = t->root;
	size_t depth = 0;
	size_t seen = 0;
	bool ok = true;

	while (ok && (at != PAIR_MAP_NONE || depth)) {
		const struct span *s;

		if (at == PAIR_MAP_NONE) { /* after the last child */
			uint32_t done = open[--depth];

			before = &spans->rows[done];
			if (w)
				write_event(w, "C", before->frame, before->stop);
			at = t->next[done];
			continue;
		}
		s = &spans->rows[at];
		ok = depth < MAX_DEPTH &&
		     fits(s, depth ? &spans->rows[open[depth - 1]] : NULL, before);
		if (!ok)
			break;
		if (w)
			write_event(w, "O", s->frame, s->start);
		seen++;
		open[depth++] = at;
		before = NULL;
		at = t->child[at];
	}
	free(open);
	return ok && seen == spans->count;
}

/* Walks spans in the order of compare_spans, and writes events unless w is NULL. Ignores the parents.
 * Returns false if two spans overlap partially. */
static bool
nested_walk(struct speedscope_writer *w, const struct spans *spans)
{
	const struct span **open = xmalloc((spans->count + 1) * sizeof(const struct span *));
	size_t depth = 0;
	bool nested = true;

	for (size_t i = 0; nested && i < spans->count; i++) {
		const struct span *s = &spans->rows[i];

		while (depth && (open[depth - 1]->stop < s->start ||
					(open[depth - 1]->stop == s->start &&
						open[depth - 1]->id != s->parent_id))) {
			depth--;
			if (w)
				write_event(w, "C", open[depth]->frame, open[depth]->stop);
		}
		nested = (!depth || s->stop <= open[depth - 1]->stop) && depth < MAX_DEPTH;
		open[depth++] = s;
		if (w)
			write_event(w, "O", s->frame, s->start);
	}
	while (w && depth) {
		depth--;
		write_event(w, "C", open[depth]->frame, open[depth]->stop);
	}
	free(open);
	return nested;
}

static void
write_evented(struct speedscope_writer *w, const struct written_track *track,
	const struct written_metric *metric, const struct spans *spans,
	const struct span_tree *tree)
{
	wide_int start = spans->rows[0].start;
	wide_int stop = start;

	for (size_t i = 0; i < spans->count; i++)
		stop = spans->rows[i].stop > stop ? spans->rows[i].stop : stop;
	if (track->start.kind) {
		wide_int begin = decimal_to_fixed(track->start);
		wide_int end = begin + decimal_to_fixed(track->duration);

		start = begin < start ? begin : start;
		stop = end > stop ? end : stop;
	}
	speedscope_begin_profile(
		w, "evented", track->name.size ? track->name : metric->name, "", metric->unit);
	speedscope_put_range(w, start, stop);
	json_key_array(&w->json, "events");
	if (tree)
		tree_walk(w, tree, spans);
	else
		nested_walk(w, spans);
	json_end_array(&w->json);
	json_end_object(&w->json);
}

/* --- sampled by self time ------------------------------------------------------------ */

static wide_int
self_of(const struct span *s)
{
	wide_int self = s->stop - s->start - s->inside;

	return self > 0 ? self : 0;
}

/* Writes the frames from the outermost span to this span. If the parents form a cycle, the path has
 * MAX_DEPTH frames. */
static void
put_path(struct speedscope_writer *w, const struct spans *spans, size_t index, uint32_t *path)
{
	size_t depth = 0;

	for (uint32_t at = (uint32_t)index; at != PAIR_MAP_NONE && depth < MAX_DEPTH;
		at = spans->rows[at].parent)
		path[depth++] = spans->rows[at].frame;
	json_begin_array(&w->json);
	while (depth)
		json_int(&w->json, path[--depth]);
	json_end_array(&w->json);
}

static void
write_by_self(struct speedscope_writer *w, const struct written_track *track,
	const struct written_metric *metric, struct spans *spans)
{
	uint32_t *path = xmalloc(MAX_DEPTH * sizeof(*path));
	wide_int total = 0;

	find_parents(spans);
	for (size_t i = 0; i < spans->count; i++) {
		const struct span *s = &spans->rows[i];

		if (s->parent != PAIR_MAP_NONE)
			spans->rows[s->parent].inside += s->stop - s->start;
	}
	for (size_t i = 0; i < spans->count; i++)
		total += self_of(&spans->rows[i]);
	speedscope_begin_profile(w, "sampled", track->name.size ? track->name : metric->name,
		" (self time)", metric->unit);
	speedscope_put_range(w, 0, total);
	json_key_array(&w->json, "samples");
	for (size_t i = 0; i < spans->count; i++)
		if (self_of(&spans->rows[i]) > 0)
			put_path(w, spans, i, path);
	json_end_array(&w->json);
	json_key_array(&w->json, "weights");
	for (size_t i = 0; i < spans->count; i++)
		if (self_of(&spans->rows[i]) > 0)
			speedscope_put_fixed(w, self_of(&spans->rows[i]));
	json_end_array(&w->json);
	json_end_object(&w->json);
	free(path);
}

/* Writes the spans in the first form that is possible: nested by their parents, nested by their
 * times, or as samples that have self times as weights. */
static void
write_collected(struct speedscope_writer *w, const struct written_track *track,
	const struct written_metric *metric, struct spans *spans)
{
	struct span_tree tree = { .child = xmalloc(spans->count * sizeof(uint32_t)),
		.next = xmalloc(spans->count * sizeof(uint32_t)) };

	qsort(spans->rows, spans->count, sizeof(*spans->rows), compare_siblings);
	tree_link(&tree, spans);
	if (spans->all_start && tree_walk(NULL, &tree, spans)) {
		write_evented(w, track, metric, spans, &tree);
	} else {
		qsort(spans->rows, spans->count, sizeof(*spans->rows), compare_spans);
		if (spans->all_start && nested_walk(NULL, spans))
			write_evented(w, track, metric, spans, NULL);
		else
			write_by_self(w, track, metric, spans);
	}
	free(tree.child);
	free(tree.next);
}

bool
speedscope_write_spans(
	struct speedscope_writer *w, const struct written_track *track, struct error *err)
{
	const struct sink members = { .span = take_span, .frame = take_call };
	const struct written_metric *metric = speedscope_metric(w, track->metric);
	struct spans spans = { .all_start = true };
	bool ok = true;

	if (!metric || !speedscope_wants(w, metric->name))
		return true;
	ok = speedscope_part(w, SOURCE_SPANS, track->id, &members, &spans, err);
	if (ok && spans.count)
		write_collected(w, track, metric, &spans);
	free(spans.rows);
	return ok;
}
