/* Reads the stored tree, or its widest nodes. */
#include "base/array.h"
#include "base/number.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>

enum {
	COLUMN_NODE,
	COLUMN_PARENT,
	COLUMN_DEPTH,
	COLUMN_ROUTINE,
	COLUMN_SELF,
	COLUMN_TOTAL,
	COLUMN_FOLDED
};

struct step {
	int64_t node;   /* the node's stored number */
	uint32_t index; /* index in `nodes` */
};

struct reading {
	struct arena *arena;
	struct plain_node *nodes;
	size_t count, capacity;
	struct step *path; /* the last node at each depth */
	size_t path_capacity;
	bool folded;
};

/* Negative numbers can make a child wider than its parent. The server may then send the child without the
 * parent. Such a child is skipped. Its value becomes part of the self value of its nearest ancestor that was sent. */
static bool
take_node(void *self, const struct db_result *row, struct error *err)
{
	struct reading *r = self;
	int64_t depth = db_result_int64(row, 0, COLUMN_DEPTH, -1);
	size_t above = (size_t)(depth - 1);
	struct plain_node *n;

	if (r->count == r->capacity || depth < 0 || (depth == 0) != (r->count == 0))
		return error_set(err, ERROR_DATABASE, "the stored call tree is damaged");
	if (depth > 0 && (above > r->nodes[r->count - 1].depth ||
				 db_result_int64(row, 0, COLUMN_PARENT, -1) != r->path[above].node))
		return true;
	n = &r->nodes[r->count++];
	ARRAY_RESERVE(r->path, r->path_capacity, (size_t)depth + 1);
	*n = (struct plain_node){ .depth = (uint32_t)depth,
		.parent = depth ? r->path[above].index : 0,
		.routine = db_result_int64(row, 0, COLUMN_ROUTINE, INT64_MIN),
		.self = tree_fixed(db_result_value(row, 0, COLUMN_SELF)),
		.total = tree_fixed(db_result_value(row, 0, COLUMN_TOTAL)),
		.folded = db_result_bool(row, 0, COLUMN_FOLDED) };
	r->folded |= n->folded;
	r->path[depth] =
		(struct step){ db_result_int64(row, 0, COLUMN_NODE, -1), (uint32_t)(r->count - 1) };
	return true;
}

/* Computes self values from totals, so that the self value of a node includes the nodes below it
 * that were not sent. */
static void
fold(struct plain_node *nodes, size_t count)
{
	wide_int *rest = xmalloc(count * sizeof(*rest));

	for (size_t i = 0; i < count; i++)
		rest[i] = nodes[i].total;
	for (size_t i = 1; i < count; i++)
		rest[nodes[i].parent] -= nodes[i].total;
	for (size_t i = 0; i < count; i++) {
		nodes[i].folded |= rest[i] != nodes[i].self;
		nodes[i].self = rest[i];
	}
	free(rest);
}

bool
tree_stored_size(struct db *db, const struct tree_metric *m, int64_t *nodes, struct error *err)
{
	const char *params[SQL_STORE_TREE_SIZE_PARAMS] = {
		[SQL_STORE_TREE_SIZE_INST_ID] = m->inst_id,
		[SQL_STORE_TREE_SIZE_METRIC_NO] = INT64_TEXT(m->number),
	};

	return store_int64(
		db_query(db, store_sql("store/tree_size"), params, SQL_STORE_TREE_SIZE_PARAMS, err),
		0, nodes);
}

bool
tree_read_stored(struct db *db, struct arena *a, const struct tree_metric *m, size_t max_nodes,
	struct plain_tree *out, bool *whole, struct error *err)
{
	const char *params[SQL_STORE_TREE_STORED_PARAMS] = {
		[SQL_STORE_TREE_STORED_INST_ID] = m->inst_id,
		[SQL_STORE_TREE_STORED_METRIC_NO] = INT64_TEXT(m->number),
		[SQL_STORE_TREE_STORED_MAX_NODES] = INT64_TEXT((int64_t)max_nodes),
	};
	struct reading r = { .arena = a };
	int64_t size;
	bool cut, ok;

	*out = (struct plain_tree){ NULL, 0, 0 };
	*whole = false;
	if (!tree_stored_size(db, m, &size, err))
		return false;
	out->all_nodes = (size_t)size;
	if (out->all_nodes > TREE_MAX_NODES)
		return error_set(err, ERROR_DATABASE, "the stored call tree is damaged");
	/* A tree of CALL_TREE_STORED_NODES nodes is usually a part of the whole tree. */
	if (!size || (!max_nodes && out->all_nodes >= CALL_TREE_STORED_NODES))
		return true;
	cut = max_nodes && max_nodes < out->all_nodes;
	r.capacity = cut ? max_nodes : out->all_nodes;
	r.nodes = arena_alloc_array(a, r.capacity, sizeof(*r.nodes));
	ok = db_query_each(db, store_sql(cut ? "store/tree_stored" : "store/tree_stored_all"),
		params, cut ? SQL_STORE_TREE_STORED_PARAMS : SQL_STORE_TREE_STORED_ALL_PARAMS,
		take_node, &r, err);
	free(r.path);
	if (!ok)
		return false;
	out->nodes = r.nodes;
	out->count = r.count;
	fold(r.nodes, r.count);
	*whole = !cut && !r.folded;
	return true;
}
