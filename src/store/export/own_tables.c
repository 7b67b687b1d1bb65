/*
 * Makes the queries for profdepot's own tables in an AQTime export, from the declarations of the
 * relations. If AQTime also has the relation, the table contains only the columns that AQTime lacks,
 * and only rows in which at least one of these columns differs from its default.
 */
#include "base/strbuf.h"
#include "rowset_private.h"

enum {
	SQL_MAX_BYTES = 16 * 1024
};

static void
append_column(struct strbuf *b, const struct row_column *c)
{
	if (c->type == ROW_TIME)
		strbuf_printf(
			b, "(extract(epoch FROM t.%s) * 1000000)::bigint AS %s", c->name, c->name);
	else if (c->type == ROW_BOOLEAN)
		strbuf_printf(b, "t.%s::integer AS %s", c->name, c->name);
	else
		strbuf_printf(b, "t.%s", c->name);
}

/* True if a value in this column is a reason to export the row. The version of a run is not a reason, because
 * it is the application's version, which PROFDEPOT_RESULT_SETS contains. */
static bool
is_condition(const struct row_column *c)
{
	return strcmp(c->name, "id") != 0 && strcmp(c->name, "version") != 0;
}

static void
append_condition(struct strbuf *b, const struct row_table *t)
{
	const char *word = " AND (";

	for (size_t i = 0; i < t->count; i++) {
		const struct row_column *c = &t->columns[i];

		if (!row_column_is_own(t, c) || !is_condition(c))
			continue;
		if (c->default_value)
			strbuf_printf(b, "%st.%s <> %s", word, c->name, c->default_value);
		else
			strbuf_printf(b, "%st.%s IS NOT NULL", word, c->name);
		word = " OR ";
	}
	strbuf_append_str(b, ")");
}

const char *
own_table_sql(struct arena *a, const struct row_table *t)
{
	struct strbuf b;
	const char *sql;

	strbuf_init(&b, SQL_MAX_BYTES);
	strbuf_append_str(&b, "SELECT $2::bigint AS inst_id");
	for (size_t i = 0; i < t->count; i++) {
		if (!row_column_is_own(t, &t->columns[i]))
			continue;
		strbuf_append_str(&b, ", ");
		append_column(&b, &t->columns[i]);
	}
	strbuf_printf(&b, " FROM profdepot.%s t WHERE t.inst_id = $1::bigint", t->relation);
	/* In a relation with one row per result set, the row exists even if it contains nothing to export. The
	 * condition then omits it. */
	if (row_table_is_aqtimes(t) || strcmp(t->key, "t.inst_id") == 0)
		append_condition(&b, t);
	strbuf_printf(&b, " ORDER BY %s", t->key);
	sql = arena_strndup(a, strbuf_str(&b), b.size);
	strbuf_release(&b);
	return sql;
}
