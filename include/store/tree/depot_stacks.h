/* A closed result set's stacks with their values, for trees that begin at the innermost frames. */
#ifndef PROFDEPOT_STORE_TREE_DEPOT_STACKS_H
#define PROFDEPOT_STORE_TREE_DEPOT_STACKS_H

#include "model/stacks.h"
#include "store/tree/depot_tree.h"

struct depot_stacks {
	/* The root calls each routine, which has its stored costs. */
	const struct tree *routines;
	const uint32_t *same; /* see tree_same_names */
	bool lines;           /* frames have lines of their own */
};

struct named_stack {
	uint32_t stack;        /* its number */
	const uint32_t *names; /* innermost first; first names, as in `same` */
	size_t count;          /* at least 1 */
	wide_int value;        /* fixed decimal, at least 0 */
};

/* Borrows the stack. Returns false with an error to stop. */
typedef bool stack_names_fn(void *self, const struct named_stack *stack, struct error *err);

/* Reads the routines and the values of the stacks. *out is in the arena. It is NULL if the depot stores all nodes of
 * the whole tree (then the tree is small), or if the metric is not a sum of stacks, a value is negative, or the result
 * set is open or has a call graph. */
bool depot_stacks_open(struct db *db, struct arena *a, const struct tree_question *q,
	struct depot_stacks **out, struct error *err);

/* Frees the values. `stacks` can be NULL. */
void depot_stacks_close(struct depot_stacks *stacks);

/* Passes every stack that has a value, in any order. If `through` is not NULL, it marks first names, and stacks without a
 * marked frame may be omitted. Sets *whole to false if it omitted stacks with the value 0, because
 * the costs of their routines are not stored. */
bool depot_stacks_each(const struct depot_stacks *stacks, const bool *through, stack_names_fn *each,
	void *self, bool *whole, struct error *err);

/* Sets marked[name] to true for each name that matches one of the LIKE patterns, an array literal. Names are first
 * names. */
bool depot_stacks_mark(
	const struct depot_stacks *stacks, const char *patterns, bool *marked, struct error *err);

/* Appends the stacks whose innermost frame has a wanted name. `self` is a struct depot_stacks. Names are first
 * names, as in `same`. For each other name, sets alone[name] to the value of the stacks that have only this frame. Both
 * arrays have routines->name_count elements. The caller frees the arrays of *out. */
bool depot_stacks_read(
	void *self, const bool *wanted, wide_int *alone, struct stacks *out, struct error *err);

#endif
