/*
 * Operations on call trees (model/tree.h). All functions except tree_scale leave their arguments unchanged.
 * A new tree is in the arena, and borrows its names from the trees in the arguments. A tree can be as
 * deep as memory allows.
 */
#ifndef PROFDEPOT_ANALYSIS_TREES_H
#define PROFDEPOT_ANALYSIS_TREES_H

#include "base/option.h"
#include "model/stacks.h"
#include "model/tree.h"

struct call_tree;

/* Keeps the max_nodes heaviest nodes; if weights are equal, keeps the first nodes. Ancestors of
 * kept nodes are always kept. All other nodes are folded into their parents. If max_nodes is
 * 0, keeps all nodes. */
struct tree *tree_cut(struct arena *a, const struct tree *t, size_t max_nodes);

/* Keeps the nodes with at least `percent` of the root's weight; the others are folded into their
 * parents. */
struct tree *tree_narrow(struct arena *a, const struct tree *t, double percent);

/*
 * Keeps the values at or below frames that match a glob of `focus` (empty: all frames), except the
 * values at or below frames that match a glob of `ignore`. A glob is matched with the routine's
 * name, the label and the module. The heaviest siblings come first.
 */
struct tree *tree_filter(struct arena *a, const struct tree *t, const struct option_list *focus,
	const struct option_list *ignore);

/* Makes a tree from the first metric of `calls`, whose routines are indices of names in `like`. The heaviest siblings
 * come first. */
struct tree *tree_from_calls(struct arena *a, const struct tree *like, struct call_tree *calls);

/* Returns one flag per name of the tree: whether tree_filter's globs match it. The caller frees the array. */
bool *tree_matches(const struct tree *t, const struct option_list *globs);

/*
 * Bottom-up tree: the root has one child for each frame that has a self value, and the children of
 * each node are its callers. Frames are equal if their names are equal. Adds callers to the
 * heaviest nodes first, up to max_nodes (0 means TREE_MAX_NODES), and folds the remaining callers. Callers of
 * nodes with less than `percent` of the root's weight may also be folded; tree_narrow would fold them anyway.
 */
struct tree *tree_invert(struct arena *a, const struct tree *t, size_t max_nodes, double percent);

/* Stacks that are read in parts. */
struct stack_source {
	/* The root calls each routine. No value is negative. The self value of a routine is the sum of all stacks
	 * whose innermost frame it is. */
	const struct tree *routines;
	const uint32_t *same; /* the first of equal names; see tree_same_names */
	/* Appends the stacks whose innermost frame has a wanted name; only first names are used. For each other
	 * name, sets alone[name] to the value of the stacks that have only this frame. */
	bool (*read)(void *self, const bool *wanted, wide_int *alone, struct stacks *out,
		struct error *err);
	void *self;
};

/* Makes the tree that tree_invert would make from the tree of all stacks. Reads the stacks of a routine only if its
 * callers are needed. *out is NULL if the stacks do not add up to the routines' self values. */
bool tree_invert_stacks(struct arena *a, const struct stack_source *s, size_t max_nodes,
	double percent, struct tree **out, struct error *err);

/* Merges both trees. Frames are equal if their names are equal. The result's values are those of
 * t, and its base values are the values of base. If a tree has folded nodes, a call that it may omit is
 * folded, too, unless the call is so heavy in the other tree that the difference is certain. */
struct tree *tree_compare(struct arena *a, const struct tree *t, const struct tree *base);

/* Scales the values so that the root's total equals the total of `like`, and rounds each value to
 * six fraction digits. Returns the factor. If either total is not positive, returns 0 and changes
 * nothing. */
double tree_scale(struct tree *t, const struct tree *like);

/* Returns every frame in the tree, sorted by self descending, then total descending, then name. In
 * a comparison, the larger value of the two sides determines the order. */
struct tree_frame *tree_frames(struct arena *a, const struct tree *t, size_t *count);

#endif
