/* Sorts a tree into preorder. In the given tree, parents already precede their children. */
#include "trees_private.h"

#include "model/call_tree.h"

#include <stdlib.h>

struct child {
	uint32_t parent, node;
	wide_int weight;
	const struct table_frame *name;
};

int
trees_compare_names(const struct table_frame *x, const struct table_frame *y)
{
	int c = text_compare(x->module_name, y->module_name);

	if (!c)
		c = text_compare(x->class_name, y->class_name);
	return c ? c : text_compare(x->routine_name, y->routine_name);
}

static int
compare_children(const void *a, const void *b)
{
	const struct child *x = a;
	const struct child *y = b;
	int c;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	c = trees_compare_names(x->name, y->name);
	return c ? c : (x->node > y->node) - (x->node < y->node);
}

/* Returns all nodes except the root, grouped by parent and sorted within each group. */
static struct child *
sort_children(const struct tree *t)
{
	struct child *children = xmalloc(t->count * sizeof(*children));

	for (size_t i = 1; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];

		children[i - 1] =
			(struct child){ n->parent, (uint32_t)i, n->weight, &t->names[n->name] };
	}
	if (t->count > 2)
		qsort(children, t->count - 1, sizeof(*children), compare_children);
	return children;
}

struct walk {
	const struct tree *from;
	struct tree *to;
	const struct child *children;
	/* for each node: index of its first child in `children`; first[count] is the size of
	 * `children` */
	uint32_t *first;
	uint32_t *stack; /* indices in children; siblings in reverse order */
	size_t depth;
	uint32_t *place; /* for each node: its index in `to` */
};

static void
push_children(struct walk *w, uint32_t node)
{
	for (uint32_t i = w->first[node + 1]; i-- > w->first[node];)
		w->stack[w->depth++] = i;
}

static void
walk(struct walk *w)
{
	push_children(w, 0);
	while (w->depth) {
		const struct child *c = &w->children[w->stack[--w->depth]];
		struct tree_node *n = &w->to->nodes[w->to->count];
		uint32_t parent = w->place[c->parent];

		*n = w->from->nodes[c->node];
		n->parent = parent;
		n->depth = w->to->nodes[parent].depth + 1;
		w->place[c->node] = (uint32_t)w->to->count++;
		push_children(w, c->node);
	}
}

struct tree *
trees_in_preorder(struct arena *a, const struct tree *t)
{
	struct tree *out = tree_new_like(a, t, t->count);
	struct child *children = sort_children(t);
	struct walk w = { t, out, children, NULL, NULL, 0, NULL };

	w.first = xcalloc(t->count + 1, sizeof(*w.first));
	w.stack = xmalloc(t->count * sizeof(*w.stack));
	w.place = xcalloc(t->count, sizeof(*w.place));
	for (size_t i = 1; i < t->count; i++)
		w.first[t->nodes[i].parent + 1]++;
	for (size_t i = 1; i <= t->count; i++)
		w.first[i] += w.first[i - 1];
	out->nodes[0] = t->nodes[0];
	walk(&w);
	free(w.place);
	free(w.stack);
	free(w.first);
	free(children);
	tree_sum(out);
	return out;
}

struct tree *
tree_from_calls(struct arena *a, const struct tree *like, struct call_tree *calls)
{
	size_t count;
	struct call_node *nodes = call_tree_nodes(calls, 0, 0, &count);
	struct tree *t = tree_new_like(a, like, count + 1);

	t->count = t->all_nodes = count ? count : 1;
	for (size_t i = 0; i < count; i++)
		t->nodes[i] = (struct tree_node){ .parent = nodes[i].parent,
			.depth = nodes[i].depth,
			.name = i ? (uint32_t)nodes[i].routine : 0,
			.folded = nodes[i].folded,
			.self = nodes[i].self };
	free(nodes);
	tree_sum(t);
	return trees_in_preorder(a, t);
}
