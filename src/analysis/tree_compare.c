/* Compares call trees and scales them to equal totals. */
#include "trees_private.h"

#include "base/pair_map.h"

#include <stdlib.h>
#include <string.h>

/* What is known about a node of the merged tree. */
enum {
	IN_NEW = 1,
	IN_BASE = 2,
	FOLDED_IN_NEW = 4, /* the new tree omits calls below this node */
	FOLDED_IN_BASE = 8,
	UNSURE = 16, /* one of the trees may omit the node */
	GONE = 32,   /* the node becomes part of its parent */
};

/* If a node of one tree may be omitted in the other, and its weight is less than this multiple of the lightest node
 * in the other, its change is not certain. */
static const int sure_factor = 16;

struct merge {
	struct tree *tree;
	struct pair_map nodes; /* maps (parent, name) to a node */
	const uint32_t *same;
	uint8_t *marks;
};

/* Adds the names of `base` to `t`, after the names that `t` already has. */
static void
join_names(struct arena *a, struct tree *t, const struct tree *base)
{
	size_t count = t->name_count + base->name_count;
	struct table_frame *names = arena_alloc_array(a, count, sizeof(*names));

	if (t->name_count)
		memcpy(names, t->names, t->name_count * sizeof(*names));
	if (base->name_count)
		memcpy(names + t->name_count, base->names, base->name_count * sizeof(*names));
	t->names = names;
	t->name_count = count;
}

static uint32_t
node_below(struct merge *m, uint32_t parent, uint32_t name)
{
	struct tree *t = m->tree;
	bool added;
	uint32_t node = pair_map_add(&m->nodes, parent, name, (uint32_t)t->count, &added);

	if (added)
		t->nodes[t->count++] = (struct tree_node){
			.parent = parent, .depth = t->nodes[parent].depth + 1, .name = name
		};
	return node;
}

static void
lay(struct merge *m, const struct tree *from, size_t first_name, bool is_base)
{
	uint32_t *place = xcalloc(from->count, sizeof(*place));

	for (size_t i = 0; i < from->count; i++) {
		const struct tree_node *n = &from->nodes[i];
		struct tree_node *to;

		if (i > 0)
			place[i] = node_below(m, place[n->parent], m->same[first_name + n->name]);
		to = &m->tree->nodes[place[i]];
		*(is_base ? &to->base_self : &to->self) += n->self;
		to->folded |= n->folded;
		m->marks[place[i]] |= is_base ? IN_BASE : IN_NEW;
		if (n->folded)
			m->marks[place[i]] |= is_base ? FOLDED_IN_BASE : FOLDED_IN_NEW;
	}
	free(place);
}

/* --- calls that one of the trees may omit --- */

static bool
has_folded(const struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].folded)
			return true;
	return false;
}

/* The weight of the lightest node; 0 if the tree omits nothing. */
static wide_int
lightest(const struct tree *t)
{
	wide_int least = t->nodes[0].weight;

	if (!has_folded(t))
		return 0;
	for (size_t i = 1; i < t->count; i++)
		least = t->nodes[i].weight < least ? t->nodes[i].weight : least;
	return least;
}

/* Marks a node that only one tree has. Its parent has been marked. */
static void
judge(struct merge *m, size_t i, wide_int least_new, wide_int least_base)
{
	const struct tree_node *n = &m->tree->nodes[i];
	const bool missing_in_base = !(m->marks[i] & IN_BASE);
	const uint8_t above = m->marks[n->parent];
	const wide_int least = missing_in_base ? least_base : least_new;
	const uint8_t present = missing_in_base ? IN_BASE : IN_NEW;
	const uint8_t folded = missing_in_base ? FOLDED_IN_BASE : FOLDED_IN_NEW;
	const bool may_omit = above & ((above & present) ? folded : UNSURE);

	if (!may_omit)
		return;
	m->marks[i] |= UNSURE;
	if ((above & GONE) || n->weight < least * sure_factor)
		m->marks[i] |= GONE;
}

/* Removes the nodes with the mark GONE. Their values become part of their parents. */
static void
remove_gone(struct merge *m)
{
	struct tree *t = m->tree;
	uint32_t *place = xcalloc(t->count, sizeof(*place));
	size_t count = 1;

	for (size_t i = 1; i < t->count; i++) {
		struct tree_node n = t->nodes[i];
		struct tree_node *parent = &t->nodes[place[n.parent]];

		if (m->marks[i] & GONE) {
			place[i] = place[n.parent];
			parent->self += n.self;
			parent->base_self += n.base_self;
			parent->folded = true;
			continue;
		}
		n.parent = place[n.parent];
		place[i] = (uint32_t)count;
		t->nodes[count++] = n;
	}
	t->count = count;
	free(place);
}

/* A tree that omits calls may lack a call that the other one has. If the call is light, folds it into its parent,
 * because nobody knows whether it is new, grown or shrunk. A heavy call stays: its value in the other tree is at
 * most that of the lightest node there. */
static void
fold_unsure(struct merge *m, const struct tree *t, const struct tree *base)
{
	const wide_int least_new = lightest(t);
	const wide_int least_base = lightest(base);

	m->tree->more = t->more || base->more || least_new || least_base;
	if (!least_new && !least_base)
		return;
	tree_sum(m->tree);
	for (size_t i = 1; i < m->tree->count; i++)
		if ((m->marks[i] & (IN_NEW | IN_BASE)) != (IN_NEW | IN_BASE))
			judge(m, i, least_new, least_base);
	remove_gone(m);
}

struct tree *
tree_compare(struct arena *a, const struct tree *t, const struct tree *base)
{
	struct tree *both = tree_new_like(a, t, t->count + base->count);
	struct merge m = { .tree = both, .marks = xcalloc(t->count + base->count, 1) };

	both->base = base->set;
	both->all_nodes = 0;
	join_names(a, both, base);
	m.same = tree_same_names(a, both);
	lay(&m, t, 0, false);
	lay(&m, base, t->name_count, true);
	pair_map_release(&m.nodes);
	fold_unsure(&m, t, base);
	free(m.marks);
	both->all_nodes = both->count;
	tree_weigh(both);
	return trees_in_preorder(a, both);
}

double
tree_scale(struct tree *t, const struct tree *like)
{
	static const wide_int step = INT64_C(1000000000000); /* 10^-6 */
	long double factor;
	size_t largest = 0;

	if (t->nodes[0].total <= 0 || like->nodes[0].total <= 0)
		return 0;
	factor = (long double)like->nodes[0].total / (long double)t->nodes[0].total;
	for (size_t i = 0; i < t->count; i++) {
		long double v = (long double)t->nodes[i].self * factor / (long double)step;

		t->nodes[i].self = (wide_int)(v < 0 ? v - 0.5L : v + 0.5L) * step;
		if (t->nodes[i].self > t->nodes[largest].self)
			largest = i;
	}
	tree_sum(t);
	/* Corrects the rounding error, so that the totals are equal. */
	t->nodes[largest].self += like->nodes[0].total - t->nodes[0].total;
	tree_sum(t);
	return (double)factor;
}
