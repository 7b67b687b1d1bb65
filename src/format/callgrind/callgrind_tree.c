/*
 * callgrind records a call graph, not stacks. The call tree is estimated in the same way as in
 * viewers: if a node has a tenth of its routine's total cost, each child gets a tenth of the cost
 * of all calls from that routine to the child's routine. A routine's own cost is divided
 * among its nodes in proportion to their total costs. The nodes' own costs add up to exactly the
 * routine's own cost.
 *
 * The heaviest nodes are expanded first, until the tree has CALLGRIND_MAX_NODES nodes. A call to a
 * routine that is already on the stack is not followed. A routine without a node becomes a root.
 */
#include "callgrind_private.h"

#include <stdlib.h>

enum {
	NO_NODE = -1
};

struct edge {
	uint32_t caller, callee;
	size_t row;
};

struct node {
	int32_t parent;
	uint32_t routine, depth;
	double weight; /* sum of its shares of all events; heavier nodes are expanded first */
};

struct tree {
	struct callgrind *c;
	size_t events;
	double *totals;     /* own costs and costs of calls, for each routine and event */
	uint64_t *own;      /* own costs, for each routine and event */
	struct edge *edges; /* ordered by caller */
	size_t edge_count;
	size_t *first_edge; /* index for each routine; the last item is edge_count */
	double *grand;      /* grand total for each event */

	struct node *nodes;
	double *shares; /* shares of the costs, for each node and event */
	size_t count;
	int32_t *heap;
	size_t heap_count;
	bool *reached;
};

/* --- the graph ----------------------------------------------------------------------- */

static int
compare_edges(const void *a, const void *b)
{
	const struct edge *x = a;
	const struct edge *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void
add_row(struct tree *t, const struct callgrind_row *row)
{
	const uint64_t *costs = t->c->cells + row->costs;
	double *totals = t->totals + row->routine * t->events;

	for (size_t e = 0; e < t->events; e++) {
		totals[e] += (double)costs[e];
		if (row->kind == KIND_SELF) {
			t->own[row->routine * t->events + e] += costs[e];
			t->grand[e] += (double)costs[e];
		}
	}
}

static void
make_graph(struct tree *t)
{
	struct callgrind *c = t->c;

	for (size_t i = 0; i < c->row_count; i++) {
		const struct callgrind_row *row = &c->rows[i];

		if (row->kind > KIND_CALL)
			continue;
		add_row(t, row);
		if (row->kind != KIND_CALL)
			continue;
		c->routines[row->target].called = true;
		t->edges[t->edge_count++] = (struct edge){ row->routine, row->target, i };
	}
	if (t->edge_count)
		qsort(t->edges, t->edge_count, sizeof(*t->edges), compare_edges);
	for (size_t i = 0, r = 0; r <= c->routine_count; r++) {
		while (i < t->edge_count && t->edges[i].caller < r)
			i++;
		t->first_edge[r] = i;
	}
}

/* --- the heap, heaviest first ---------------------------------------------------------- */

static bool
is_heavier(const struct tree *t, int32_t a, int32_t b)
{
	const struct node *x = &t->nodes[a];
	const struct node *y = &t->nodes[b];

	return x->weight > y->weight || (!(x->weight < y->weight) && a < b);
}

static void
push(struct tree *t, int32_t node)
{
	size_t at = t->heap_count++;

	while (at && is_heavier(t, node, t->heap[(at - 1) / 2])) {
		t->heap[at] = t->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	t->heap[at] = node;
}

static int32_t
pop(struct tree *t)
{
	int32_t top = t->heap[0];
	int32_t last = t->heap[--t->heap_count];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= t->heap_count)
			break;
		if (child + 1 < t->heap_count && is_heavier(t, t->heap[child + 1], t->heap[child]))
			child++;
		if (!is_heavier(t, t->heap[child], last))
			break;
		t->heap[at] = t->heap[child];
		at = child;
	}
	t->heap[at] = last;
	return top;
}

/* --- nodes --------------------------------------------------------------------------- */

static bool
is_on_stack(const struct tree *t, int32_t node, uint32_t routine)
{
	for (; node != NO_NODE; node = t->nodes[node].parent)
		if (t->nodes[node].routine == routine)
			return true;
	return false;
}

/* Adds a node with these shares, unless all of them are 0. */
static void
add_node(struct tree *t, int32_t parent, uint32_t routine, const double *shares)
{
	struct node *n = &t->nodes[t->count];
	double weight = 0;

	for (size_t e = 0; e < t->events; e++)
		weight += t->grand[e] > 0 ? shares[e] / t->grand[e] : 0;
	if (!(weight > 0))
		return;
	*n = (struct node){ parent, routine, parent == NO_NODE ? 1 : t->nodes[parent].depth + 1,
		weight };
	memcpy(t->shares + t->count * t->events, shares, t->events * sizeof(*shares));
	t->reached[routine] = true;
	push(t, (int32_t)t->count++);
}

/* Sums the costs of `edge` and of the following edges with the same caller and callee. There is one
 * such edge for each line with calls. Returns the next edge. */
static size_t
sum_calls(const struct tree *t, size_t edge, double *sums)
{
	const struct edge *first = &t->edges[edge];

	for (size_t e = 0; e < t->events; e++)
		sums[e] = 0;
	for (; edge < t->edge_count && t->edges[edge].caller == first->caller &&
		t->edges[edge].callee == first->callee;
		edge++) {
		const uint64_t *costs = t->c->cells + t->c->rows[t->edges[edge].row].costs;

		for (size_t e = 0; e < t->events; e++)
			sums[e] += (double)costs[e];
	}
	return edge;
}

static void
expand(struct tree *t, int32_t node)
{
	double child[CALLGRIND_MAX_METRICS];
	uint32_t routine = t->nodes[node].routine;
	size_t edge = t->first_edge[routine];

	if (t->nodes[node].depth == CALLGRIND_MAX_DEPTH)
		return;
	while (edge < t->first_edge[routine + 1] && t->count < CALLGRIND_MAX_NODES) {
		uint32_t callee = t->edges[edge].callee;

		edge = sum_calls(t, edge, child);
		if (is_on_stack(t, node, callee))
			continue;
		for (size_t e = 0; e < t->events; e++) {
			double total = t->totals[routine * t->events + e];

			child[e] = total > 0 ? t->shares[(size_t)node * t->events + e] * child[e] /
						       total
					     : 0;
		}
		add_node(t, node, callee, child);
	}
}

/* The heaviest routine without a node; routine_count if every routine has one. */
static uint32_t
find_unreached(const struct tree *t)
{
	uint32_t best = (uint32_t)t->c->routine_count;

	for (uint32_t r = 0; r < t->c->routine_count; r++)
		if (!t->reached[r] && t->totals[r * t->events] > 0 &&
			(best == t->c->routine_count ||
				t->totals[r * t->events] > t->totals[best * t->events]))
			best = r;
	return best;
}

static void
grow(struct tree *t)
{
	enum {
		MAX_CYCLES = 1000 /* limited, because each cycle searches all routines */
	};

	for (uint32_t r = 0; r < t->c->routine_count && t->count < CALLGRIND_MAX_NODES; r++)
		if (!t->c->routines[r].called)
			add_node(t, NO_NODE, r, t->totals + r * t->events);
	for (int cycles = 0;; cycles++) {
		uint32_t root;

		while (t->heap_count && t->count < CALLGRIND_MAX_NODES)
			expand(t, pop(t));
		root = cycles < MAX_CYCLES ? find_unreached(t) : (uint32_t)t->c->routine_count;
		if (root == t->c->routine_count || t->count == CALLGRIND_MAX_NODES)
			break;
		add_node(t, NO_NODE, root, t->totals + root * t->events);
	}
}

/* --- own costs ------------------------------------------------------------------------- */

/* The progress of distributing each routine's own costs over its nodes. */
struct dealing {
	double *sums;   /* per routine: sums of the shares of its nodes */
	double *passed; /* per routine: shares of the nodes that have received their part */
	uint64_t *given;
	uint32_t *left; /* per routine: number of nodes that have not received their part */
};

static uint64_t
deal(struct tree *t, struct dealing *d, size_t cell, double share, bool last)
{
	uint64_t own = t->own[cell];
	uint64_t upto = own;
	uint64_t had = d->given[cell];

	d->passed[cell] += share;
	if (!last && d->sums[cell] > 0) {
		double part = (double)own * (d->passed[cell] / d->sums[cell]) + 0.5;

		upto = part >= (double)own ? own : (uint64_t)part;
	} else if (!last) {
		upto = 0;
	}
	if (upto < had)
		upto = had;
	d->given[cell] = upto;
	return upto - had;
}

static bool
add_sample(struct tree *t, int32_t node, uint32_t routine, const uint64_t *costs)
{
	struct callgrind *c = t->c;
	struct decimal values[CALLGRIND_MAX_METRICS];
	char text[CALLGRIND_MAX_METRICS * CALLGRIND_VALUE_BYTES];
	int64_t ids[CALLGRIND_MAX_DEPTH];
	struct stack_row stack = { .routine_ids = ids };
	struct sample_row row = { .track = 1,
		.metric = 1,
		.values = values,
		.value_count = c->event_count + c->derived_count };
	bool any = false;

	for (size_t e = 0; e < t->events; e++)
		any = any || costs[e];
	if (!any)
		return true;
	if (node == NO_NODE)
		ids[stack.count++] = routine;
	for (; node != NO_NODE; node = t->nodes[node].parent)
		ids[stack.count++] = t->nodes[node].routine;
	return callgrind_values(c, costs, values, text) && emit_stack(c->in, &stack, &row.stack) &&
	       emit_sample(c->in, &row);
}

static bool
deal_out(struct tree *t, struct dealing *d)
{
	uint64_t costs[CALLGRIND_MAX_METRICS];

	for (size_t n = 0; n < t->count; n++) {
		d->left[t->nodes[n].routine]++;
		for (size_t e = 0; e < t->events; e++)
			d->sums[t->nodes[n].routine * t->events + e] +=
				t->shares[n * t->events + e];
	}
	for (size_t n = 0; n < t->count; n++) {
		uint32_t routine = t->nodes[n].routine;
		bool last = --d->left[routine] == 0;

		for (size_t e = 0; e < t->events; e++)
			costs[e] = deal(
				t, d, routine * t->events + e, t->shares[n * t->events + e], last);
		if (!add_sample(t, (int32_t)n, routine, costs))
			return false;
	}
	for (uint32_t r = 0; r < t->c->routine_count; r++)
		if (!t->reached[r] && !add_sample(t, NO_NODE, r, t->own + r * t->events))
			return false;
	return true;
}

bool
callgrind_add_samples(struct callgrind *c)
{
	size_t cells = c->routine_count * c->event_count + 1;
	struct arena *a = &c->arena;
	struct tree t = { .c = c, .events = c->event_count };
	struct dealing d;

	t.totals = arena_alloc_array(a, cells, sizeof(*t.totals));
	t.own = arena_alloc_array(a, cells, sizeof(*t.own));
	t.edges = arena_alloc_array(a, c->row_count, sizeof(*t.edges));
	t.first_edge = arena_alloc_array(a, c->routine_count + 2, sizeof(*t.first_edge));
	t.grand = arena_alloc_array(a, c->event_count, sizeof(*t.grand));
	t.nodes = arena_alloc_array(a, CALLGRIND_MAX_NODES, sizeof(*t.nodes));
	t.shares = arena_alloc_array(
		a, (size_t)CALLGRIND_MAX_NODES * c->event_count, sizeof(*t.shares));
	t.heap = arena_alloc_array(a, CALLGRIND_MAX_NODES, sizeof(*t.heap));
	t.reached = arena_alloc_array(a, c->routine_count + 1, sizeof(*t.reached));
	d.sums = arena_alloc_array(a, cells, sizeof(*d.sums));
	d.passed = arena_alloc_array(a, cells, sizeof(*d.passed));
	d.given = arena_alloc_array(a, cells, sizeof(*d.given));
	d.left = arena_alloc_array(a, c->routine_count + 1, sizeof(*d.left));
	make_graph(&t);
	grow(&t);
	return deal_out(&t, &d);
}
