#include "tree_rows.h"

#include "base/arena.h"

uint32_t *
call_nodes_by_rank(const struct call_node *nodes, size_t count)
{
	uint32_t *order = count ? xmalloc(count * sizeof(*order)) : NULL;

	for (size_t i = 0; i < count; i++)
		order[nodes[i].rank] = (uint32_t)i;
	return order;
}

void
call_node_put(struct copier *c, int32_t metric, const struct call_node *nodes, size_t i)
{
	const struct call_node *n = &nodes[i];

	copier_int32(c, metric);
	copier_int32(c, (int32_t)n->rank);
	copier_int32(c, (int32_t)i);
	if (i)
		copier_int32(c, (int32_t)n->parent);
	else
		copier_null(c);
	copier_int32(c, (int32_t)n->depth);
	if (i && n->routine != CALL_TREE_UNKNOWN)
		copier_int64(c, n->routine);
	else
		copier_null(c);
	copier_fixed(c, n->self);
	copier_fixed(c, n->cut_self);
	copier_fixed(c, n->total);
	copier_bool(c, n->folded);
}

void
routine_total_put(struct copier *c, int32_t metric, const struct routine_total *row)
{
	copier_int32(c, metric);
	copier_int64(c, row->routine);
	copier_fixed(c, row->self);
	copier_fixed(c, row->total);
}
