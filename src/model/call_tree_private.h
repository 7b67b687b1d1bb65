/*
 * The inside of a call tree: building (call_tree.c), answers by node (call_tree_answer.c) and by
 * routine (call_tree_routines.c).
 */
#ifndef PROFDEPOT_SRC_MODEL_CALL_TREE_PRIVATE_H
#define PROFDEPOT_SRC_MODEL_CALL_TREE_PRIVATE_H

#include "model/call_tree.h"

/* Sums by node; NULL until something is added. Nodes from `room` on have 0. */
struct call_sums {
	wide_int *values;
	size_t room;
};

/*
 * A metric's sums at every node. A node's total is `all` plus its calls: what was added to it by
 * total or, if that is 0, its children's calls.
 */
struct sums {
	const struct call_sums *selfs, *totals; /* NULL if there are no sums */
	/* added by self to the node and everything below it; NULL if nothing was added */
	wide_int *all;
	wide_int *below; /* calls of the children; NULL if nothing was added by total */
	/* The largest absolute total of the node and everything below it. NULL if totals fall
	 * towards the leaves, which they do unless weights are negative or calls overlap: then the
	 * node's own total is the largest. */
	wide_bits *widths;
};

struct call_tree {
	/* By node. Routines are in `routines` until one exceeds 32 bits. */
	uint32_t *parents;
	int32_t *routines;
	int64_t *wide_routines; /* NULL unless one exceeds 32 bits */
	size_t count, room;

	/* Open addressing over (parent, routine): eight bits of the hash above 24 bits of the node;
	 * 0 is free, since no look-up ends at the root. NULL after an answer, until the next node
	 * is added. */
	uint32_t *slots;
	size_t slot_count;    /* power of two */
	unsigned place_shift; /* 64 minus its logarithm */
	uint64_t seed;

	struct sums sums; /* of sums_metric, for both kinds of answers */
	size_t sums_metric;

	/* By node, valid from the first answer by routine to the next node: the row of its routine,
	 * shifted by one; the lowest bit is set below another call of the same routine. */
	uint32_t *places;
	size_t place_count; /* rows */

	uint8_t *folded; /* by node; NULL until MAX_NODES is reached */
	struct call_sums selfs[CALL_TREE_MAX_METRICS];
	struct call_sums totals[CALL_TREE_MAX_METRICS];
};

static inline int64_t
call_routine_at(const struct call_tree *t, size_t node)
{
	return t->wide_routines ? t->wide_routines[node] : t->routines[node];
}

static inline wide_int
call_sum_at(const struct call_sums *s, size_t node)
{
	return node < s->room ? s->values[node] : 0;
}

static inline wide_bits
call_magnitude(wide_int v)
{
	return v < 0 ? 0 - (wide_bits)v : (wide_bits)v;
}

/* The total of a node's calls: as added, or the sum of the calls below. */
static inline wide_int
call_calls_at(const struct sums *s, size_t node)
{
	wide_int added;

	if (!s->below)
		return 0;
	added = call_sum_at(s->totals, node);
	return added != 0 ? added : s->below[node];
}

static inline wide_int
call_total_at(const struct sums *s, size_t node)
{
	return fixed_add(s->all ? s->all[node] : 0, call_calls_at(s, node));
}

static inline wide_int
call_self_at(const struct sums *s, size_t node)
{
	wide_int below = s->below ? s->below[node] : 0;

	return fixed_add(
		call_sum_at(s->selfs, node), fixed_subtract(call_calls_at(s, node), below));
}

static inline wide_bits
call_width_at(const struct sums *s, size_t node)
{
	return s->widths ? s->widths[node] : call_magnitude(call_total_at(s, node));
}

void call_tree_drop_sums(struct call_tree *t);
/* NULL if nothing was summed. */
const struct sums *call_tree_sums(struct call_tree *t, size_t metric);

/* call_tree_routines.c */
void call_tree_drop_places(struct call_tree *t);

#endif
