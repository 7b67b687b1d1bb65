/*
 * Rebuilds a result set's call trees from the depot: from stacks and their totals, and from spans
 * and their parents.
 */
#include "base/arena.h"
#include "base/pair_map.h"
#include "checksums.h"
#include "store/result_sets.h"
#include "store/tree/tree_private.h"
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
	struct pair_map stacks; /* stack_id -> node */
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

/* ids is a text such as "{1,NULL,3}". It is read backwards, because it begins with the innermost frame. */
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

/* A total whose stack is unknown is added to the root, like a total without a stack. */
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

static bool
write_all(struct rebuild *b, struct error *err)
{
	struct copier *c = copier_new(b->db, store_relations, RELATIONS_WRITTEN);
	struct call_tree_rows rows = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < b->metric_count; i++)
		ok = call_tree_write(c, b->inst_id, b->tree, i, b->metrics[i], &rows, err);
	ok = ok && copier_settle(c, err);
	copier_free(c);
	return ok;
}

static bool
rebuild_trees(struct db *db, int64_t inst_id, struct error *err)
{
	struct rebuild b = { .db = db, .inst_id = inst_id, .tree = call_tree_new() };
	bool ok;

	ok = store_each(db, "store/reindex_metrics", inst_id, add_metric, &b, err) &&
	     store_each(db, "store/reindex_stacks", inst_id, add_stack, &b, err) &&
	     store_each(db, "store/reindex_totals", inst_id, add_total, &b, err) &&
	     tree_add_spans(db, INT64_TEXT(inst_id), b.metrics, b.metric_count, b.tree, err) &&
	     write_all(&b, err);
	pair_map_release(&b.stacks);
	call_tree_free(b.tree);
	return ok;
}

static bool
reindex_in_sql(struct db *db, int64_t inst_id, struct error *err)
{
	if (db_done(store_query_set(db, "store/reindex", inst_id, err)))
		return true;
	return strcmp(err->sqlstate, "P0002") == 0 && result_set_not_found(inst_id, err);
}

/* Updates statistics if SQL wrote or changed the result set. */
static bool
prepare(struct db *db, int64_t inst_id, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/state", inst_id, err);
	bool open = r && db_result_rows(r) &&
		    !text_equal(db_result_value(r, 0, 0), TEXT_LITERAL("closed"));

	return db_done(r) &&
	       (!open || db_done(store_query_set(db, "store/reindex_prepare", inst_id, err)));
}

bool
result_set_reindex(struct db *db, int64_t inst_id, struct error *err)
{
	if (!prepare(db, inst_id, err) || !db_begin(db, err))
		return false;
	if (!reindex_in_sql(db, inst_id, err) || !rebuild_trees(db, inst_id, err) ||
		!db_done(store_query_set(db, "store/graph_totals", inst_id, err)) ||
		!checksums_renew(db, inst_id, err)) {
		db_rollback(db);
		return false;
	}
	return db_commit(db, err) &&
	       db_done(store_query_set(db, "store/reindex_analyze", inst_id, err));
}
