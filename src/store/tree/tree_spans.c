/*
 * Builds the call tree of spans. A span's path consists of its parent's path and its own routine. A span
 * without a routine has its parent's path and is not counted. Parents may come after their children.
 */
#include "base/array.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>

enum {
	NO_METRIC = -1,
};

#define PATH_PENDING UINT32_MAX       /* the parent has not been read yet */
#define PATH_RUNNING (UINT32_MAX - 1) /* the parent is being searched for */

struct span {
	int64_t parent_id, routine; /* INT64_MIN if absent */
	int metric;                 /* the metric's index in the call tree */
	wide_int duration;
};

struct pending_span {
	size_t index; /* index in reading.ids */
	struct span span;
};

struct reading {
	struct call_tree *tree;
	const int32_t *metrics; /* metric numbers in the depot */
	size_t metric_count;
	int64_t *ids; /* IDs of the spans, ascending */
	uint32_t *paths;
	size_t span_count, id_room, path_room;
	struct pending_span *pending; /* sorted by pending_span.index */
	size_t pending_count, pending_room;
};

/* Computes the duration from four columns: start, stop, digits and exact duration. */
static wide_int
duration_at(const struct db_result *row, size_t column)
{
	struct decimal start = { .mantissa = db_result_int64(row, 0, column, INT64_MIN),
		.kind = DECIMAL_COMPACT };
	struct decimal stop = { .mantissa = db_result_int64(row, 0, column + 1, INT64_MIN),
		.kind = DECIMAL_COMPACT };
	int64_t digits = db_result_int64(row, 0, column + 2, -1);

	if (start.mantissa == INT64_MIN || stop.mantissa == INT64_MIN || digits < 0 ||
		digits > DECIMAL_MAX_SCALE)
		return tree_fixed(db_result_value(row, 0, column + 3));
	start.scale = stop.scale = (uint8_t)digits;
	return fixed_subtract(decimal_to_fixed(stop), decimal_to_fixed(start));
}

static int
metric_of(const struct reading *r, int64_t number)
{
	for (size_t i = 0; i < r->metric_count; i++)
		if (r->metrics[i] == number)
			return (int)i;
	return NO_METRIC;
}

/* Finds a span among those read so far. Returns false if there is no such span. */
static bool
find_span(const struct reading *r, int64_t id, size_t *index)
{
	size_t low = 0;
	size_t high = r->span_count;

	/* IDs are mostly consecutive, so the position is usually the ID minus the first ID. */
	if (high && id >= r->ids[0] && (uint64_t)id - (uint64_t)r->ids[0] < high) {
		*index = (size_t)((uint64_t)id - (uint64_t)r->ids[0]);
		if (r->ids[*index] == id)
			return true;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	*index = low;
	return low < r->span_count && r->ids[low] == id;
}

/* Adds the span's duration to its path, and returns the path. A span's path extends the path of its parent. */
static uint32_t
enter_span(struct reading *r, const struct span *s, uint32_t parent)
{
	uint32_t node;

	if (s->routine == INT64_MIN)
		return parent;
	node = call_tree_child(r->tree, parent, s->routine);
	if (s->metric != NO_METRIC && node)
		call_tree_add_total(r->tree, (size_t)s->metric, node, s->duration);
	return node;
}

static void
wait_for_parent(struct reading *r, const struct span *s)
{
	*ARRAY_ADD(r->pending, r->pending_count, r->pending_room) =
		(struct pending_span){ r->span_count, *s };
}

static bool
add_span(void *self, const struct db_result *row, struct error *err)
{
	struct reading *r = self;
	const struct span s = { db_result_int64(row, 0, 1, INT64_MIN),
		db_result_int64(row, 0, 2, INT64_MIN),
		metric_of(r, db_result_int64(row, 0, 3, INT64_MIN)), duration_at(row, 4) };
	uint32_t path;
	size_t parent;

	(void)err;
	ARRAY_RESERVE(r->ids, r->id_room, r->span_count + 1);
	ARRAY_RESERVE(r->paths, r->path_room, r->span_count + 1);
	if (s.parent_id == INT64_MIN) {
		path = enter_span(r, &s, 0);
	} else if (find_span(r, s.parent_id, &parent) && r->paths[parent] != PATH_PENDING) {
		path = enter_span(r, &s, r->paths[parent]);
	} else {
		path = PATH_PENDING;
		wait_for_parent(r, &s);
	}
	r->ids[r->span_count] = db_result_int64(row, 0, 0, INT64_MIN);
	r->paths[r->span_count++] = path;
	return true;
}

static size_t
find_pending(const struct reading *r, size_t index)
{
	size_t low = 0;
	size_t high = r->pending_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->pending[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Goes up to the first ancestor that has a path, then down again. Ignores a parent that does not
 * exist, and a parent that is also a descendant of the span. */
static void
enter_pending(struct reading *r, size_t first, size_t *way)
{
	size_t depth = 0;

	way[depth++] = first;
	while (depth) {
		const struct pending_span *p = &r->pending[way[depth - 1]];
		uint32_t above = 0;
		size_t parent;

		r->paths[p->index] = PATH_RUNNING;
		if (find_span(r, p->span.parent_id, &parent))
			above = r->paths[parent];
		if (above == PATH_PENDING) {
			way[depth++] = find_pending(r, parent);
			continue;
		}
		r->paths[p->index] = enter_span(r, &p->span, above == PATH_RUNNING ? 0 : above);
		depth--;
	}
}

static void
enter_all_pending(struct reading *r)
{
	size_t *way = xmalloc((r->pending_count + 1) * sizeof(*way));

	for (size_t i = 0; i < r->pending_count; i++)
		if (r->paths[r->pending[i].index] == PATH_PENDING)
			enter_pending(r, i, way);
	free(way);
}

bool
tree_add_spans(struct db *db, const char *inst_id, const int32_t *metrics, size_t metric_count,
	struct call_tree *tree, struct error *err)
{
	struct reading r = { .tree = tree, .metrics = metrics, .metric_count = metric_count };
	bool ok = db_query_each(db, store_sql("store/tree_spans"), &inst_id, 1, add_span, &r, err);

	if (ok)
		enter_all_pending(&r);
	free(r.pending);
	free(r.paths);
	free(r.ids);
	return ok;
}
