/* Finds the hottest frames in a call tree. */
#include "trees_private.h"

#include <stdlib.h>

struct count {
	const struct tree *tree;
	const uint32_t *same;
	struct tree_frame *frames; /* indexed by the number of the name */
	uint32_t *above;           /* for each name: how often it occurs above the current node */
	uint32_t *path;            /* names on the path from the root to the current node */
	bool *seen;
};

static void
add(struct count *c, const struct tree_node *n, uint32_t name)
{
	struct tree_frame *f = &c->frames[name];

	c->seen[name] = true;
	f->self += n->self;
	f->base_self += n->base_self;
	if (c->above[name]++ > 0)
		return;
	f->total += n->total;
	f->base_total += n->base_total;
}

static void
walk(struct count *c)
{
	size_t depth = 0; /* depth of the previous node, where `path` ends */

	for (size_t i = 1; i < c->tree->count; i++) {
		const struct tree_node *n = &c->tree->nodes[i];

		for (; depth >= n->depth; depth--)
			c->above[c->path[depth]]--;
		depth = n->depth;
		c->path[depth] = c->same[n->name];
		add(c, n, c->path[depth]);
	}
}

struct ranked {
	struct tree_frame frame;
	const struct table_frame *name;
};

static int
compare(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;
	wide_int v = trees_larger(x->frame.self, x->frame.base_self);
	wide_int w = trees_larger(y->frame.self, y->frame.base_self);

	if (v == w) {
		v = trees_larger(x->frame.total, x->frame.base_total);
		w = trees_larger(y->frame.total, y->frame.base_total);
	}
	if (v != w)
		return v > w ? -1 : 1;
	return trees_compare_names(x->name, y->name);
}

/* The frames that occur in the tree, sorted. */
static struct tree_frame *
rank(struct arena *a, const struct count *c, size_t *count)
{
	struct ranked *ranked = xmalloc((c->tree->name_count + 1) * sizeof(*ranked));
	struct tree_frame *out;
	size_t n = 0;

	for (uint32_t i = 0; i < c->tree->name_count; i++) {
		if (!c->seen[i])
			continue;
		ranked[n] = (struct ranked){ c->frames[i], &c->tree->names[i] };
		ranked[n++].frame.name = i;
	}
	if (n > 1)
		qsort(ranked, n, sizeof(*ranked), compare);
	out = arena_alloc_array(a, n, sizeof(*out));
	for (size_t i = 0; i < n; i++)
		out[i] = ranked[i].frame;
	*count = n;
	free(ranked);
	return out;
}

struct tree_frame *
tree_frames(struct arena *a, const struct tree *t, size_t *count)
{
	struct count c = { .tree = t, .same = tree_same_names(a, t) };
	struct tree_frame *out;
	size_t deepest = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].depth > deepest)
			deepest = t->nodes[i].depth;
	c.frames = xcalloc(t->name_count + 1, sizeof(*c.frames));
	c.above = xcalloc(t->name_count + 1, sizeof(*c.above));
	c.seen = xcalloc(t->name_count + 1, sizeof(*c.seen));
	c.path = xcalloc(deepest + 1, sizeof(*c.path));
	walk(&c);
	out = rank(a, &c, count);
	free(c.path);
	free(c.seen);
	free(c.above);
	free(c.frames);
	return out;
}
