/*
 * Totals by routine. One walk finds the calls that are below another call of the same routine. This
 * does not depend on the metric, so each metric then needs only one pass over the nodes.
 */
#include "call_tree_private.h"

#include "base/arena.h"
#include "base/pair_map.h"

#include <stdlib.h>

/* Finds the row of a routine. A dense range of routines needs no hash table. */
struct routine_rows {
	int64_t first;
	uint32_t *by_number; /* [routine - first]: row + 1. NULL if the map is used */
	struct pair_map map;
	size_t count;
};

static void
rows_init(struct routine_rows *r, const struct call_tree *t)
{
	int64_t last = INT64_MIN;

	*r = (struct routine_rows){ .first = INT64_MAX };
	for (size_t i = 1; i < t->count; i++) {
		int64_t routine = call_routine_at(t, i);

		r->first = routine < r->first ? routine : r->first;
		last = routine > last ? routine : last;
	}
	if (last >= r->first && (uint64_t)last - (uint64_t)r->first < t->count)
		r->by_number = xcalloc(
			(size_t)((uint64_t)last - (uint64_t)r->first) + 1, sizeof(*r->by_number));
}

static void
rows_release(struct routine_rows *r)
{
	pair_map_release(&r->map);
	free(r->by_number);
}

static uint32_t
row_of(struct routine_rows *r, int64_t routine)
{
	bool added;
	uint32_t row;

	if (r->by_number) {
		uint32_t *at = &r->by_number[(uint64_t)routine - (uint64_t)r->first];

		if (!*at)
			*at = (uint32_t)++r->count;
		return *at - 1;
	}
	row = pair_map_add(&r->map, routine, 0, (uint32_t)r->count, &added);
	r->count += added;
	return row;
}

/* Links the children of each node, in any order. 0 ends a list. */
static void
make_lists(const struct call_tree *t, uint32_t *first, uint32_t *next)
{
	for (uint32_t i = 1; i < t->count; i++) {
		next[i] = first[call_parent_at(t, i)];
		first[call_parent_at(t, i)] = i;
	}
}

/* Marks the nodes that are below another call of the same routine. */
static void
mark_inner(const struct call_tree *t, size_t rows, uint32_t *places)
{
	uint32_t *first = xcalloc(t->count, sizeof(*first));
	uint32_t *next = xcalloc(t->count, sizeof(*next));
	uint32_t *active = xcalloc(rows + 1, sizeof(*active)); /* calls on the current path */
	uint32_t node;

	make_lists(t, first, next);
	node = first[0];
	while (node) {
		places[node] |= active[places[node] >> 1]++ > 0;
		if (first[node]) {
			node = first[node];
			continue;
		}
		for (; node; node = call_parent_at(t, node)) {
			active[places[node] >> 1]--;
			if (next[node]) {
				node = next[node];
				break;
			}
		}
	}
	free(active);
	free(next);
	free(first);
}

static void
make_places(struct call_tree *t)
{
	struct routine_rows rows;

	if (t->places)
		return;
	rows_init(&rows, t);
	t->places = xcalloc(t->count, sizeof(*t->places));
	for (size_t i = 1; i < t->count; i++)
		t->places[i] = row_of(&rows, call_routine_at(t, i)) << 1;
	t->place_count = rows.count;
	rows_release(&rows);
	mark_inner(t, t->place_count, t->places);
}

void
call_tree_drop_places(struct call_tree *t)
{
	free(t->places);
	t->places = NULL;
}

static int
compare_routines(const void *a, const void *b)
{
	const struct routine_total *x = a;
	const struct routine_total *y = b;

	return (x->routine > y->routine) - (x->routine < y->routine);
}

/* Removes the rows of routines whose nodes are all 0. */
static size_t
drop_unused(struct routine_total *rows, const uint8_t *used, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (used[i])
			rows[kept++] = rows[i];
	return kept;
}

struct routine_total *
call_tree_routines(struct call_tree *t, size_t metric, size_t *count)
{
	const struct sums *s = call_tree_sums(t, metric);
	struct routine_total *rows;
	uint8_t *used;

	*count = 0;
	if (!s)
		return NULL;
	make_places(t);
	rows = xcalloc(t->place_count + 1, sizeof(*rows));
	used = xcalloc(t->place_count + 1, 1);
	for (size_t i = 1; i < t->count; i++) {
		struct routine_total *row = &rows[t->places[i] >> 1];

		if (!call_width_at(s, i))
			continue;
		used[t->places[i] >> 1] = 1;
		row->routine = call_routine_at(t, i);
		row->self = fixed_add(row->self, call_self_at(s, i));
		if (!(t->places[i] & 1))
			row->total = fixed_add(row->total, call_total_at(s, i));
	}
	*count = drop_unused(rows, used, t->place_count);
	free(used);
	if (*count)
		qsort(rows, *count, sizeof(*rows), compare_routines);
	return rows;
}
