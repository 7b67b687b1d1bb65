/*
 * Computes the nodes of a call tree from its sums. The result does not depend on the order in which
 * nodes were created, so a load and a rebuild from the depot give the same rows. No function is
 * recursive, because a stack may have millions of frames.
 */
#include "call_tree_values.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/pair_map.h"

#include <stdlib.h>

/* --- the widest ------------------------------------------------------------------------------ */

static inline void
swap(wide_bits *a, wide_bits *b)
{
	wide_bits c = *a;

	*a = *b;
	*b = c;
}

/* Returns the item with this rank in descending order. The largest item has rank 0. */
static wide_bits
select_rank(wide_bits *items, size_t count, size_t rank)
{
	uint64_t random = process_seed() | 1;
	size_t low = 0;
	size_t high = count; /* one past the last */

	while (high - low > 1) {
		wide_bits pivot;
		size_t more = low; /* [low, more) > pivot */
		size_t less = high;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		pivot = items[low + random % (high - low)];
		for (size_t i = low; i < less;)
			if (items[i] > pivot)
				swap(&items[i++], &items[more++]);
			else if (items[i] < pivot)
				swap(&items[i], &items[--less]);
			else
				i++;
		if (rank < more)
			high = more;
		else if (rank >= less)
			low = less;
		else
			return pivot;
	}
	return items[low];
}

/* Returns the width with this rank; rank 1 is the largest width. Returns 0 if fewer than `rank` nodes have a
 * width. Keeps at most 2 * rank widths in memory, because widths below the rank-th largest can be dropped. */
static wide_bits
width_of_rank(const struct call_tree *t, const struct sums *s, size_t rank)
{
	wide_bits *items = xmalloc(2 * rank * sizeof(*items));
	wide_bits limit = 0;
	size_t count = 0;

	for (size_t i = 0; i < t->section_count; i++) {
		wide_bits width = call_width_at(s, i);

		for (size_t left = call_length(s, i); left && width > limit; left--) {
			items[count++] = width;
			if (count == 2 * rank) {
				/* Moves the largest widths to the front. */
				limit = select_rank(items, count, rank - 1);
				count = rank;
			}
		}
	}
	/* If `limit` is not 0, at least `rank` items are greater than or equal to it. */
	if (count >= rank)
		limit = select_rank(items, count, rank - 1);
	free(items);
	return limit;
}

/*
 * The smallest width that is kept. *ties is the number of nodes with exactly this width that may be
 * kept. If all nodes are kept, the result is 1 (one unit of the last digit).
 */
static wide_bits
threshold(const struct call_tree *t, const struct sums *s, size_t max_nodes, size_t *ties)
{
	wide_bits limit;

	*ties = t->count;
	if (!max_nodes || t->count <= max_nodes)
		return 1;
	limit = width_of_rank(t, s, max_nodes);
	if (!limit)
		return 1;
	*ties = max_nodes;
	for (size_t i = 0; i < t->section_count; i++)
		if (call_width_at(s, i) > limit)
			*ties -= call_length(s, i);
	return limit;
}

/* --- the preorder ---------------------------------------------------------------------------- */

struct child {
	wide_bits width; /* absolute total */
	int64_t routine;
	uint32_t section;
};

static int
compare_children(const void *a, const void *b)
{
	const struct child *x = a;
	const struct child *y = b;

	if (x->width != y->width)
		return x->width > y->width ? -1 : 1;
	return (x->routine > y->routine) - (x->routine < y->routine);
}

/* Sorts the children of one node. */
static void
sort_children(const struct call_tree *t, const struct sums *s, uint32_t *sections, size_t count,
	struct child *children)
{
	for (size_t i = 0; i < count; i++)
		children[i] = (struct child){
			.width = call_magnitude(call_total_at(s, sections[i])),
			.routine = call_routine_at(t, call_first_of(s->sections, sections[i])),
			.section = sections[i],
		};
	qsort(children, count, sizeof(*children), compare_children);
	for (size_t i = 0; i < count; i++)
		sections[i] = children[i].section;
}

static void
sort_all_children(
	const struct call_tree *t, const struct sums *s, uint32_t *sections, const uint32_t *starts)
{
	struct child *children = NULL;
	size_t room = 0;

	for (size_t i = 0; i < t->section_count; i++) {
		const size_t count = starts[i + 1] - starts[i];

		if (count < 2)
			continue;
		ARRAY_RESERVE(children, room, count);
		sort_children(t, s, sections + starts[i], count, children);
	}
	free(children);
}

/* Returns the sections that reach the limit, grouped by parent. The children of section i are at
 * the indexes [starts[i], starts[i + 1]). */
static uint32_t *
sorted_children(const struct call_tree *t, const struct sums *s, wide_bits limit, uint32_t *starts)
{
	const struct call_section *sections = s->sections;
	const size_t all = t->section_count;
	uint32_t *children;
	size_t count;

	for (size_t i = 1; i < all; i++)
		if (call_width_at(s, i) >= limit)
			starts[sections[i].parent + 1]++;
	for (size_t i = 0; i < all; i++)
		starts[i + 1] += starts[i];
	count = starts[all];
	children = xmalloc((count + 1) * sizeof(*children));
	/* Fill from the end, so that each start becomes the index of the first child. */
	for (size_t i = all; i-- > 1;)
		if (call_width_at(s, i) >= limit)
			children[--starts[sections[i].parent + 1]] = (uint32_t)i;
	/* Now the start of section i is in starts[i + 1]. Move it to starts[i]. */
	for (size_t i = 0; i < all; i++)
		starts[i] = starts[i + 1];
	starts[all] = (uint32_t)count;
	sort_all_children(t, s, children, starts);
	return children;
}

struct ranked {
	wide_bits width;
	uint32_t node;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;

	if (x->width != y->width)
		return x->width > y->width ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* The nodes of a section that are in walk.nodes. */
struct kept {
	uint32_t first, count; /* `first` is undefined if count is 0 */
};

struct walk {
	struct call_node *nodes;
	struct ranked *ranked; /* for each item of nodes; NULL if not needed */
	size_t count;
	struct kept *kept; /* for each section */
	wide_bits limit;
	size_t ties;
};

static bool
stays(struct walk *w, wide_bits width)
{
	if (width > w->limit)
		return true;
	return width == w->limit && w->ties && w->ties--;
}

static void
add_to_walk(struct walk *w, const struct call_tree *t, const struct sums *s, uint32_t section,
	uint32_t node, uint32_t parent)
{
	const bool last = node == s->sections[section].last;

	w->nodes[w->count] = (struct call_node){
		.parent = parent,
		.depth = node ? w->nodes[parent].depth + 1 : 0,
		.routine = call_routine_at(t, node),
		.self = last ? call_self_at(s, section) : 0,
		.total = call_total_at(s, section),
		.folded = t->folded && bit_at(t->folded, node),
	};
	if (w->ranked)
		w->ranked[w->count] =
			(struct ranked){ call_width_at(s, section), (uint32_t)w->count };
	w->count++;
}

static uint32_t
last_place(const struct walk *w, uint32_t section)
{
	return w->kept[section].first + w->kept[section].count - 1;
}

static bool
is_whole(const struct walk *w, const struct sums *s, uint32_t section)
{
	return w->kept[section].count == call_length(s, section);
}

/* If a node is left out but its parent is kept, adds the node's total to the parent's self value. A
 * section can be cut at any of its nodes. */
static void
fold_others(struct walk *w, const struct call_tree *t, const struct sums *s)
{
	for (uint32_t i = 1; i < t->section_count; i++) {
		const uint32_t from = w->kept[i].count ? i : s->sections[i].parent;
		struct call_node *parent;

		if (is_whole(w, s, i) || !call_width_at(s, i))
			continue;
		if (from != i && !is_whole(w, s, from))
			continue;
		parent = &w->nodes[last_place(w, from)];
		parent->self = fixed_add(parent->self, call_total_at(s, i));
		parent->folded = true;
	}
}

/* Adds the nodes of a section in order, up to the first node that is not kept. */
static void
walk_section(struct walk *w, const struct call_tree *t, const struct sums *s, uint32_t section)
{
	const wide_bits width = call_width_at(s, section);
	uint32_t parent = section ? last_place(w, s->sections[section].parent) : 0;
	uint32_t node = call_first_of(s->sections, section);

	w->kept[section].first = (uint32_t)w->count;
	for (; node <= s->sections[section].last; node++) {
		if (node && !stays(w, width))
			return;
		add_to_walk(w, t, s, section, node, parent);
		parent = (uint32_t)w->count - 1;
		w->kept[section].count++;
	}
}

static void
walk_all(struct walk *w, const struct call_tree *t, const struct sums *s)
{
	uint32_t *starts = xcalloc(t->section_count + 1, sizeof(*starts));
	uint32_t *children = sorted_children(t, s, w->limit, starts);
	size_t depth = 0;
	uint32_t *todo = xmalloc((starts[t->section_count] + (size_t)1) * sizeof(*todo));

	todo[depth++] = 0;
	while (depth) {
		uint32_t section = todo[--depth];

		walk_section(w, t, s, section);
		if (is_whole(w, s, section))
			for (size_t i = starts[section + 1]; i-- > starts[section];)
				todo[depth++] = children[i];
	}
	free(todo);
	free(children);
	free(starts);
}

static void
give_ranks(struct walk *w)
{
	qsort(w->ranked, w->count, sizeof(*w->ranked), compare_ranked);
	for (size_t i = 0; i < w->count; i++)
		w->nodes[w->ranked[i].node].rank = (uint32_t)i;
	free(w->ranked);
}

/* Computes cut_self: a node's self value plus the totals of its hidden children. */
static void
cut_selfs(struct call_node *nodes, size_t count, bool ranked)
{
	for (size_t i = 0; i < count; i++)
		nodes[i].cut_self = nodes[i].self;
	for (size_t i = 1; ranked && i < count; i++) {
		struct call_node *parent = &nodes[nodes[i].parent];

		if (nodes[i].rank >= CALL_TREE_CUT_NODES && parent->rank < CALL_TREE_CUT_NODES)
			parent->cut_self += nodes[i].total;
	}
}

struct call_node *
call_tree_nodes(struct call_tree *t, size_t metric, size_t max_nodes, size_t *count)
{
	size_t room = max_nodes && max_nodes < t->count ? max_nodes : t->count;
	struct walk w = { 0 };
	const struct sums *s = call_tree_sums(t, metric);

	*count = 0;
	if (!s)
		return NULL;
	w.limit = threshold(t, s, max_nodes, &w.ties);
	/* The root is always kept. */
	if (call_width_at(s, 0) == w.limit && w.ties)
		w.ties--;
	w.nodes = xmalloc(room * sizeof(*w.nodes));
	w.ranked = max_nodes ? xmalloc(room * sizeof(*w.ranked)) : NULL;
	w.kept = xcalloc(t->section_count, sizeof(*w.kept));
	walk_all(&w, t, s);
	fold_others(&w, t, s);
	free(w.kept);
	if (w.ranked)
		give_ranks(&w);
	cut_selfs(w.nodes, w.count, max_nodes > 0);
	*count = w.count;
	return w.nodes;
}
