/* Reads a rowset table with its query, one result set at a time. */
#include "base/number.h"
#include "rowset_private.h"
#include "store/store_private.h"

#include <stdlib.h>

struct table_reader {
	struct row_reader base;
	struct arena arena;
	struct depot_rowset *rowset;
	const struct depot_table *table;
	struct cursor cursor;
	size_t set;
	size_t skipped; /* number of leading columns to omit */
	struct text *fields;
};

bool
depot_cursor_begin(
	struct depot_rowset *s, struct cursor *c, const char *sql, size_t set, struct error *err)
{
	const char *params[] = { INT64_TEXT(s->sets[set].inst_id),
		INT64_TEXT(s->sets[set].number) };

	return cursor_begin(c, s->db, s->cursors++, sql, params, 2, err);
}

static enum row_status
next_row(struct row_reader *base, struct row *row, struct error *err)
{
	struct table_reader *r = (struct table_reader *)base;
	enum row_status status;
	size_t at;

	while ((status = cursor_next(&r->cursor, &at, err)) == ROW_END) {
		if (r->set + 1 >= r->rowset->set_count)
			return ROW_END;
		cursor_end(&r->cursor);
		if (!depot_cursor_begin(r->rowset, &r->cursor, r->table->sql, ++r->set, err))
			return ROW_ERROR;
	}
	if (status == ROW_ERROR)
		return ROW_ERROR;
	for (size_t i = 0; i < base->column_count; i++)
		r->fields[i] = db_result_value(r->cursor.batch, at, i + r->skipped);
	*row = (struct row){ .fields = r->fields, .count = base->column_count };
	return ROW_READ;
}

static void
close_reader(struct row_reader *base)
{
	struct table_reader *r = (struct table_reader *)base;

	cursor_end(&r->cursor);
	arena_release(&r->arena);
	free(r);
}

/* The table has the query's column names. In the query for errors, the first column is COL_LINERID,
 * which AQTime does not document for errors. */
static void
name_columns(struct table_reader *r)
{
	const struct db_result *batch = r->cursor.batch;
	bool is_errors = strcmp(r->table->name, "RESOURCE_PROFILER_CALL_STACK") == 0;
	const char **names;

	r->skipped = is_errors && !r->rowset->error_lines;
	r->base.column_count = db_result_columns(batch) - r->skipped;
	names = arena_alloc_array(&r->arena, r->base.column_count, sizeof(*names));
	for (size_t i = 0; i < r->base.column_count; i++)
		names[i] = arena_upper(
			&r->arena, text_from(db_result_column_name(batch, i + r->skipped)));
	r->base.columns = names;
	r->fields = arena_alloc_array(&r->arena, r->base.column_count, sizeof(*r->fields));
}

struct row_reader *
table_reader_new(struct depot_rowset *s, const struct depot_table *table, struct error *err)
{
	struct table_reader *r = xcalloc(1, sizeof(*r));

	r->base.source = table->name;
	r->base.next = next_row;
	r->base.close = close_reader;
	r->rowset = s;
	r->table = table;
	if (!depot_cursor_begin(s, &r->cursor, table->sql, 0, err)) {
		close_reader(&r->base);
		return NULL;
	}
	name_columns(r);
	return &r->base;
}
