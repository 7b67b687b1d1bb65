/*
 * Totals by routine. One walk finds the calls that are below another call of the same routine. These
 * calls are the same for every metric, so each metric then needs only one pass over the nodes.
 */
#include "call_tree_values.h"

#include "base/arena.h"

#include <stdlib.h>

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

/* A walk over the sections. */
struct inner_walk {
	struct call_tree *t;
	/* For each section: its first child, and its next sibling; 0 if absent. */
	uint32_t *first, *next;
	uint32_t *active; /* for each row: calls on the current path */
};

/* Links the children of each section, in any order. */
static void
make_lists(const struct inner_walk *w)
{
	const struct call_tree *t = w->t;

	for (uint32_t i = 1; i < t->section_count; i++) {
		w->next[i] = w->first[t->sections[i].parent];
		w->first[t->sections[i].parent] = i;
	}
}

static void
enter(const struct inner_walk *w, uint32_t section)
{
	struct call_tree *t = w->t;
	uint32_t node = call_first_of(t->sections, section);

	for (; node <= t->sections[section].last; node++)
		if (w->active[row_of(&t->rows, call_routine_at(t, node))]++)
			t->inner[node / BITS_PER_WORD] |= bit_of(node);
}

static void
leave(const struct inner_walk *w, uint32_t section)
{
	struct call_tree *t = w->t;
	uint32_t node = call_first_of(t->sections, section);

	for (; node <= t->sections[section].last; node++)
		w->active[row_of(&t->rows, call_routine_at(t, node))]--;
}

static void
walk_sections(const struct inner_walk *w)
{
	uint32_t section = w->first[0];

	while (section) {
		enter(w, section);
		if (w->first[section]) {
			section = w->first[section];
			continue;
		}
		for (; section; section = w->t->sections[section].parent) {
			leave(w, section);
			if (w->next[section]) {
				section = w->next[section];
				break;
			}
		}
	}
}

/* Marks the nodes that are below another call of the same routine. */
static void
mark_inner(struct call_tree *t)
{
	const struct inner_walk w = { t, xcalloc(t->section_count, sizeof(*w.first)),
		xcalloc(t->section_count, sizeof(*w.next)),
		xcalloc(t->rows.count + 1, sizeof(*w.active)) };

	t->inner = xcalloc(t->count / BITS_PER_WORD + 1, sizeof(*t->inner));
	make_lists(&w);
	walk_sections(&w);
	free(w.active);
	free(w.next);
	free(w.first);
}

static void
make_rows(struct call_tree *t)
{
	if (t->inner)
		return;
	rows_init(&t->rows, t);
	for (size_t i = 1; i < t->count; i++)
		row_of(&t->rows, call_routine_at(t, i));
	mark_inner(t);
}

void
call_tree_drop_rows(struct call_tree *t)
{
	rows_release(&t->rows);
	t->rows = (struct routine_rows){ 0 };
	free(t->inner);
	t->inner = NULL;
}

static int
compare_routines(const void *a, const void *b)
{
	const struct routine_total *x = a;
	const struct routine_total *y = b;

	return (x->routine > y->routine) - (x->routine < y->routine);
}

/* Removes the rows of the routines that are not used. */
static size_t
drop_unused(struct routine_total *rows, const uint8_t *used, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (used[i])
			rows[kept++] = rows[i];
	return kept;
}

static void
add_section(struct call_tree *t, const struct sums *s, size_t section, struct routine_total *rows,
	uint8_t *used)
{
	const wide_int total = call_total_at(s, section);
	const uint32_t last = s->sections[section].last;
	uint32_t row;

	for (uint32_t node = call_first_of(s->sections, section); node <= last; node++) {
		row = row_of(&t->rows, call_routine_at(t, node));
		used[row] = 1;
		rows[row].routine = call_routine_at(t, node);
		if (!bit_at(t->inner, node))
			rows[row].total = fixed_add(rows[row].total, total);
	}
	row = row_of(&t->rows, call_routine_at(t, last));
	rows[row].self = fixed_add(rows[row].self, call_self_at(s, section));
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
	make_rows(t);
	rows = xcalloc(t->rows.count + 1, sizeof(*rows));
	used = xcalloc(t->rows.count + 1, 1);
	for (size_t i = 1; i < t->section_count; i++)
		if (call_width_at(s, i))
			add_section(t, s, i, rows, used);
	*count = drop_unused(rows, used, t->rows.count);
	free(used);
	if (*count)
		qsort(rows, *count, sizeof(*rows), compare_routines);
	return rows;
}
