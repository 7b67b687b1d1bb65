/* The event category catalogue. */
#include "store/categories.h"

#include "db/sql_array.h"
#include "store_private.h"

#include <string.h>

enum {
	ARRAY_MAX_BYTES = 1024 * 1024
};

struct db_result *
categories_query(struct db *db, struct error *err)
{
	return db_query(db, store_sql("store/categories"), NULL, 0, err);
}

static struct category_column
read_column(struct arena *a, const struct db_result *r, size_t row)
{
	return (struct category_column){
		.name = arena_text(a, db_result_value(r, row, CATEGORY_ROW_COLUMN)),
		.type = category_type_find(db_result_value(r, row, CATEGORY_ROW_TYPE)),
		.pretty_name = arena_text(a, db_result_value(r, row, CATEGORY_ROW_PRETTY_NAME)),
	};
}

const struct category_list *
categories_read(struct arena *a, struct db *db, struct error *err)
{
	struct db_result *r = categories_query(db, err);
	struct category_list *list = arena_alloc(a, sizeof(*list));
	struct category_column *columns;
	struct category *items;

	if (!r)
		return NULL;
	columns = arena_alloc_array(a, db_result_rows(r), sizeof(*columns));
	items = arena_alloc_array(a, db_result_rows(r), sizeof(*items));
	for (size_t i = 0; i < db_result_rows(r); i++) {
		struct text name = db_result_value(r, i, CATEGORY_ROW_NAME);

		columns[i] = read_column(a, r, i);
		if (!list->count || !text_equal(items[list->count - 1].name, name))
			items[list->count++] = (struct category){
				.name = arena_text(a, name),
				.columns = &columns[i],
				.built_in =
					db_result_value(r, i, CATEGORY_ROW_BUILT_IN).data[0] == '1',
			};
		items[list->count - 1].column_count++;
	}
	list->items = items;
	db_result_free(r);
	return list;
}

/* If the declaration caused the error, turns it into a usage error. */
static bool
blame_declaration(struct error *err)
{
	/* The SQLSTATEs of such errors: invalid name, SQL keyword, repeated column, existing
	 * relation, existing category, missing columns, concurrent declaration, category in use. */
	static const char *const states[] = { "42602", "42939", "42701", "42P07", "42710", "42611",
		"23505", "55006" };

	if (strcmp(err->sqlstate, "22021") == 0)
		return error_set(err, ERROR_USAGE, "category names and column names must be UTF-8");
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (strcmp(err->sqlstate, states[i]) == 0)
			err->code = ERROR_USAGE;
	return false;
}

bool
categories_add(struct db *db, const struct category *c, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct strbuf lists[3];
	struct db_result *r = NULL;

	for (size_t i = 0; i < 3; i++)
		strbuf_init(&lists[i], ARRAY_MAX_BYTES);
	for (size_t i = 0; i < c->column_count; i++) {
		sql_array_text(&lists[0], c->columns[i].name);
		sql_array_text(&lists[1], text_from(category_type_name(c->columns[i].type)));
		sql_array_text(&lists[2], c->columns[i].pretty_name);
	}
	for (size_t i = 0; i < 3; i++)
		sql_array_end(&lists[i]);
	if (lists[0].failed || lists[2].failed)
		error_set(err, ERROR_LIMIT, "the column names are longer than %d bytes in total",
			(int)ARRAY_MAX_BYTES);
	else
		r = STORE_QUERY(db, "category_add", SQL_STORE_CATEGORY_ADD, err,
			[SQL_STORE_CATEGORY_ADD_NAME] =
				arena_strndup(&a, c->name.data, c->name.size),
			[SQL_STORE_CATEGORY_ADD_COLUMNS] = strbuf_str(&lists[0]),
			[SQL_STORE_CATEGORY_ADD_TYPES] = strbuf_str(&lists[1]),
			[SQL_STORE_CATEGORY_ADD_TITLES] = strbuf_str(&lists[2]));
	if (!r)
		blame_declaration(err);
	db_result_free(r);
	for (size_t i = 0; i < 3; i++)
		strbuf_release(&lists[i]);
	arena_release(&a);
	return r != NULL;
}

bool
categories_remove(struct db *db, const char *name, struct error *err)
{
	struct db_result *r = STORE_QUERY(db, "category_remove", SQL_STORE_CATEGORY_REMOVE,
		err, [SQL_STORE_CATEGORY_REMOVE_NAME] = name);

	if (!r && strcmp(err->sqlstate, "42704") == 0) {
		err->code = ERROR_NOT_FOUND;
		error_hint(err, "\"profdepot category list\" shows them; those that come with the "
				"depot cannot be deleted");
	}
	if (!r)
		blame_declaration(err);
	return db_done(r);
}
