/*
 * Costs of routines from a call graph. They are exact, while the stacks of such a result set, and so
 * its tree, are estimated.
 */
#ifndef PROFDEPOT_STORE_TREE_GRAPH_TOTALS_H
#define PROFDEPOT_STORE_TREE_GRAPH_TOTALS_H

#include "base/arena.h"
#include "db/connection.h"
#include "model/tree.h"

/*
 * Writes the self and total costs of routines into the frames of a tree that is neither filtered nor
 * cut, by module, class and name, and sorts the frames by both, descending. Does nothing for a result
 * set without a call graph.
 */
bool graph_totals_correct(struct db *db, int64_t inst_id, const struct tree *tree,
	struct tree_frame *frames, size_t count, struct error *err);

#endif
