#ifndef PROFDEPOT_ANALYSIS_TREES_PRIVATE_H
#define PROFDEPOT_ANALYSIS_TREES_PRIVATE_H

#include "analysis/trees.h"

/*
 * Sorts a tree into preorder, and computes its sums. Siblings with a higher weight come first; siblings
 * of equal weight are ordered by name. In `t`, parents must come before their children. Returns a tree
 * in the arena.
 */
struct tree *trees_in_preorder(struct arena *a, const struct tree *t);

/* Compares module, class and routine byte by byte. */
int trees_compare_names(const struct table_frame *x, const struct table_frame *y);

/* A node, or a name, with its weight. */
struct rank {
	wide_int weight;
	size_t index;
};

/* Compares two struct rank for sorting: the heaviest first, then by index. */
int trees_compare_ranks(const void *a, const void *b);

static inline wide_int
trees_larger(wide_int a, wide_int b)
{
	if (a < 0)
		a = -a;
	if (b < 0)
		b = -b;
	return a > b ? a : b;
}

#endif
