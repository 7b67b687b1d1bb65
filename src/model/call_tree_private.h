/*
 * The data of a call tree. call_tree.c builds it; call_tree_answer.c computes its nodes, and
 * call_tree_routines.c the totals of its routines.
 *
 * Most nodes have one child, which was added directly after them. A chain is a sequence of nodes
 * with consecutive numbers, each of which is the child of the previous one. Only chains are in the
 * hash table, so a node of a long stack takes little more than the number of its routine.
 */
#ifndef PROFDEPOT_SRC_MODEL_CALL_TREE_PRIVATE_H
#define PROFDEPOT_SRC_MODEL_CALL_TREE_PRIVATE_H

#include "model/call_tree.h"
#include "ranked_bits.h"

struct call_chain {
	uint32_t parent, first; /* nodes */
};

/* Sums by node; NULL before the first value. Nodes from `room` on have the sum 0. */
struct call_sums {
	wide_int *values;
	size_t room;
};

/*
 * The sums of a metric at every node. The total of a node is `all` plus the value of its calls.
 * This value is the total that was added to the node or, if that is 0, the sum of its children's
 * values.
 */
struct sums {
	const struct call_sums *selfs, *totals; /* NULL if there are no sums */
	/* sum of the self values of the node and of all nodes below it; NULL if there are none */
	wide_int *all;
	wide_int *below; /* value of the children's calls; NULL if no total was added */
	/* The largest absolute total of the node and of all nodes below it. NULL if no total is
	 * larger than its parent's. Only negative weights and overlapping calls make a total
	 * larger than its parent's. */
	wide_bits *widths;
};

struct call_tree {
	/* By node. `routines` is used until a routine exceeds 32 bits. */
	int32_t *routines;
	int64_t *wide_routines; /* NULL unless a routine exceeds 32 bits */
	size_t count, room;

	struct call_chain *chains; /* the first one begins with the root */
	size_t chain_count, chain_room;
	struct ranked_bits begins; /* whether a node begins a chain */

	/* Hash table with open addressing; the key is the parent and the routine of a chain's first
	 * node. A slot has 8 bits of hash and 24 bits of chain. 0 is a free slot, because the root
	 * is never looked up. NULL after an answer, until the next node is added. */
	uint32_t *slots;
	size_t slot_count;    /* power of two */
	unsigned place_shift; /* 64 minus the binary logarithm of slot_count */
	uint64_t seed;

	struct sums sums; /* sums of the metric sums_metric, used by both kinds of answers */
	size_t sums_metric;

	/* For each node: the row of its routine, shifted by one bit. The lowest bit is set if the
	 * node is below another call of the routine. Valid until a node is added. */
	uint32_t *places;
	size_t place_count; /* number of rows */

	uint8_t *folded; /* for each node; NULL until MAX_NODES is reached */
	struct call_sums selfs[CALL_TREE_MAX_METRICS];
	struct call_sums totals[CALL_TREE_MAX_METRICS];
};

static inline int64_t
call_routine_at(const struct call_tree *t, size_t node)
{
	return t->wide_routines ? t->wide_routines[node] : t->routines[node];
}

static inline uint32_t
call_parent_at(const struct call_tree *t, size_t node)
{
	if (!bit_at(t->begins.words, node))
		return (uint32_t)node - 1;
	return t->chains[ranked_bits_before(&t->begins, node)].parent;
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

/* The total of a node's calls: the added value, or the sum of the calls below. */
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
/* The sums of a metric; NULL if no value was added. */
const struct sums *call_tree_sums(struct call_tree *t, size_t metric);

/* call_tree_routines.c */
void call_tree_drop_places(struct call_tree *t);

#endif
