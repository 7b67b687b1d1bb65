/*
 * Rows of call_tree and routine_totals behind their inst_id, for a load and a
 * reindex alike.
 */
#ifndef PROFDEPOT_SRC_STORE_TREE_ROWS_H
#define PROFDEPOT_SRC_STORE_TREE_ROWS_H

#include "db/copy.h"
#include "model/call_tree.h"

/* Where in the preorder the nodes of rank 0, 1, ... stand: the order of call_tree's key, in
 * which rows cost its index least and the widest lie together. The caller's; NULL for none. */
uint32_t *call_nodes_by_rank(const struct call_node *nodes, size_t count);

/* Node i of the preorder. */
void call_node_put(struct copier *c, int32_t metric, const struct call_node *nodes, size_t i);

void routine_total_put(struct copier *c, int32_t metric, const struct routine_total *row);

#endif
