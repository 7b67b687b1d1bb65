/* Reads the stored costs of routines as a tree of two levels. */
#include "base/array.h"
#include "base/number.h"
#include "model/call_tree.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>

enum {
	COLUMN_NAME,
	COLUMN_SELF = COLUMN_NAME + TREE_NAME_COLUMNS,
	COLUMN_TOTAL,
	COLUMN_TREE_TOTAL,
	COLUMN_ROUTINE
};

struct routine {
	int64_t id;
	struct table_frame name;
	wide_int self, total;
};

struct reading {
	struct arena *arena;
	struct routine *routines;
	size_t count, room;
	wide_int all; /* the tree's total */
	bool negative;
};

static bool
take_routine(void *self, const struct db_result *row, struct error *err)
{
	struct reading *r = self;
	struct routine *n = ARRAY_ADD(r->routines, r->count, r->room);

	(void)err;
	*n = (struct routine){
		.id = db_result_int64(row, 0, COLUMN_ROUTINE, CALL_TREE_UNKNOWN),
		.name = tree_name(r->arena, row, COLUMN_NAME),
		.self = tree_fixed(db_result_value(row, 0, COLUMN_SELF)),
		.total = tree_fixed(db_result_value(row, 0, COLUMN_TOTAL)),
	};
	r->all = tree_fixed(db_result_value(row, 0, COLUMN_TREE_TOTAL));
	r->negative |= n->self < 0 || n->total < 0;
	return true;
}

static struct tree *
make_tree(const struct reading *r, const struct tree_metric *m)
{
	struct tree *t = tree_new(r->arena, r->count + 1);
	struct table_frame *names = arena_alloc_array(r->arena, r->count, sizeof(*names));
	wide_int rest = r->all;

	t->count = t->all_nodes = r->count + 1;
	for (size_t i = 0; i < r->count; i++) {
		const struct routine *n = &r->routines[i];

		names[i] = n->name;
		t->nodes[i + 1] = (struct tree_node){ .depth = 1,
			.name = (uint32_t)i,
			.self = n->self,
			.total = n->total,
			.weight = n->total };
		rest -= n->self;
	}
	t->nodes[0] = (struct tree_node){ .self = rest, .total = r->all, .weight = r->all };
	t->names = names;
	t->name_count = r->count;
	tree_describe(t, r->arena, m);
	t->all_total = r->all;
	return t;
}

bool
tree_read_routines(struct db *db, struct arena *a, const struct tree_metric *m, struct tree **out,
	int64_t **ids, struct error *err)
{
	const char *params[SQL_STORE_TREE_ROUTINES_PARAMS] = {
		[SQL_STORE_TREE_ROUTINES_INST_ID] = m->inst_id,
		[SQL_STORE_TREE_ROUTINES_METRIC_NO] = INT64_TEXT(m->number),
	};
	struct reading r = { .arena = a };
	bool ok = db_query_each(db, store_sql("store/tree_routines"), params,
		SQL_STORE_TREE_ROUTINES_PARAMS, take_routine, &r, err);

	*out = ok && r.count && !r.negative ? make_tree(&r, m) : NULL;
	*ids = arena_alloc_array(a, r.count, sizeof(**ids));
	for (size_t i = 0; i < r.count; i++)
		(*ids)[i] = r.routines[i].id;
	free(r.routines);
	return ok;
}

bool
depot_tree_routines(struct db *db, struct arena *a, const struct tree_question *q,
	struct tree **out, struct error *err)
{
	struct tree_metric m;
	int64_t *ids;
	int64_t nodes;

	*out = NULL;
	if (!tree_metric_find(db, a, q->inst_id, q->metric, &m, err))
		return false;
	if (!m.closed || !m.name.data || !tree_stored_size(db, &m, &nodes, err))
		return !err->code;
	if (nodes < CALL_TREE_STORED_NODES)
		return true;
	if (!tree_read_routines(db, a, &m, out, &ids, err))
		return false;
	if (*out && tree_repeats_names(*out, tree_same_names(a, *out)))
		*out = NULL;
	return true;
}

bool
depot_routine_costs(struct db *db, struct arena *a, const struct tree_question *q,
	struct tree **out, struct error *err)
{
	struct tree_metric m;
	struct db_result *r;
	bool plain;
	int64_t *ids;

	*out = NULL;
	if (!tree_metric_find(db, a, q->inst_id, q->metric, &m, err))
		return false;
	if (!m.closed || !m.name.data)
		return true;
	r = STORE_QUERY(db, "routine_costs_are_plain", SQL_STORE_ROUTINE_COSTS_ARE_PLAIN,
		err, [SQL_STORE_ROUTINE_COSTS_ARE_PLAIN_INST_ID] = m.inst_id,
		[SQL_STORE_ROUTINE_COSTS_ARE_PLAIN_METRIC] = q->metric);
	plain = r && db_result_bool(r, 0, 0);
	if (!db_done(r))
		return false;
	return !plain || tree_read_routines(db, a, &m, out, &ids, err);
}
