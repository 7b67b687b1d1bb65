/*
 * What routines cost where the depot knows a call graph: exact, while the
 * result set's stacks, and so its tree, are estimated.
 */
#ifndef PROFDEPOT_STORE_TREE_GRAPH_TOTALS_H
#define PROFDEPOT_STORE_TREE_GRAPH_TOTALS_H

#include "base/arena.h"
#include "db/connection.h"
#include "model/tree.h"

/*
 * Puts the routines' own and whole costs into the frames of a tree that is
 * neither filtered nor cut, by module, class and name, and sorts them by own and whole
 * cost, the largest first. Does nothing for a result set without graph.
 */
bool graph_totals_correct(struct db *db, int64_t inst_id, const struct tree *tree,
	struct tree_frame *frames, size_t count, struct error *err);

#endif
