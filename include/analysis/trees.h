/*
 * What can be done with a tree of calls (model/tree.h). Pure functions: the
 * result is a new tree in the arena, which borrows the names of its sources;
 * its values are summed anew. Depth is limited by memory only.
 */
#ifndef PROFDEPOT_ANALYSIS_TREES_H
#define PROFDEPOT_ANALYSIS_TREES_H

#include "base/option.h"
#include "model/tree.h"

/* The max_nodes heaviest nodes, first ones first where equal, which is closed
 * under ancestors; the rest is folded into its parents. max_nodes 0: all. */
struct tree *tree_cut(struct arena *a, const struct tree *t, size_t max_nodes);

/* The nodes that have at least `percent` of the root's weight; the rest is
 * folded into its parents. */
struct tree *tree_narrow(struct arena *a, const struct tree *t, double percent);

/*
 * What was measured below a frame that matches a glob of `focus` (none: all),
 * and not below one that matches a glob of `ignore`. A glob is held against
 * the routine's name, the label and the module.
 */
struct tree *tree_filter(struct arena *a, const struct tree *t, const struct option_list *focus,
	const struct option_list *ignore);

/*
 * Bottom-up: below the root a node for each frame that has something itself,
 * below it its callers. Frames are the same by name. Grown heaviest first, up
 * to max_nodes (0: TREE_MAX_NODES); what was not grown is folded.
 */
struct tree *tree_invert(struct arena *a, const struct tree *t, size_t max_nodes);

/* Both trees over each other, node by node, frames the same by name. Values
 * are those of t, base values those of base. */
struct tree *tree_compare(struct arena *a, const struct tree *t, const struct tree *base);

/* Multiplies the values so that the root's total is that of `like`,
 * each to six digits behind the point. Returns the factor, 0 when one of the totals is not
 * above 0: then nothing changes. */
double tree_scale(struct tree *t, const struct tree *like);

/* Every frame that occurs, by self descending (the larger of both when compared), then total, then
 * name. */
struct tree_frame *tree_frames(struct arena *a, const struct tree *t, size_t *count);

#endif
