/* A rowset over the tables of an ODBC data source. */
#include "odbc_private.h"

#include "base/array.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

enum {
	NAME_MAX_BYTES = 256,
	MAX_TABLES = 10000,
	SQL_MAX_BYTES = 64 * 1024,
};

struct odbc_table {
	const char *name; /* upper case */
	const char *schema;
	const char *as_is;
	const char *inst_id; /* name of its INST_ID column, as the table spells it */
};

struct odbc_rowset {
	struct rowset interface; /* must be first: a rowset is cast to its odbc_rowset */
	struct odbc_link link;
	struct odbc_options options;
	struct odbc_table *tables; /* sorted by name */
	size_t capacity;
};

/* Whether this is a table of AQTime's profilers, or a table that profdepot's export adds. */
static bool
is_wanted(const char *upper)
{
	static const char *const parts[] = { "_PROFILER_", "_TRACER_", "_EMULATOR_",
		"PLATFORM_COMPLIANCE", "PROFDEPOT_" };

	if (strcmp(upper, "INSTANCES") == 0 || strcmp(upper, "RELATIONS") == 0)
		return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(upper, parts[i]))
			return true;
	return false;
}

/* The value of a column in the result of a catalogue function; "" for NULL. */
static const char *
catalogue_text(struct arena *a, SQLHSTMT stmt, SQLUSMALLINT column)
{
	char value[NAME_MAX_BYTES] = "";
	SQLLEN size = SQL_NULL_DATA;

	if (!SQL_SUCCEEDED(SQLGetData(stmt, column, SQL_C_CHAR, value, sizeof(value), &size)) ||
		size == SQL_NULL_DATA)
		value[0] = '\0';
	return arena_strdup(a, value);
}

static bool
add_table(struct odbc_rowset *s, SQLHSTMT stmt, struct error *err)
{
	struct arena *a = &s->link.arena;
	struct odbc_table t = { .schema = catalogue_text(a, stmt, 2),
		.as_is = catalogue_text(a, stmt, 3) };

	t.name = arena_upper(a, text_from(t.as_is));
	if (!is_wanted(t.name))
		return true;
	if (s->interface.table_count == MAX_TABLES)
		return error_set(
			err, ERROR_LIMIT, "%s: more than %d tables", s->link.name, (int)MAX_TABLES);
	*ARRAY_ADD(s->tables, s->interface.table_count, s->capacity) = t;
	return true;
}

static int
compare_tables(const void *a, const void *b)
{
	return strcmp(((const struct odbc_table *)a)->name, ((const struct odbc_table *)b)->name);
}

static const char *
qualified(struct odbc_rowset *s, const struct odbc_table *t)
{
	if (!*t->schema)
		return odbc_quote(&s->link, t->as_is);
	return arena_printf(&s->link.arena, "%s.%s", odbc_quote(&s->link, t->schema),
		odbc_quote(&s->link, t->as_is));
}

static bool
check_tables(struct odbc_rowset *s, struct error *err)
{
	for (size_t i = 1; i < s->interface.table_count; i++) {
		if (compare_tables(&s->tables[i - 1], &s->tables[i]) != 0)
			continue;
		error_set(err, ERROR_INPUT, "%s has two tables for %s: %s and %s", s->link.name,
			s->tables[i].name, qualified(s, &s->tables[i - 1]),
			qualified(s, &s->tables[i]));
		return error_hint(err, "log in as a user with access to only one of them");
	}
	return true;
}

static bool
list_tables(struct odbc_rowset *s, struct error *err)
{
	SQLCHAR types[] = "TABLE,VIEW";
	SQLHSTMT stmt = SQL_NULL_HSTMT;
	SQLRETURN r;
	const char **names;
	bool ok = true;

	if (!odbc_statement(&s->link, &stmt, err))
		return false;
	r = SQLTables(stmt, NULL, 0, NULL, 0, NULL, 0, types, SQL_NTS);
	while (SQL_SUCCEEDED(r) && ok && SQL_SUCCEEDED(r = SQLFetch(stmt)))
		ok = add_table(s, stmt, err);
	if (ok && r != SQL_NO_DATA)
		ok = odbc_error(&s->link, SQL_HANDLE_STMT, stmt, err, "cannot list the tables");
	SQLFreeHandle(SQL_HANDLE_STMT, stmt);
	if (!ok)
		return false;
	if (s->interface.table_count)
		qsort(s->tables, s->interface.table_count, sizeof(*s->tables), compare_tables);
	names = arena_alloc_array(&s->link.arena, s->interface.table_count + 1, sizeof(*names));
	for (size_t i = 0; i < s->interface.table_count; i++)
		names[i] = s->tables[i].name;
	s->interface.tables = names;
	return check_tables(s, err);
}

/* Stores the name of the INST_ID column as the table spells it. Fails with ERROR_INPUT if there is
 * no such column. */
static bool
find_inst_id(struct odbc_rowset *s, struct odbc_table *t, struct error *err)
{
	SQLHSTMT stmt = SQL_NULL_HSTMT;
	SQLCHAR *schema = (SQLCHAR *)arena_strdup(&s->link.arena, t->schema);
	SQLCHAR *name = (SQLCHAR *)arena_strdup(&s->link.arena, t->as_is);
	SQLRETURN r;
	bool ok = true;

	if (t->inst_id)
		return true;
	if (!odbc_statement(&s->link, &stmt, err))
		return false;
	r = SQLColumns(stmt, NULL, 0, *t->schema ? schema : NULL, SQL_NTS, name, SQL_NTS, NULL, 0);
	while (SQL_SUCCEEDED(r) && SQL_SUCCEEDED(r = SQLFetch(stmt))) {
		/* The driver treats the names as patterns in which "_" matches any character. */
		const char *table = catalogue_text(&s->link.arena, stmt, 3);
		const char *column = catalogue_text(&s->link.arena, stmt, 4);

		if (strcasecmp(table, t->as_is) == 0 && strcasecmp(column, "INST_ID") == 0)
			t->inst_id = column;
	}
	if (r != SQL_NO_DATA)
		ok = odbc_error(&s->link, SQL_HANDLE_STMT, stmt, err,
			"cannot list the columns of %s", t->as_is);
	else if (!t->inst_id)
		ok = error_set(
			err, ERROR_INPUT, "%s: %s has no column INST_ID", s->link.name, t->as_is);
	SQLFreeHandle(SQL_HANDLE_STMT, stmt);
	return ok;
}

static struct row_reader *
open_table(struct rowset *interface, size_t table, struct error *err)
{
	struct odbc_rowset *s = (struct odbc_rowset *)interface;
	struct odbc_table *t = &s->tables[table];
	struct row_reader *reader = NULL;
	struct strbuf sql = STRBUF_INIT(SQL_MAX_BYTES);

	strbuf_printf(&sql, "SELECT * FROM %s", qualified(s, t));
	if (s->options.inst_id_count && !find_inst_id(s, t, err)) {
		strbuf_release(&sql);
		return NULL;
	}
	/* Some drivers do not support parameters. The values are integers, so they are safe in the
	 * statement. */
	for (size_t i = 0; i < s->options.inst_id_count; i++)
		strbuf_printf(&sql, " %s %s = %" PRId64, i ? "OR" : "WHERE",
			odbc_quote(&s->link, t->inst_id), s->options.inst_ids[i]);
	if (sql.failed)
		error_set(
			err, ERROR_LIMIT, "%s: too many result sets were requested", s->link.name);
	else
		reader = odbc_reader_new(&s->link, t->as_is, strbuf_str(&sql), err);
	strbuf_release(&sql);
	return reader;
}

struct odbc_rowset *
odbc_rowset_new(
	const char *connection_string, const struct odbc_options *options, struct error *err)
{
	struct odbc_rowset *s = xcalloc(1, sizeof(*s));

	s->link.arena = ARENA_INIT;
	s->interface.open = open_table;
	s->options = *options;
	s->link.one_statement = options->one_statement;
	s->link.encoding = options->encoding;
	s->link.max_field_bytes =
		options->max_field_bytes ? options->max_field_bytes : (size_t)16 * 1024 * 1024;
	if (!odbc_connect(&s->link, connection_string, err) || !list_tables(s, err)) {
		odbc_rowset_free(s);
		return NULL;
	}
	return s;
}

void
odbc_rowset_free(struct odbc_rowset *s)
{
	if (!s)
		return;
	odbc_disconnect(&s->link);
	free(s->tables);
	free(s);
}

struct rowset *
odbc_rowset_interface(struct odbc_rowset *s)
{
	return &s->interface;
}
