/* Costs of routines from a call graph, for a tree's frames. */
#include "store/tree/graph_totals.h"

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
	const struct tree *tree;
	struct tree_frame *frames;
	struct pair_map by_name; /* indexes into frames */
	struct strbuf key;
	size_t rows;
};

static struct hash128
key_of(struct correction *c, struct text module, struct text class, struct text routine)
{
	const struct text parts[] = { module, class, routine };

	strbuf_reset(&c->key);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		strbuf_append_text(&c->key, parts[i]);
		strbuf_append_char(&c->key, '\x1f');
	}
	return hash128(c->key.data, c->key.size);
}

static bool
take_row(void *self, const struct db_result *row, struct error *err)
{
	struct correction *c = self;
	struct hash128 key = key_of(c, db_result_value(row, 0, COLUMN_MODULE),
		db_result_value(row, 0, COLUMN_CLASS), db_result_value(row, 0, COLUMN_ROUTINE));
	uint32_t place = pair_map_get(&c->by_name, (int64_t)key.low, (int64_t)key.high);

	(void)err;
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
	struct correction c = { .tree = tree, .frames = frames };
	char number[24], *metric;
	bool ok;

	if (!count || !tree->metric.size)
		return true;
	number_format_int64(inst_id, number);
	metric = xmalloc(tree->metric.size + 1);
	memcpy(metric, tree->metric.data, tree->metric.size);
	metric[tree->metric.size] = '\0';
	pair_map_init(&c.by_name);
	strbuf_init(&c.key, KEY_MAX_BYTES);
	for (size_t i = 0; i < count; i++) {
		const struct table_frame *f = &tree->names[frames[i].name];
		struct hash128 key = key_of(&c, f->module_name, f->class_name, f->routine_name);

		pair_map_add(&c.by_name, (int64_t)key.low, (int64_t)key.high, (uint32_t)i, NULL);
	}
	ok = db_query_each(db, store_sql("store/graph_routines"),
		SQL_VALUES(SQL_STORE_GRAPH_ROUTINES, [SQL_STORE_GRAPH_ROUTINES_INST_ID] = number,
			[SQL_STORE_GRAPH_ROUTINES_METRIC] = metric),
		SQL_STORE_GRAPH_ROUTINES_PARAMS, take_row, &c, err);
	if (ok && c.rows)
		qsort(frames, count, sizeof(*frames), compare_frames);
	pair_map_release(&c.by_name);
	strbuf_release(&c.key);
	free(metric);
	return ok;
}
