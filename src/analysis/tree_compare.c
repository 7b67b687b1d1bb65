/* Compares call trees and scales them to equal totals. */
#include "trees_private.h"

#include "base/pair_map.h"

#include <stdlib.h>
#include <string.h>

struct merge {
	struct tree *tree;
	struct pair_map nodes; /* maps (parent, name) to a node */
	const uint32_t *same;
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
	}
	free(place);
}

struct tree *
tree_compare(struct arena *a, const struct tree *t, const struct tree *base)
{
	struct tree *both = tree_new_like(a, t, t->count + base->count);
	struct merge m = { .tree = both };

	both->base = base->set;
	both->all_nodes = 0;
	join_names(a, both, base);
	m.same = tree_same_names(a, both);
	lay(&m, t, 0, false);
	lay(&m, base, t->name_count, true);
	pair_map_release(&m.nodes);
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
