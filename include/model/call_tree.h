/*
 * A call tree under construction: one node per distinct path of routines from the root, with one
 * sum per metric. Sums are fixed decimals (decimal_to_fixed).
 *
 * A metric is summed either by self (stacks: at the innermost frame's node) or by total (spans:
 * each call adds its whole duration); the other one follows. A node whose own calls add up to 0 has
 * the total of its children; a node whose children overlap has a negative self. Nodes are numbered
 * in order of creation, children after their parents; 0 is the root.
 */
#ifndef PROFDEPOT_MODEL_CALL_TREE_H
#define PROFDEPOT_MODEL_CALL_TREE_H

#include "base/decimal.h"

#include <stddef.h>

struct call_tree;

enum {
	CALL_TREE_MAX_METRICS = 64,
	CALL_TREE_MAX_NODES = 16 * 1024 * 1024,
	CALL_TREE_STORED_NODES = 65536, /* the widest nodes, which the depot stores */
	CALL_TREE_CUT_NODES = 8192,     /* the widest nodes, which flame() shows by default */
	CALL_TREE_UNKNOWN = -1,         /* the routine of an unknown frame */
};

/* A tree with only its root, node 0. */
struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *t);

/* The node of `routine` (REC_ID or CALL_TREE_UNKNOWN) below parent. At CALL_TREE_MAX_NODES it is
 * the parent itself, which is marked folded. */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, int64_t routine);

/* Adds in units of 10^-DECIMAL_FIXED_SCALE (base/decimal.h). metric is below
 * CALL_TREE_MAX_METRICS. */
void call_tree_add_self(struct call_tree *t, size_t metric, uint32_t node, wide_int value);
void call_tree_add_total(struct call_tree *t, size_t metric, uint32_t node, wide_int value);

/* The number of nodes, including the root. */
size_t call_tree_size(const struct call_tree *t);
uint32_t call_tree_parent(const struct call_tree *t, uint32_t node);
int64_t call_tree_routine(const struct call_tree *t, uint32_t node);

struct call_node {
	uint32_t parent; /* index in the array; the root's is itself */
	uint32_t depth;  /* 0 for the root */
	int64_t routine;
	wide_int self, total;
	/* Self if only the first CALL_TREE_CUT_NODES by rank are shown: includes the totals of
	 * hidden children. For hidden nodes: self. */
	wide_int cut_self;
	/* Rank by width, 0 is the widest, equal widths in preorder: for every n the first n nodes
	 * form a tree. 0 if there is no node limit. */
	uint32_t rank;
	bool folded;
};

/*
 * The metric's tree in preorder, children by total descending (absolute), then by routine. Nodes
 * that are 0 with everything below them are left out. If there are more than max_nodes (0 means no
 * limit), the widest stay, of equal ones the first in preorder, and never a node without its
 * parent; the others are folded into their parents. A node's width is the largest absolute total of
 * it and of everything below it. The caller frees the array. *count is 0 if nothing was summed.
 */
struct call_node *call_tree_nodes(
	struct call_tree *t, size_t metric, size_t max_nodes, size_t *count);

struct routine_total {
	int64_t routine;
	wide_int self, total; /* recursion counts once */
};

/* One row per routine of the nodes that call_tree_nodes would return without limit, by routine. The
 * caller frees the array. */
struct routine_total *call_tree_routines(struct call_tree *t, size_t metric, size_t *count);

#endif
