/*
 * Operations on call trees (model/tree.h). Pure functions: the result is a new tree in the arena,
 * which borrows names from its sources and has new sums. Only memory limits the depth.
 */
#ifndef PROFDEPOT_ANALYSIS_TREES_H
#define PROFDEPOT_ANALYSIS_TREES_H

#include "base/option.h"
#include "model/tree.h"

/* Keeps the max_nodes heaviest nodes, the first ones among equals; they are closed under ancestors.
 * The others are folded into their parents. 0 keeps all. */
struct tree *tree_cut(struct arena *a, const struct tree *t, size_t max_nodes);

/* Keeps the nodes with at least `percent` of the root's weight; the others are folded into their
 * parents. */
struct tree *tree_narrow(struct arena *a, const struct tree *t, double percent);

/*
 * Keeps what was measured below a frame that matches a glob of `focus` (empty: everything) and not
 * below one that matches a glob of `ignore`. A glob is matched with the routine's name, the label
 * and the module.
 */
struct tree *tree_filter(struct arena *a, const struct tree *t, const struct option_list *focus,
	const struct option_list *ignore);

/*
 * Bottom-up: below the root, one node for each frame with self; below it, its callers. Frames are
 * equal by name. Grows the heaviest first, up to max_nodes (0 means TREE_MAX_NODES), and folds the
 * rest.
 */
struct tree *tree_invert(struct arena *a, const struct tree *t, size_t max_nodes);

/* Both trees in one, node by node; frames are equal by name. Values are those of t, base values
 * those of base. */
struct tree *tree_compare(struct arena *a, const struct tree *t, const struct tree *base);

/* Scales the values so that the root's total equals that of `like`, and rounds each to six fraction
 * digits. Returns the factor. If one of the totals is not positive, returns 0 and changes nothing. */
double tree_scale(struct tree *t, const struct tree *like);

/* Every frame that occurs, by self descending (the larger of both if compared), then total, then
 * name. */
struct tree_frame *tree_frames(struct arena *a, const struct tree *t, size_t *count);

#endif
