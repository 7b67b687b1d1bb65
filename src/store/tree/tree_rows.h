/*
 * Columns after inst_id of call_tree_blocks and routine_totals, for loads and reindexes.
 */
#ifndef PROFDEPOT_STORE_TREE_TREE_ROWS_H
#define PROFDEPOT_STORE_TREE_TREE_ROWS_H

#include "db/copy.h"
#include "model/call_tree.h"

/* The preorder indexes of the nodes by rank. The caller frees it; NULL if there are no nodes. */
uint32_t *call_nodes_by_rank(const struct call_node *nodes, size_t count);

/* A block of nodes from rank `first`; `count` is the number of all nodes. Returns the next block's
 * first rank. */
size_t call_block_put(struct copier *c, int32_t metric, const struct call_node *nodes,
	const uint32_t *order, size_t first, size_t count);

void routine_total_put(struct copier *c, int32_t metric, const struct routine_total *row);

#endif
