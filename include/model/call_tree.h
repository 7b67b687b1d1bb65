/*
 * A tree of calls under construction: one node a distinct path of routines
 * from the root inwards, with a sum of each metric. Sums are fixed decimals
 * (decimal_to_fixed).
 *
 * A metric is summed either by self (stacks: the innermost frame's node) or
 * by total (spans: each call adds its whole duration); the other follows. A
 * node whose calls add up to 0 has the total of its children; one whose
 * children overlap has a negative self. Nodes are numbered as they are made, a
 * child after its parent; 0 is the root.
 */
#ifndef PROFDEPOT_MODEL_CALL_TREE_H
#define PROFDEPOT_MODEL_CALL_TREE_H

#include "base/decimal.h"

#include <stddef.h>

struct call_tree;

enum {
	CALL_TREE_MAX_METRICS = 64,
	CALL_TREE_MAX_NODES = 16 * 1024 * 1024,
	CALL_TREE_STORED_NODES = 65536, /* the widest that the depot keeps */
	CALL_TREE_CUT_NODES = 8192,     /* the widest that flame() shows unless told otherwise */
	CALL_TREE_UNKNOWN = -1,         /* routine of a frame that names none */
};

/* A tree of one node, its root, which is node 0. */
struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *t);

/* The node of `routine` (REC_ID or CALL_TREE_UNKNOWN) below parent. When
 * CALL_TREE_MAX_NODES is reached it is the parent itself, and the parent is
 * marked folded. */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, int64_t routine);

/* Sums in units of 10^-DECIMAL_FIXED_SCALE (base/decimal.h); metric from 0, below
 * CALL_TREE_MAX_METRICS. */
void call_tree_add_self(struct call_tree *t, size_t metric, uint32_t node, wide_int value);
void call_tree_add_total(struct call_tree *t, size_t metric, uint32_t node, wide_int value);

/* Nodes, the root among them. */
size_t call_tree_size(const struct call_tree *t);
uint32_t call_tree_parent(const struct call_tree *t, uint32_t node);
int64_t call_tree_routine(const struct call_tree *t, uint32_t node);

struct call_node {
	uint32_t parent; /* index in the array; of the root: itself */
	uint32_t depth;  /* 0: root */
	int64_t routine;
	wide_int self, total;
	/* Self when the CALL_TREE_CUT_NODES first by rank stay: with the totals of the
	 * children that do not. Of those that do not: self. */
	wide_int cut_self;
	/* Place by width, 0 the widest, of equal ones in preorder: the first n are a
	 * tree for every n. Only with a limit of nodes, else 0. */
	uint32_t rank;
	bool folded;
};

/*
 * The metric's tree in preorder, children by total descending (absolute),
 * then routine; nodes that have 0 with all below them are left out. When there
 * are more than max_nodes (0: no limit) the widest stay, of equal ones the
 * first in preorder: never a node without its parent; the rest is folded into
 * the parents. A node's width is the largest absolute total of it and of what
 * is below it. xmalloc'ed; the caller frees it. *count is 0 when nothing was
 * summed.
 */
struct call_node *call_tree_nodes(
	struct call_tree *t, size_t metric, size_t max_nodes, size_t *count);

struct routine_total {
	int64_t routine;
	wide_int self, total; /* recursion counts once */
};

/* A row a routine of the nodes that call_tree_nodes would give without limit,
 * by routine. xmalloc'ed. */
struct routine_total *call_tree_routines(struct call_tree *t, size_t metric, size_t *count);

#endif
