/*
 * A call tree with names: one metric of one result set, or of two that are compared. Flame graphs
 * are drawn from it.
 *
 * Nodes are in preorder. Node 0 is the root; it has no name, and its self belongs to no known call.
 * Values are fixed decimals (decimal_to_fixed) in the metric's unit. Everything lives in the arena
 * that made the tree; a tree made from another tree borrows its names.
 */
#ifndef PROFDEPOT_MODEL_TREE_H
#define PROFDEPOT_MODEL_TREE_H

#include "base/arena.h"
#include "base/decimal.h"
#include "model/table.h"

struct strbuf;

enum {
	TREE_MAX_NODES = 16 * 1024 * 1024,
	TREE_LABEL_MAX_BYTES = 64 * 1024 /* of one frame, also in folded output */
};

struct tree_node {
	uint32_t parent; /* index; the root is its own parent */
	uint32_t depth;  /* 0 for the root */
	uint32_t name;   /* index in names; unused in the root */
	bool folded;     /* calls below it were left out; its self includes them */
	wide_int self, total;
	wide_int base_self, base_total; /* of the result set compared with; otherwise 0 */
	/* Its width in a picture: the larger of |self| and |base_self| plus the children's weights.
	 * Equals |total| if nothing is negative or compared. */
	wide_int weight;
};

/* A result set that the tree shows. */
struct tree_set {
	struct text inst_id, caption; /* inst_id is NULL if absent */
};

struct tree {
	struct tree_node *nodes;
	size_t count; /* at least 1 */
	const struct table_frame *names;
	size_t name_count;
	struct text metric, unit, title; /* unit as in model/measures.h */
	struct tree_set set, base;       /* base.inst_id is NULL if not compared */
	/* base values were multiplied by it to get equal totals; 0 if they were not */
	double base_factor;
	bool inverted;      /* callers are below the routines they call */
	size_t all_nodes;   /* before any were left out */
	wide_int all_total; /* the root's total before frames were ignored */
};

/* A tree with only a root, and room for `capacity` nodes. */
struct tree *tree_new(struct arena *a, size_t capacity);

/* The same as `like`, without its nodes. */
struct tree *tree_new_like(struct arena *a, const struct tree *like, size_t capacity);

static inline bool
tree_is_compared(const struct tree *t)
{
	return t->base.inst_id.data != NULL;
}

/* Computes total, base_total and weight of every node from self and base_self. */
void tree_sum(struct tree *t);

/* Computes only weight. */
void tree_weigh(struct tree *t);

/* Appends "Class.routine", else the module in brackets, else "(unknown)". */
void tree_label(const struct table_frame *f, struct strbuf *b);

/* Appends the node's label; the root's is "all". */
void tree_node_label(const struct tree *t, size_t node, struct strbuf *b);

/* A frame, summed over all its nodes. */
struct tree_frame {
	uint32_t name;
	wide_int self, total; /* recursion counts once */
	wide_int base_self, base_total;
};

/*
 * For each name, the index of the first one with the same module, class and routine: a frame's
 * identity across result sets. In the arena.
 */
uint32_t *tree_same_names(struct arena *a, const struct tree *t);

#endif
