/*
 * Rebuilds a result set's call trees from the depot: from stacks and their totals, and from spans
 * and their parents.
 */
#include "base/arena.h"
#include "base/pair_map.h"
#include "relations.h"
#include "store/result_sets.h"
#include "store/tree/tree_private.h"
#include "store/tree/tree_rows.h"
#include "store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	NO_METRIC = -1,
};

struct rebuild {
	struct db *db;
	int64_t inst_id;
	struct call_tree *tree;
	int32_t metrics[CALL_TREE_MAX_METRICS]; /* metric numbers in the depot */
	size_t metric_count;
	struct pair_map stacks; /* node by stack_id */
};

static int
metric_at(const struct rebuild *b, const struct db_result *row, size_t column)
{
	int64_t number = db_result_int64(row, 0, column, INT64_MIN);

	for (size_t i = 0; i < b->metric_count; i++)
		if (b->metrics[i] == number)
			return (int)i;
	return NO_METRIC;
}

static bool
add_metric(void *self, const struct db_result *row, struct error *err)
{
	struct rebuild *b = self;

	if (b->metric_count == CALL_TREE_MAX_METRICS)
		return error_set(err, ERROR_LIMIT, "the result set has more than %d metrics",
			(int)CALL_TREE_MAX_METRICS);
	b->metrics[b->metric_count++] = (int32_t)db_result_int64(row, 0, 0, INT64_MIN);
	return true;
}

/* ids is the text "{1,NULL,3}". It is read backwards, because the innermost frame is the first. */
static uint32_t
enter_stack(struct call_tree *tree, struct text ids)
{
	const char *end = ids.data + ids.size - 1;
	uint32_t node = 0;

	while (end > ids.data) {
		const char *start = end;
		struct number n;
		int64_t routine = CALL_TREE_UNKNOWN;

		while (start[-1] != ',' && start[-1] != '{')
			start--;
		if (start < end && number_parse((struct text){ start, (size_t)(end - start) },
					   &n) == NUMBER_OK)
			number_to_int64(n, &routine);
		if (start < end)
			node = call_tree_child(tree, node, routine);
		end = start - 1;
	}
	return node;
}

static bool
add_stack(void *self, const struct db_result *row, struct error *err)
{
	struct rebuild *b = self;

	(void)err;
	pair_map_add(&b->stacks, db_result_int64(row, 0, 0, INT64_MIN), 0,
		enter_stack(b->tree, db_result_value(row, 0, 1)), NULL);
	return true;
}

/* An unknown stack counts as no stack. */
static bool
add_total(void *self, const struct db_result *row, struct error *err)
{
	struct rebuild *b = self;
	int metric = metric_at(b, row, 0);
	uint32_t node = pair_map_get(&b->stacks, db_result_int64(row, 0, 1, INT64_MIN), 0);

	(void)err;
	if (metric != NO_METRIC)
		call_tree_add_self(b->tree, (size_t)metric, node == PAIR_MAP_NONE ? 0 : node,
			tree_fixed(db_result_value(row, 0, 2)));
	return true;
}

/* --- in and out ------------------------------------------------------------------------------ */

static bool
add_spans(struct rebuild *b, struct error *err)
{
	char digits[24];

	number_format_int64(b->inst_id, digits);
	return tree_add_spans(b->db, digits, b->metrics, b->metric_count, b->tree, err);
}

static bool
write_tree(struct rebuild *b, struct copier *c, size_t metric, struct error *err)
{
	size_t count;
	struct call_node *nodes = call_tree_nodes(b->tree, metric, CALL_TREE_STORED_NODES, &count);
	uint32_t *order = call_nodes_by_rank(nodes, count);
	bool ok = true;

	for (size_t i = 0; ok && i < count;) {
		copier_row(c, REL_CALL_TREE);
		copier_int64(c, b->inst_id);
		i = call_block_put(c, b->metrics[metric], nodes, order, i, count);
		ok = copier_row_end(c, err);
	}
	free(order);
	free(nodes);
	return ok;
}

static bool
write_routines(struct rebuild *b, struct copier *c, size_t metric, struct error *err)
{
	size_t count;
	struct routine_total *rows = call_tree_routines(b->tree, metric, &count);
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		copier_row(c, REL_ROUTINE_TOTALS);
		copier_int64(c, b->inst_id);
		routine_total_put(c, b->metrics[metric], &rows[i]);
		ok = copier_row_end(c, err);
	}
	free(rows);
	return ok;
}

static bool
write_all(struct rebuild *b, struct error *err)
{
	struct copier *c = copier_new(b->db, store_relations, RELATIONS_WRITTEN);
	bool ok = true;

	for (size_t i = 0; ok && i < b->metric_count; i++)
		ok = write_tree(b, c, i, err) && write_routines(b, c, i, err);
	ok = ok && copier_settle(c, err);
	copier_free(c);
	return ok;
}

static bool
rebuild_trees(struct db *db, int64_t inst_id, struct error *err)
{
	struct rebuild b = { .db = db, .inst_id = inst_id, .tree = call_tree_new() };
	bool ok;

	pair_map_init(&b.stacks);
	ok = store_each(db, "store/reindex_metrics", inst_id, add_metric, &b, err) &&
	     store_each(db, "store/reindex_stacks", inst_id, add_stack, &b, err) &&
	     store_each(db, "store/reindex_totals", inst_id, add_total, &b, err) &&
	     add_spans(&b, err) && write_all(&b, err);
	pair_map_release(&b.stacks);
	call_tree_free(b.tree);
	return ok;
}

static bool
reindex_in_sql(struct db *db, int64_t inst_id, struct error *err)
{
	if (store_done(store_query_set(db, "store/reindex", inst_id, err)))
		return true;
	return strcmp(err->sqlstate, "P0002") == 0 && result_set_not_found(inst_id, err);
}

bool
result_set_reindex(struct db *db, int64_t inst_id, struct error *err)
{
	if (!store_done(store_query_set(db, "store/reindex_prepare", inst_id, err)) ||
		!db_begin(db, err))
		return false;
	if (!reindex_in_sql(db, inst_id, err) || !rebuild_trees(db, inst_id, err) ||
		!store_done(store_query_set(db, "store/graph_totals", inst_id, err))) {
		db_rollback(db);
		return false;
	}
	return db_commit(db, err) && db_exec(db, store_sql("store/reindex_analyze"), err);
}
