/* Reads the costs of routines from a call graph, and assigns them to a tree's frames. */
#include "store/tree/depot_tree.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>

enum {
	COLUMN_MODULE,
	COLUMN_CLASS,
	COLUMN_ROUTINE,
	COLUMN_SELF,
	COLUMN_TOTAL,
	KEY_MAX_BYTES = 16 * 1024 * 1024
};

struct correction {
	struct tree_frame *frames;
	struct pair_map by_name; /* indexes into frames */
	struct strbuf key;
	size_t rows;
};

static void
set_key(struct correction *c, struct text module, struct text class, struct text routine)
{
	const struct text parts[] = { module, class, routine };

	strbuf_reset(&c->key);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		strbuf_append_text(&c->key, parts[i]);
		strbuf_append_char(&c->key, '\x1f');
	}
}

static bool
take_row(void *self, const struct db_result *row, struct error *err)
{
	struct correction *c = self;
	uint32_t place;

	(void)err;
	set_key(c, db_result_value(row, 0, COLUMN_MODULE), db_result_value(row, 0, COLUMN_CLASS),
		db_result_value(row, 0, COLUMN_ROUTINE));
	place = pair_map_get_bytes(&c->by_name, c->key.data, c->key.size);
	c->rows++;
	if (place == PAIR_MAP_NONE)
		return true;
	c->frames[place].self = tree_fixed(db_result_value(row, 0, COLUMN_SELF));
	c->frames[place].total = tree_fixed(db_result_value(row, 0, COLUMN_TOTAL));
	return true;
}

static int
compare_frames(const void *a, const void *b)
{
	const struct tree_frame *x = a;
	const struct tree_frame *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

bool
graph_totals_correct(struct db *db, int64_t inst_id, const struct tree *tree,
	struct tree_frame *frames, size_t count, struct error *err)
{
	struct correction c = { .frames = frames };
	struct arena a = ARENA_INIT;
	bool ok;

	if (!count || !tree->metric.size)
		return true;
	strbuf_init(&c.key, KEY_MAX_BYTES);
	for (size_t i = 0; i < count; i++) {
		const struct table_frame *f = &tree->names[frames[i].name];

		set_key(&c, f->module_name, f->class_name, f->routine_name);
		pair_map_add_bytes(&c.by_name, c.key.data, c.key.size, (uint32_t)i, NULL);
	}
	ok = db_query_each(db, store_sql("store/graph_routines"),
		SQL_VALUES(SQL_STORE_GRAPH_ROUTINES,
			[SQL_STORE_GRAPH_ROUTINES_INST_ID] = INT64_TEXT(inst_id),
			[SQL_STORE_GRAPH_ROUTINES_METRIC] = arena_text(&a, tree->metric).data),
		SQL_STORE_GRAPH_ROUTINES_PARAMS, take_row, &c, err);
	if (ok && c.rows)
		qsort(frames, count, sizeof(*frames), compare_frames);
	pair_map_release(&c.by_name);
	strbuf_release(&c.key);
	arena_release(&a);
	return ok;
}
