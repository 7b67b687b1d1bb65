/*
 * Rows of call_tree_blocks and routine_totals behind their inst_id, for a load and a
 * reindex alike.
 */
#ifndef PROFDEPOT_STORE_TREE_TREE_ROWS_H
#define PROFDEPOT_STORE_TREE_TREE_ROWS_H

#include "db/copy.h"
#include "model/call_tree.h"

/* Where in the preorder the nodes of rank 0, 1, ... stand. The caller's; NULL for none. */
uint32_t *call_nodes_by_rank(const struct call_node *nodes, size_t count);

/* A block: the nodes of the ranks from `first` on, of `count` in all. The rank behind its last. */
size_t call_block_put(struct copier *c, int32_t metric, const struct call_node *nodes,
	const uint32_t *order, size_t first, size_t count);

void routine_total_put(struct copier *c, int32_t metric, const struct routine_total *row);

#endif
