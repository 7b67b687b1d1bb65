/*
 * A call tree under construction. It has one node per distinct path of routines from the root, and
 * one sum per node and metric. Sums are fixed decimals (decimal_to_fixed).
 *
 * A stack adds to the self value of its innermost node. A span adds its duration to the total of
 * its node. For stacks, the tree computes totals from self values. For spans, it computes self values
 * from totals. If a node's durations add up to 0, the sum of its children's durations is used instead.
 * Overlapping children can make a self value negative. Nodes are numbered in the order of their creation.
 * The root is node 0.
 */
#ifndef PROFDEPOT_MODEL_CALL_TREE_H
#define PROFDEPOT_MODEL_CALL_TREE_H

#include "base/decimal.h"

#include <stddef.h>

struct call_tree;

enum {
	CALL_TREE_MAX_METRICS = 64,
	CALL_TREE_MAX_NODES = 16 * 1024 * 1024,
	CALL_TREE_STORED_NODES = 65536, /* the depot stores at most this many nodes, the widest */
	CALL_TREE_CUT_NODES = 8192,     /* by default, flame() returns at most this many nodes */
	CALL_TREE_UNKNOWN = -1,         /* the routine of an unknown frame */
};

/* Returns a tree that has only its root, node 0. */
struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *t);

/* Finds or adds the node of `routine` (REC_ID or CALL_TREE_UNKNOWN) below `parent`. If the tree is
 * full (CALL_TREE_MAX_NODES), returns the parent and marks it folded. */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, int64_t routine);

/* Adds a value in units of 10^-DECIMAL_FIXED_SCALE (base/decimal.h). `metric` must be less than
 * CALL_TREE_MAX_METRICS. */
void call_tree_add_self(struct call_tree *t, size_t metric, uint32_t node, wide_int value);
void call_tree_add_total(struct call_tree *t, size_t metric, uint32_t node, wide_int value);

/* Frees the values of a metric. Afterwards, these values are 0. */
void call_tree_forget(struct call_tree *t, size_t metric);

/* Returns the number of nodes, including the root. */
size_t call_tree_size(const struct call_tree *t);

struct call_node {
	uint32_t parent; /* index in the array; the root is its own parent */
	uint32_t depth;  /* 0 for the root */
	int64_t routine;
	wide_int self, total;
	/* The self value if only the first CALL_TREE_CUT_NODES nodes by rank are shown. It includes
	 * the totals of hidden children. For a hidden node, cut_self equals self. */
	wide_int cut_self;
	/* Rank from 0 by descending width; nodes of equal width are ranked in preorder. For every
	 * n, the nodes with a rank below n form a tree. If there is no limit, all ranks are 0. */
	uint32_t rank;
	bool folded;
};

/*
 * Returns the metric's tree in preorder. Children are sorted by descending absolute total, then by
 * routine. A node is omitted if it and all nodes below it are 0. The width of a node is the largest
 * absolute total of the node and of all nodes below it. If there are more than max_nodes nodes (0 means
 * no limit), the nodes with the smallest ranks are kept, and the other nodes are folded into their
 * parents. The caller frees the array. *count is 0 if nothing was added.
 */
struct call_node *call_tree_nodes(
	struct call_tree *t, size_t metric, size_t max_nodes, size_t *count);

struct routine_total {
	int64_t routine;
	wide_int self, total; /* recursive calls count once */
};

/* Returns one element for each routine in the metric's complete tree (see call_tree_nodes with max_nodes 0).
 * The elements are sorted by routine. The caller frees the array. */
struct routine_total *call_tree_routines(struct call_tree *t, size_t metric, size_t *count);

#endif
