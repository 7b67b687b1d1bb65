/* Loads a call tree with its names, from stored nodes or from facts. */
#include "store/tree/depot_tree.h"

#include "base/pair_map.h"
#include "db/sql_array.h"
#include "model/call_tree.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <string.h>

struct table_frame
tree_name(struct arena *a, const struct db_result *row, size_t first)
{
	return (struct table_frame){
		.module_name = arena_text(a, db_result_value(row, 0, first)),
		.class_name = arena_text(a, db_result_value(row, 0, first + 1)),
		.routine_name = arena_text(a, db_result_value(row, 0, first + 2)),
		.unit_name = arena_text(a, db_result_value(row, 0, first + 3)),
		.source_file = arena_text(a, db_result_value(row, 0, first + 4)),
		.source_line = db_result_int64(row, 0, first + 5, TABLE_NO_LINE),
	};
}

void
tree_describe(struct tree *t, struct arena *a, const struct tree_metric *m)
{
	t->metric = m->name;
	t->unit = m->unit;
	t->title = m->title;
	t->set = (struct tree_set){ text_from(arena_strdup(a, m->inst_id)), m->caption };
}

struct naming {
	struct arena *arena;
	struct pair_map map; /* (routine, 0) -> index in names */
	struct table_frame *names;
	size_t count;
};

static bool
take_name(void *self, const struct db_result *row, struct error *err)
{
	struct naming *n = self;
	uint32_t i = pair_map_get(&n->map, db_result_int64(row, 0, 0, INT64_MIN), 0);

	(void)err;
	if (i == PAIR_MAP_NONE)
		return true;
	n->names[i] = tree_name(n->arena, row, 1);
	return true;
}

static bool
read_names(struct db *db, struct naming *n, const char *inst_id, const struct strbuf *ids,
	struct error *err)
{
	if (ids->failed)
		return error_set(err, ERROR_LIMIT, "the call tree has too many routines");
	return db_query_each(db, store_sql("store/tree_names"),
		SQL_VALUES(SQL_STORE_TREE_NAMES, [SQL_STORE_TREE_NAMES_INST_ID] = inst_id,
			[SQL_STORE_TREE_NAMES_REC_IDS] = strbuf_str(ids)),
		SQL_STORE_TREE_NAMES_PARAMS, take_name, n, err);
}

/* Numbers the routines of the tree and reads their names. */
static bool
name_nodes(struct db *db, struct naming *n, const char *inst_id, const struct plain_tree *plain,
	struct tree *t, struct error *err)
{
	struct strbuf ids;
	bool ok;

	strbuf_init(&ids, 512UL * 1024 * 1024);
	for (size_t i = 1; i < plain->count; i++) {
		bool added;

		t->nodes[i].name = pair_map_add(
			&n->map, plain->nodes[i].routine, 0, (uint32_t)n->count, &added);
		if (!added)
			continue;
		n->count++;
		sql_array_int(&ids, plain->nodes[i].routine);
	}
	sql_array_end(&ids);
	n->names = arena_alloc_array(n->arena, n->count, sizeof(*n->names));
	for (size_t i = 0; i < n->count; i++)
		n->names[i].source_line = TABLE_NO_LINE;
	ok = read_names(db, n, inst_id, &ids, err);
	strbuf_release(&ids);
	t->names = n->names;
	t->name_count = n->count;
	return ok;
}

static struct tree *
make_tree(struct db *db, struct arena *a, const struct tree_metric *m,
	const struct plain_tree *plain, struct error *err)
{
	struct tree *t = tree_new(a, plain->count);
	struct naming n = { .arena = a };
	bool ok;

	t->count = plain->count;
	for (size_t i = 0; i < plain->count; i++) {
		const struct plain_node *p = &plain->nodes[i];

		t->nodes[i] = (struct tree_node){
			.parent = p->parent, .depth = p->depth, .folded = p->folded, .self = p->self
		};
	}
	tree_describe(t, a, m);
	t->all_nodes = plain->all_nodes;
	tree_sum(t);
	t->all_total = t->nodes[0].total;
	ok = name_nodes(db, &n, m->inst_id, plain, t, err);
	pair_map_release(&n.map);
	return ok ? t : NULL;
}

struct tree *
depot_tree_load(struct db *db, struct arena *a, const struct tree_question *q, struct error *err)
{
	size_t max_nodes = q->max_nodes > CALL_TREE_STORED_NODES ? 0 : q->max_nodes;
	struct plain_tree plain = { NULL, 0, 0 };
	struct tree_metric m;
	bool whole = false;

	if (!tree_metric_find(db, a, q->inst_id, q->metric, &m, err))
		return NULL;
	if (m.closed && m.name.data && !tree_read_stored(db, a, &m, max_nodes, &plain, &whole, err))
		return NULL;
	if (m.name.data && (!plain.count || (max_nodes == 0 && !whole)) &&
		!tree_read_facts(db, a, &m, &plain, err))
		return NULL;
	if (!plain.count) { /* there are no facts, so the tree has only a root */
		plain.nodes = arena_alloc(a, sizeof(*plain.nodes));
		plain.count = plain.all_nodes = 1;
	}
	return make_tree(db, a, &m, &plain, err);
}
