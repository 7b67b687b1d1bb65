/* Rows of stored call trees and of routine totals. */
#include "tree_private.h"

#include "base/arena.h"
#include "store/relations.h"

#include <stdlib.h>

enum {
	NODES_PER_BLOCK = 128, /* a row usually fits into an 8 KiB page */
};

/* The nodes' preorder indexes, sorted by rank; NULL if there are no nodes. */
static uint32_t *
nodes_by_rank(const struct call_node *nodes, size_t count)
{
	uint32_t *order = count ? xmalloc(count * sizeof(*order)) : NULL;

	for (size_t i = 0; i < count; i++)
		order[nodes[i].rank] = (uint32_t)i;
	return order;
}

/* Writes the block of nodes that starts at rank `first`. Returns the first rank of the next block. */
static size_t
put_block(struct copier *c, int32_t metric, const struct call_node *nodes, const uint32_t *order,
	size_t first, size_t count)
{
	int32_t numbers[NODES_PER_BLOCK], parents[NODES_PER_BLOCK], depths[NODES_PER_BLOCK];
	int64_t routines[NODES_PER_BLOCK];
	wide_int selfs[NODES_PER_BLOCK], cut_selfs[NODES_PER_BLOCK], totals[NODES_PER_BLOCK];
	bool folded[NODES_PER_BLOCK];
	bool any_cut = false;
	bool any_folded = false;
	size_t n = count - first;

	if (n > NODES_PER_BLOCK)
		n = NODES_PER_BLOCK;
	for (size_t i = 0; i < n; i++) {
		uint32_t at = order[first + i];
		const struct call_node *node = &nodes[at];

		numbers[i] = (int32_t)at;
		parents[i] = at ? (int32_t)node->parent : -1;
		depths[i] = (int32_t)node->depth;
		routines[i] = at && node->routine != CALL_TREE_UNKNOWN ? node->routine : INT64_MIN;
		selfs[i] = node->self;
		cut_selfs[i] = node->cut_self;
		totals[i] = node->total;
		folded[i] = node->folded;
		any_cut |= node->cut_self != node->self;
		any_folded |= node->folded;
	}
	copier_int32(c, metric);
	copier_int32(c, (int32_t)first);
	copier_int32_array(c, numbers, n);
	copier_int32_array(c, parents, n);
	copier_int32_array(c, depths, n);
	copier_int64_array(c, routines, n);
	copier_fixed_array(c, selfs, n);
	copier_fixed_array(c, any_cut ? cut_selfs : NULL, n);
	copier_fixed_array(c, totals, n);
	copier_bool_array(c, any_folded ? folded : NULL, n);
	return first + n;
}

static bool
write_tree(struct copier *c, int64_t inst_id, struct call_tree *tree, size_t metric, int32_t number,
	int64_t *blocks, struct error *err)
{
	size_t count;
	struct call_node *nodes = call_tree_nodes(tree, metric, CALL_TREE_STORED_NODES, &count);
	uint32_t *order = nodes_by_rank(nodes, count);
	bool ok = true;

	for (size_t i = 0; ok && i < count; ++*blocks) {
		copier_row(c, REL_CALL_TREE);
		copier_int64(c, inst_id);
		i = put_block(c, number, nodes, order, i, count);
		ok = copier_row_end(c, err);
	}
	free(order);
	free(nodes);
	return ok;
}

bool
call_tree_write(struct copier *c, int64_t inst_id, struct call_tree *tree, size_t metric,
	int32_t number, struct call_tree_rows *rows, struct error *err)
{
	size_t count;
	struct routine_total *totals;
	bool ok = write_tree(c, inst_id, tree, metric, number, &rows->blocks, err);

	totals = call_tree_routines(tree, metric, &count);
	rows->routines += (int64_t)count;
	for (size_t i = 0; ok && i < count; i++) {
		copier_row(c, REL_ROUTINE_TOTALS);
		copier_int64(c, inst_id);
		copier_int32(c, number);
		copier_int64(c, totals[i].routine);
		copier_fixed(c, totals[i].self);
		copier_fixed(c, totals[i].total);
		ok = copier_row_end(c, err);
	}
	free(totals);
	return ok;
}
