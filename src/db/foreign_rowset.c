/* Tables of another PostgreSQL database as a rowset, read through cursors. */
#include "db/foreign_rowset.h"

#include "base/sql_file.h"
#include "db/cursor.h"

#include <stdlib.h>

enum {
	MAX_COLUMNS = 32
};

struct foreign_rowset {
	struct rowset interface;
	struct db *db;
	struct arena arena;
	unsigned cursors; /* number of cursors opened so far */
	const char *names[FOREIGN_MAX_TABLES];
	const char *queries[FOREIGN_MAX_TABLES]; /* SQL with the table names filled in */
	const char *tables[FOREIGN_MAX_TABLES];  /* table names as the server writes them */
};

struct foreign_reader {
	struct row_reader interface;
	struct cursor cursor;
	uint64_t number; /* number of the row within the table */
	const char *columns[MAX_COLUMNS];
	struct text fields[MAX_COLUMNS];
};

static enum row_status
next(struct row_reader *self, struct row *row, struct error *err)
{
	struct foreign_reader *r = (struct foreign_reader *)self;

	enum row_status status;
	size_t at;

	status = cursor_next(&r->cursor, &at, err);
	if (status == ROW_ERROR)
		error_prefix(err, "%s", self->source);
	if (status != ROW_READ)
		return status;
	for (size_t i = 0; i < self->column_count; i++)
		r->fields[i] = db_result_value(r->cursor.batch, at, i);
	*row = (struct row){
		.fields = r->fields, .count = self->column_count, .line = ++r->number
	};
	return ROW_READ;
}

static void
close_reader(struct row_reader *self)
{
	struct foreign_reader *r = (struct foreign_reader *)self;

	cursor_end(&r->cursor);
	free(r);
}

static struct row_reader *
open_reader(struct rowset *self, size_t table, struct error *err)
{
	struct foreign_rowset *s = (struct foreign_rowset *)self;
	struct foreign_reader *r = xcalloc(1, sizeof(*r));

	r->interface = (struct row_reader){ .source = s->tables[table],
		.columns = r->columns,
		.next = next,
		.close = close_reader };
	if (!cursor_begin(&r->cursor, s->db, s->cursors++, s->queries[table], NULL, 0, err)) {
		error_prefix(err, "%s", s->tables[table]);
		close_reader(&r->interface);
		return NULL;
	}
	r->interface.column_count = db_result_columns(r->cursor.batch);
	if (r->interface.column_count > MAX_COLUMNS)
		r->interface.column_count = MAX_COLUMNS;
	for (size_t i = 0; i < r->interface.column_count; i++)
		r->columns[i] = arena_strdup(&s->arena, db_result_column_name(r->cursor.batch, i));
	return &r->interface;
}

/* The table's name as the server writes it, quoted if needed. */
static const char *
find_table(struct foreign_rowset *s, const char *name, struct error *err)
{
	struct db_result *result =
		db_query(s->db, "SELECT pg_catalog.to_regclass($1)::text", &name, 1, err);
	const char *found;

	if (!result)
		return NULL;
	found = arena_text(&s->arena, db_result_value(result, 0, 0)).data;
	db_result_free(result);
	if (found)
		return found;
	error_set(err, ERROR_INPUT, "%s: no table %s", db_place_text(s->db), name);
	error_hint(err, "name the storage's tables with --from-tables");
	return NULL;
}

static const char *
put_table(struct arena *a, const char *query, const char *table)
{
	static const char mark[] = "{table}";
	const char *at = strstr(query, mark);

	return at ? arena_printf(
			    a, "%.*s%s%s", (int)(at - query), query, table, at + sizeof(mark) - 1)
		  : query;
}

static const char *
lower_case(struct arena *a, const char *name)
{
	char *out = arena_strdup(a, name);

	for (char *c = out; *c; c++)
		*c = char_lower(*c);
	return out;
}

static bool
open_tables(struct foreign_rowset *s, const struct foreign_table *tables, size_t count,
	struct error *err)
{
	if (!db_begin_snapshot(s->db, err) ||
		!db_exec(s->db, "SET LOCAL search_path = public; SET LOCAL timezone = 'UTC'", err))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct sql_file *f = sql_file_find(tables[i].query);

		s->names[i] = tables[i].name;
		s->tables[i] = find_table(s,
			tables[i].table ? tables[i].table : lower_case(&s->arena, tables[i].name),
			err);
		if (!s->tables[i])
			return false;
		if (!f)
			return error_set(err, ERROR_INTERNAL, "no query %s", tables[i].query);
		s->queries[i] = put_table(&s->arena, f->text, s->tables[i]);
	}
	s->interface =
		(struct rowset){ .tables = s->names, .table_count = count, .open = open_reader };
	return true;
}

struct foreign_rowset *
foreign_rowset_new(const char *uri, const char *option, const struct foreign_table *tables,
	size_t count, struct error *err)
{
	const struct db_target target = { .uri = uri, .role = DB_ROLE_LOADER, .foreign = option };
	struct foreign_rowset *s = xcalloc(1, sizeof(*s));

	s->arena = ARENA_INIT;
	s->db = db_open(&target, err);
	if (s->db && count <= FOREIGN_MAX_TABLES && open_tables(s, tables, count, err))
		return s;
	foreign_rowset_free(s);
	return NULL;
}

void
foreign_rowset_free(struct foreign_rowset *s)
{
	if (!s)
		return;
	if (s->db)
		db_rollback(s->db);
	db_close(s->db);
	arena_release(&s->arena);
	free(s);
}

struct rowset *
foreign_rowset_interface(struct foreign_rowset *s)
{
	return &s->interface;
}

const char *
foreign_rowset_place(const struct foreign_rowset *s)
{
	return db_place_text(s->db);
}
