/*
 * Computes the nodes of a call tree from its sums. The result does not depend on the order in which
 * nodes were created, so a load and a rebuild from the depot give the same rows. No function is
 * recursive, because a stack may have millions of frames.
 */
#include "call_tree_private.h"

#include "base/arena.h"
#include "base/pair_map.h"

#include <stdlib.h>

void
call_tree_drop_sums(struct call_tree *t)
{
	free(t->sums.all);
	free(t->sums.below);
	free(t->sums.widths);
	t->sums = (struct sums){ NULL };
}

/* Goes from the last node to the first, so that children come before their parent. */
static void
sums_make(struct sums *s, const struct call_tree *t)
{
	if (s->selfs->values)
		s->all = xcalloc(t->count, sizeof(*s->all));
	if (s->totals->values)
		s->below = xcalloc(t->count, sizeof(*s->below));
	for (size_t i = t->count; i-- > 0;) {
		uint32_t parent = call_parent_at(t, i);

		if (s->all) {
			s->all[i] = fixed_add(s->all[i], call_sum_at(s->selfs, i));
			if (i)
				s->all[parent] = fixed_add(s->all[parent], s->all[i]);
		}
		if (s->below && i)
			s->below[parent] = fixed_add(s->below[parent], call_calls_at(s, i));
	}
}

static bool
totals_fall(const struct sums *s, const struct call_tree *t)
{
	for (size_t i = 1; i < t->count; i++)
		if (call_magnitude(call_total_at(s, i)) >
			call_magnitude(call_total_at(s, call_parent_at(t, i))))
			return false;
	return true;
}

static void
widths_make(struct sums *s, const struct call_tree *t)
{
	wide_bits *widths = xcalloc(t->count, sizeof(*widths));

	for (size_t i = t->count; i-- > 0;) {
		uint32_t parent = call_parent_at(t, i);
		wide_bits width = call_magnitude(call_total_at(s, i));

		if (widths[i] < width)
			widths[i] = width;
		if (widths[parent] < widths[i])
			widths[parent] = widths[i];
	}
	s->widths = widths;
}

const struct sums *
call_tree_sums(struct call_tree *t, size_t metric)
{
	if (!t->selfs[metric].values && !t->totals[metric].values)
		return NULL;
	if (!t->sums.selfs || t->sums_metric != metric) {
		call_tree_drop_sums(t);
		/* Free the slots now, because the sums need memory. */
		free(t->slots);
		t->slots = NULL;
		t->sums.selfs = &t->selfs[metric];
		t->sums.totals = &t->totals[metric];
		t->sums_metric = metric;
		sums_make(&t->sums, t);
		if (!totals_fall(&t->sums, t))
			widths_make(&t->sums, t);
	}
	return &t->sums;
}

/* --- the widest ------------------------------------------------------------------------------ */

static inline void
swap(wide_bits *a, wide_bits *b)
{
	wide_bits c = *a;

	*a = *b;
	*b = c;
}

/* The item with this rank, from 0, in descending order. */
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

/* The width with this rank; rank 1 is the largest width. 0 if fewer nodes have a width. Keeps at
 * most 2 * rank widths, because widths below the rank-th largest can be dropped. */
static wide_bits
width_of_rank(const struct call_tree *t, const struct sums *s, size_t rank)
{
	wide_bits *items = xmalloc(2 * rank * sizeof(*items));
	wide_bits limit = 0;
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++) {
		wide_bits width = call_width_at(s, i);

		if (width <= limit)
			continue;
		items[count++] = width;
		if (count == 2 * rank) {
			/* Moves the largest widths to the front. */
			limit = select_rank(items, count, rank - 1);
			count = rank;
		}
	}
	/* If there is a limit, at least `rank` items are greater than or equal to it. */
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
	for (size_t i = 0; i < t->count; i++)
		*ties -= call_width_at(s, i) > limit;
	return limit;
}

/* --- the preorder ---------------------------------------------------------------------------- */

struct child {
	wide_bits width; /* absolute total */
	int64_t routine;
	uint32_t node;
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

/* The nodes that reach the limit, grouped by parent: the children of node i are [starts[i],
 * starts[i + 1]). */
static struct child *
sorted_children(const struct call_tree *t, const struct sums *s, wide_bits limit, uint32_t *starts)
{
	struct child *children;
	size_t count = 0;

	for (size_t i = 1; i < t->count; i++)
		if (call_width_at(s, i) >= limit)
			starts[call_parent_at(t, i) + 1]++;
	for (size_t i = 0; i < t->count; i++)
		starts[i + 1] += starts[i];
	count = starts[t->count];
	children = xmalloc((count ? count : 1) * sizeof(*children));
	/* Fill from the end, so that each start becomes the index of the first child. */
	for (size_t i = t->count; i-- > 1;)
		if (call_width_at(s, i) >= limit)
			children[--starts[call_parent_at(t, i) + 1]] = (struct child){
				.width = call_magnitude(call_total_at(s, i)),
				.routine = call_routine_at(t, i),
				.node = (uint32_t)i,
			};
	/* The start of node i is in starts[i + 1], so move all of them. */
	for (size_t i = 0; i < t->count; i++)
		starts[i] = starts[i + 1];
	starts[t->count] = (uint32_t)count;
	for (size_t i = 0; i < t->count; i++)
		if (starts[i + 1] - starts[i] > 1)
			qsort(children + starts[i], starts[i + 1] - starts[i], sizeof(*children),
				compare_children);
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

struct walk {
	struct call_node *nodes;
	struct ranked *ranked; /* for each node of the walk; NULL if not needed */
	size_t count;
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
add_to_walk(struct walk *w, const struct call_tree *t, const struct sums *s, uint32_t node,
	uint32_t parent)
{
	w->nodes[w->count] = (struct call_node){
		.parent = parent,
		.depth = node ? w->nodes[parent].depth + 1 : 0,
		.routine = call_routine_at(t, node),
		.self = call_self_at(s, node),
		.total = call_total_at(s, node),
		.folded = t->folded && t->folded[node],
	};
	if (w->ranked)
		w->ranked[w->count] = (struct ranked){ call_width_at(s, node), (uint32_t)w->count };
	w->count++;
}

/* Adds the sums of children that were left out to the parents that are kept. places[i] is 1 + the
 * place of node i in the walk. */
static void
fold_others(struct walk *w, const struct call_tree *t, const struct sums *s, const uint32_t *places)
{
	for (size_t i = 1; i < t->count; i++) {
		struct call_node *parent;

		if (places[i] || !places[call_parent_at(t, i)] || !call_width_at(s, i))
			continue;
		parent = &w->nodes[places[call_parent_at(t, i)] - 1];
		parent->self = fixed_add(parent->self, call_total_at(s, i));
		parent->folded = true;
	}
}

static void
walk_all(struct walk *w, const struct call_tree *t, const struct sums *s, uint32_t *starts,
	uint32_t *places)
{
	struct child *children = sorted_children(t, s, w->limit, starts);
	size_t depth = 0;
	uint32_t *todo = xmalloc((starts[t->count] + 1) * sizeof(*todo));

	todo[depth++] = 0;
	while (depth) {
		uint32_t node = todo[--depth];

		if (node && !stays(w, call_width_at(s, node)))
			continue;
		add_to_walk(w, t, s, node, node ? places[call_parent_at(t, node)] - 1 : 0);
		places[node] = (uint32_t)w->count;
		for (size_t i = starts[node + 1]; i-- > starts[node];)
			todo[depth++] = children[i].node;
	}
	free(todo);
	free(children);
}

static void
give_ranks(struct walk *w)
{
	qsort(w->ranked, w->count, sizeof(*w->ranked), compare_ranked);
	for (size_t i = 0; i < w->count; i++)
		w->nodes[w->ranked[i].node].rank = (uint32_t)i;
	free(w->ranked);
}

/* Computes cut_self: the totals of hidden children count towards their parent. */
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
	uint32_t *starts;
	uint32_t *places;

	*count = 0;
	if (!s)
		return NULL;
	w.limit = threshold(t, s, max_nodes, &w.ties);
	/* The root is always kept. */
	if (call_width_at(s, 0) == w.limit && w.ties)
		w.ties--;
	w.nodes = xmalloc(room * sizeof(*w.nodes));
	w.ranked = max_nodes ? xmalloc(room * sizeof(*w.ranked)) : NULL;
	starts = xcalloc(t->count + 1, sizeof(*starts));
	places = xcalloc(t->count, sizeof(*places));
	walk_all(&w, t, s, starts, places);
	fold_others(&w, t, s, places);
	if (w.ranked)
		give_ranks(&w);
	cut_selfs(w.nodes, w.count, max_nodes > 0);
	free(places);
	free(starts);
	*count = w.count;
	return w.nodes;
}
