/*
 * Rows of call_tree and routine_totals behind their inst_id, for a load and a
 * reindex alike.
 */
#ifndef PROFDEPOT_SRC_STORE_TREE_ROWS_H
#define PROFDEPOT_SRC_STORE_TREE_ROWS_H

#include "db/copy.h"
#include "model/call_tree.h"

/* Node i of the preorder. */
void call_node_put(struct copier *c, int32_t metric, const struct call_node *nodes, size_t i);

void routine_total_put(struct copier *c, int32_t metric, const struct routine_total *row);

#endif
