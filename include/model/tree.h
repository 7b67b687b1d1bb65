/*
 * A call tree with names. It shows one metric of one result set, or of two result sets that are compared.
 * Flame graphs are drawn from it.
 *
 * Nodes are in preorder. Node 0 is the root, which has no name; its self value is the part of the
 * metric that belongs to no known call. Values are fixed decimals (decimal_to_fixed) in the unit of
 * the metric. The tree is allocated in an arena. A tree that was made from another tree borrows
 * that tree's names.
 */
#ifndef PROFDEPOT_MODEL_TREE_H
#define PROFDEPOT_MODEL_TREE_H

#include "base/arena.h"
#include "base/decimal.h"
#include "model/table.h"

struct strbuf;

enum {
	TREE_MAX_NODES = 16 * 1024 * 1024,
	TREE_LABEL_MAX_BYTES = 1 << 30 /* limit for a label; names in the depot are shorter */
};

struct tree_node {
	uint32_t parent; /* index; the root is its own parent */
	uint32_t depth;  /* 0 for the root */
	uint32_t name;   /* index in names; unused in the root */
	bool folded;     /* calls below it were omitted; its self value includes their values */
	wide_int self, total;
	wide_int base_self, base_total; /* values in the base; 0 if nothing is compared */
	/* The width in a picture: the larger of |self| and |base_self|, plus the weights of the children.
	 * It equals |total| if no value is negative and nothing is compared. */
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
	struct tree_set set, base;       /* base.inst_id is NULL if nothing is compared */
	/* the factor for base values that makes both totals equal; 0 if not used */
	double base_factor;
	bool inverted;      /* callers are below the routines they call */
	size_t all_nodes;   /* number of nodes, including omitted ones */
	bool more;          /* further nodes were omitted, but not counted */
	wide_int all_total; /* the root's total before frames were ignored */
};

/* Creates a tree with only a root, and with room for `capacity` nodes. */
struct tree *tree_new(struct arena *a, size_t capacity);

/* Creates a copy of `like` without its nodes, and with room for `capacity` nodes. */
struct tree *tree_new_like(struct arena *a, const struct tree *like, size_t capacity);

static inline bool
tree_is_compared(const struct tree *t)
{
	return t->base.inst_id.data != NULL;
}

/* Computes total, base_total and weight of every node from self and base_self. */
void tree_sum(struct tree *t);

/* Computes only the weights. */
void tree_weigh(struct tree *t);

/* Appends "Class.routine". If the routine is unknown, appends the module in brackets or "(unknown)". */
void tree_label(const struct table_frame *f, struct strbuf *b);

/* Appends the label of the node. The label of the root is "all". */
void tree_node_label(const struct tree *t, size_t node, struct strbuf *b);

/* The sums of all nodes with the same frame. */
struct tree_frame {
	uint32_t name;
	wide_int self, total; /* recursive calls count once */
	wide_int base_self, base_total;
};

/*
 * For each name, returns the index of the first name with the same module, class and routine.
 * These three identify a frame across result sets. The array is in the arena.
 */
uint32_t *tree_same_names(struct arena *a, const struct tree *t);

/* Returns whether any two names are equal. `same` is from tree_same_names. */
bool tree_repeats_names(const struct tree *t, const uint32_t *same);

#endif
