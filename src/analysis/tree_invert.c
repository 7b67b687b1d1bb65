/*
 * Makes bottom-up call trees. Each node in the result has a run: a range of cursors. Each cursor points to a frame in
 * the source and carries the value of this frame or of a frame below it. The callers of a node are added in
 * this way: each cursor in the node's run moves to the caller of its frame. Then the cursors are sorted by name. Each
 * name becomes a child, and the cursors with this name become the child's run. Paths are never stored, so long stacks
 * need no additional memory.
 */
#include "tree_invert_private.h"

#include "base/array.h"

#include <stdlib.h>

/* The maximum total number of cursor steps. Recursion of 100,000 levels, each with a self value,
 * would need 5e9 steps. */
static const uint64_t max_steps = 256UL * 1024 * 1024;

/* --- the source ------------------------------------------------------------------------------ */

/* Moves the cursor to the caller of its frame. Returns false if there is no caller. */
static inline bool
go_up(const struct inversion *v, struct cursor *c)
{
	if (v->stacks) {
		c->name = v->stacks->frames[++c->frame];
		return c->name != STACKS_END;
	}
	c->frame = v->from->nodes[c->frame].parent;
	if (c->frame == 0)
		return false;
	c->name = v->same[v->from->nodes[c->frame].name];
	return true;
}

static inline wide_int
self_of(const struct inversion *v, uint32_t leaf)
{
	return v->stacks ? v->stacks->items[leaf].value : v->from->nodes[leaf].self;
}

static inline wide_int
base_self_of(const struct inversion *v, uint32_t leaf)
{
	return v->stacks ? 0 : v->from->nodes[leaf].base_self;
}

/* --- the heap -------------------------------------------------------------------------------- */

static bool
is_heavier(const struct run *a, const struct run *b)
{
	return a->weight != b->weight ? a->weight > b->weight : a->node < b->node;
}

static void
heap_push(struct inversion *v, struct run r)
{
	size_t i = v->heap_count++;

	ARRAY_RESERVE(v->heap, v->heap_capacity, v->heap_count);
	for (; i > 0 && is_heavier(&r, &v->heap[(i - 1) / 2]); i = (i - 1) / 2)
		v->heap[i] = v->heap[(i - 1) / 2];
	v->heap[i] = r;
}

static struct run
heap_pop(struct inversion *v)
{
	struct run top = v->heap[0];
	struct run last = v->heap[--v->heap_count];
	size_t i = 0;

	for (size_t child = 1; child < v->heap_count; child = 2 * i + 1) {
		if (child + 1 < v->heap_count && is_heavier(&v->heap[child + 1], &v->heap[child]))
			child++;
		if (!is_heavier(&v->heap[child], &last))
			break;
		v->heap[i] = v->heap[child];
		i = child;
	}
	v->heap[i] = last;
	return top;
}

static int
compare_cursors(const void *a, const void *b)
{
	const struct cursor *x = a;
	const struct cursor *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

static wide_int
leaf_weight(const struct inversion *v, uint32_t leaf)
{
	return trees_larger(self_of(v, leaf), base_self_of(v, leaf));
}

/* Adds a cursor's value to a node. */
static void
give(const struct inversion *v, struct tree_node *n, const struct cursor *c)
{
	n->self += self_of(v, c->leaf);
	n->base_self += base_self_of(v, c->leaf);
}

/* --- nodes ----------------------------------------------------------------------------------- */

void
inversion_begin(struct inversion *v, struct tree *work, size_t max_nodes)
{
	v->max_nodes = max_nodes && max_nodes < TREE_MAX_NODES ? max_nodes : TREE_MAX_NODES;
	*work = *v->from;
	work->nodes = NULL;
	work->count = 0;
	work->inverted = !v->from->inverted;
	v->to = work;
	inversion_make_room(v, 1);
	work->nodes[work->count++] = (struct tree_node){ .self = v->from->nodes[0].self,
		.base_self = v->from->nodes[0].base_self };
}

void
inversion_make_room(struct inversion *v, size_t count)
{
	if (v->to->count + count > v->max_nodes)
		count = v->max_nodes - v->to->count;
	ARRAY_RESERVE(v->to->nodes, v->capacity, v->to->count + count);
}

void
inversion_add(struct inversion *v, uint32_t parent, uint32_t name, struct run r)
{
	struct tree *t = v->to;

	t->nodes[t->count] = (struct tree_node){
		.parent = parent, .depth = t->nodes[parent].depth + 1, .name = name, .folded = true
	};
	r.node = (uint32_t)t->count++;
	heap_push(v, r);
}

/* Adds a child to `parent` for each name in the parent's cursors, which are sorted by name. No cursor points to the
 * root. */
static void
branch(struct inversion *v, uint32_t parent, size_t first, size_t end)
{
	while (first < end && v->to->count < v->max_nodes) {
		struct run r = { first, first, 0, 0 };

		while (r.end < end && v->cursors[r.end].name == v->cursors[first].name)
			r.weight += leaf_weight(v, v->cursors[r.end++].leaf);
		inversion_add(v, parent, v->cursors[first].name, r);
		first = r.end;
	}
	/* The tree has reached its maximum size, so the remaining cursors end at the parent. */
	for (; first < end; first++) {
		give(v, &v->to->nodes[parent], &v->cursors[first]);
		v->to->nodes[parent].folded = true;
	}
}

/* Moves the cursors of the run to the callers of their frames. If a frame has no caller, removes its cursor
 * and adds the cursor's value to the run's node. Returns the new end of the run. */
static size_t
climb(struct inversion *v, const struct run *r)
{
	struct tree_node *n = &v->to->nodes[r->node];
	size_t kept = r->first;

	n->folded = false;
	for (size_t i = r->first; i < r->end; i++) {
		struct cursor c = v->cursors[i];

		if (go_up(v, &c))
			v->cursors[kept++] = c;
		else
			give(v, n, &c);
	}
	v->steps += r->end - r->first;
	return kept;
}

bool
inversion_goes_on(const struct inversion *v, double least)
{
	return v->heap_count && v->to->count < v->max_nodes && v->steps < max_steps &&
	       (double)v->heap[0].weight >= least;
}

void
inversion_step(struct inversion *v)
{
	struct run r = heap_pop(v);
	size_t end = climb(v, &r);

	if (end - r.first > 1)
		qsort(v->cursors + r.first, end - r.first, sizeof(*v->cursors), compare_cursors);
	inversion_make_room(v, end - r.first);
	branch(v, r.node, r.first, end);
}

/* Adds the values of the cursors in all remaining runs to the nodes of these runs. */
static void
fold_rest(struct inversion *v)
{
	for (size_t i = 0; i < v->heap_count; i++) {
		const struct run *r = &v->heap[i];
		struct tree_node *n = &v->to->nodes[r->node];

		/* Mark the node as folded only if some of its callers are left out. */
		n->folded = false;
		for (size_t k = r->first; k < r->end; k++) {
			struct cursor c = v->cursors[k];

			give(v, n, &c);
			n->folded = n->folded || go_up(v, &c);
		}
	}
}

struct tree *
inversion_end(struct inversion *v, struct arena *a)
{
	struct tree *done;

	fold_rest(v);
	tree_weigh(v->to);
	done = trees_in_preorder(a, v->to);
	done->all_nodes = done->count;
	for (size_t i = 0; i < done->count; i++)
		done->more |= done->nodes[i].folded;
	free(v->heap);
	free(v->cursors);
	free(v->to->nodes);
	return done;
}

/* --- trees ----------------------------------------------------------------------------------- */

static size_t
place_cursors(struct inversion *v)
{
	size_t count = 0;

	v->cursors = xmalloc(v->from->count * sizeof(*v->cursors));
	for (size_t i = 1; i < v->from->count; i++) {
		const struct tree_node *n = &v->from->nodes[i];

		if (n->self != 0 || n->base_self != 0)
			v->cursors[count++] =
				(struct cursor){ v->same[n->name], (uint32_t)i, (uint32_t)i };
	}
	if (count > 1)
		qsort(v->cursors, count, sizeof(*v->cursors), compare_cursors);
	return count;
}

/* Returns the minimum weight of a node whose callers must be added. For negative values and comparisons it is 0,
 * because the callers can then make a node heavier. */
static double
least_weight(const struct tree *t, double percent)
{
	if (percent <= 0 || tree_is_compared(t))
		return 0;
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].self < 0)
			return 0;
	return percent / 100 * (double)t->nodes[0].weight;
}

struct tree *
tree_invert(struct arena *a, const struct tree *t, size_t max_nodes, double percent)
{
	struct inversion v = { .from = t, .same = tree_same_names(a, t) };
	struct tree work;
	double least = least_weight(t, percent);
	size_t count;

	inversion_begin(&v, &work, max_nodes);
	count = place_cursors(&v);
	inversion_make_room(&v, count);
	branch(&v, 0, 0, count);
	while (inversion_goes_on(&v, least))
		inversion_step(&v);
	return inversion_end(&v, a);
}
