#include "event_sql.h"

#include "base/sql_file.h"
#include "base/strbuf.h"

#include <assert.h>

enum {
	SQL_MAX_BYTES = 4 * 1024 * 1024,
	SQL_MAX_PARAMS = EVENT_MAX_CONDITIONS + 32,
};

struct builder {
	struct arena *arena;
	const struct event_query *query;
	const struct event_sets *sets;
	struct strbuf select, where, all;
	const char **params;
	size_t param_count;
	bool uses_tracks, uses_stacks;
};

static void
builder_init(struct builder *b, struct arena *a, const struct event_query *q,
	const struct event_sets *sets)
{
	*b = (struct builder){ .arena = a, .query = q, .sets = sets, .uses_tracks = sets->mixed };
	strbuf_init(&b->select, SQL_MAX_BYTES);
	strbuf_init(&b->where, SQL_MAX_BYTES);
	strbuf_init(&b->all, SQL_MAX_BYTES);
	b->params = arena_alloc_array(a, SQL_MAX_PARAMS, sizeof(*b->params));
	b->params[b->param_count++] = sets->ids;
}

static const char *
file(const char *name)
{
	const struct sql_file *f = sql_file_find(name);

	assert(f);
	return f->text;
}

static void
put_param(struct builder *b, struct strbuf *to, const char *value, const char *type)
{
	assert(b->param_count < SQL_MAX_PARAMS);
	b->params[b->param_count++] = value;
	strbuf_printf(to, "$%zu::%s", b->param_count, type);
}

static void
put_int_param(struct builder *b, struct strbuf *to, int64_t value)
{
	put_param(b, to, arena_printf(b->arena, "%lld", (long long)value), "bigint");
}

/* --- order of arrival --------------------------------------------------------------------------
 */

/* What stands before id and inst_id in it: posted events are numbered over all their result sets,
 * loaded ones within theirs. */
static void
put_rank(struct builder *b, struct strbuf *to, const char *alias)
{
	const struct event_sets *s = b->sets;

	if (!s->posted_ids) {
		strbuf_printf(to, "%s.inst_id, ", alias);
		return;
	}
	if (!s->loaded)
		return;
	strbuf_printf(to, "CASE WHEN %s.inst_id = ANY (", alias);
	put_param(b, to, s->posted_ids, "bigint[]");
	strbuf_append_str(to, ") THEN ");
	put_int_param(b, to, s->first_posted);
	strbuf_printf(to, " ELSE %s.inst_id END, ", alias);
}

/* The same for the place in a list that somebody goes on from. */
static void
put_rank_value(struct builder *b, struct strbuf *to, int64_t set)
{
	const struct event_sets *s = b->sets;

	if (!s->posted_ids) {
		put_int_param(b, to, set);
		strbuf_append_str(to, ", ");
	} else if (s->loaded) {
		strbuf_append_str(to, "CASE WHEN ");
		put_int_param(b, to, set);
		strbuf_append_str(to, " = ANY (");
		put_param(b, to, s->posted_ids, "bigint[]");
		strbuf_append_str(to, ") THEN ");
		put_int_param(b, to, s->first_posted);
		strbuf_append_str(to, " ELSE ");
		put_int_param(b, to, set);
		strbuf_append_str(to, " END, ");
	}
}

/* --- columns -------------------------------------------------------------------------------------
 */

#define SECONDS_AS_TIME(at) \
	"(timestamp 'epoch' + floor(" at ")::double precision * interval '1 second')"

/* What the catalogue's rules say of where a column lies; category_select() of the schema says
 * the same. */
static void
put_attribute(struct strbuf *to, struct text name, const char *type)
{
	for (size_t i = 0; i < name.size; i++)
		assert(name.data[i] == '_' || (name.data[i] >= 'a' && name.data[i] <= 'z') ||
			(name.data[i] >= '0' && name.data[i] <= '9'));
	strbuf_printf(to, "(e.attributes ->> '%.*s')%s", (int)name.size, name.data, type);
}

static bool
is_named(const struct category_column *k, const char *name, enum category_type type)
{
	return k->type == type && text_equal(k->name, text_from(name));
}

/* As the sender wrote it. */
static void
put_column(struct builder *b, struct strbuf *to, size_t column)
{
	const struct category *c = b->query->category;
	const struct category_column *k = &c->columns[column];

	if (is_named(k, "hostname", CATEGORY_STRING) || is_named(k, "process", CATEGORY_STRING)) {
		b->uses_tracks = true;
		strbuf_append_str(to, k->name.data[0] == 'h' ? "t.host" : "t.process_name");
	} else if (is_named(k, "time", CATEGORY_TIMESTAMP)) {
		strbuf_append_str(to,
			"COALESCE(e.attributes ->> 'time', to_char(" SECONDS_AS_TIME(
				"e.at") ", 'YYYY-MM-DD HH24:MI:SS') || substr((e.at - floor(e.at))::text, 2))");
	} else if (is_named(k, "pid", CATEGORY_INT)) {
		b->uses_tracks = true;
		strbuf_append_str(to, "COALESCE(t.thread_id, (e.attributes ->> 'pid')::bigint)");
	} else if (column == category_first_of(c, CATEGORY_ELAPSED)) {
		strbuf_append_str(to, "e.weight");
	} else {
		put_attribute(to, k->name,
			k->type == CATEGORY_INT || k->type == CATEGORY_ELAPSED ? "::bigint" : "");
	}
}

static void
put_seconds(struct strbuf *to, const struct category_column *k)
{
	if (is_named(k, "time", CATEGORY_TIMESTAMP)) {
		strbuf_append_str(to, "e.at");
		return;
	}
	strbuf_append_str(to, "extract(epoch FROM CASE WHEN ");
	put_attribute(to, k->name, " ~ ':.*[Z+-]' THEN ");
	put_attribute(to, k->name, "::timestamptz AT TIME ZONE 'UTC' ELSE ");
	put_attribute(to, k->name, "::timestamp END)");
}

static bool
is_stack(const struct event_query *q, size_t column)
{
	return column == category_first_of(q->category, CATEGORY_STACK) &&
	       column < q->category->column_count;
}

/* --- conditions ----------------------------------------------------------------------------------
 */

static const char *const operator_sql[] = {
#define EVENT_SQL(op, name, sql) sql,
	EVENT_OPERATOR_TABLE(EVENT_SQL)
#undef EVENT_SQL
};

static void
put_text_test(struct builder *b, const struct event_node *n, const char *shown)
{
	struct strbuf *to = &b->where;

	if (n->op == EVENT_CONTAINS) {
		strbuf_printf(to, "strpos(lower((%s)::text COLLATE \"C\"), ", shown);
		put_param(b, to, n->value, "text");
		strbuf_append_str(to, ") > 0");
		return;
	}
	strbuf_printf(to, "(%s) COLLATE \"C\" %s ", shown, operator_sql[n->op]);
	put_param(b, to, n->value, "text");
}

/* Stacks are compared once each, not once an event. */
static void
put_stack_test(struct builder *b, const struct event_node *n)
{
	b->uses_stacks = true;
	strbuf_append_str(&b->where,
		"(e.inst_id, e.stack_id) IN (SELECT k.inst_id, k.stack_id FROM k WHERE ");
	put_text_test(b, n, "k.stack");
	strbuf_append_char(&b->where, ')');
}

static void
put_test(struct builder *b, const struct event_node *n)
{
	static const char *const types[] = { "text", "bigint", "numeric", "numeric" };
	const struct category_column *k = &b->query->category->columns[n->column];
	struct strbuf shown;

	if (is_stack(b->query, n->column)) {
		put_stack_test(b, n);
		return;
	}
	strbuf_init(&shown, SQL_MAX_BYTES);
	if (n->as == EVENT_AS_SECONDS)
		put_seconds(&shown, k);
	else
		put_column(b, &shown, n->column);
	if (n->as == EVENT_AS_TEXT || n->op == EVENT_CONTAINS) {
		put_text_test(b, n, strbuf_str(&shown));
	} else {
		strbuf_printf(&b->where, "%s %s ", strbuf_str(&shown), operator_sql[n->op]);
		put_param(b, &b->where, n->value, types[n->as]);
	}
	strbuf_release(&shown);
}

/* As deep as the body's JSON at most, and that has a limit.
 * NOLINTBEGIN(misc-no-recursion) */

/* As deep as the body's JSON at most. */
static void
put_node(struct builder *b, const struct event_node *n)
{
	switch (n->kind) {
	case EVENT_TRUE:
	case EVENT_FALSE:
		strbuf_append_str(&b->where, n->kind == EVENT_TRUE ? "true" : "false");
		return;
	case EVENT_COMPARE:
		put_test(b, n);
		return;
	case EVENT_ALL_OF:
	case EVENT_ANY_OF:
		break;
	}
	strbuf_append_char(&b->where, '(');
	for (const struct event_node *m = n->first; m; m = m->next) {
		put_node(b, m);
		if (m->next)
			strbuf_append_str(&b->where, n->kind == EVENT_ALL_OF ? " AND " : " OR ");
	}
	strbuf_append_char(&b->where, ')');
}

/* NOLINTEND(misc-no-recursion) */

static void
put_and(struct builder *b)
{
	strbuf_append_str(&b->where, b->where.size ? " AND " : " WHERE ");
}

static void
put_after(struct builder *b)
{
	strbuf_append_char(&b->where, '(');
	put_rank(b, &b->where, "e");
	strbuf_append_str(&b->where, "e.id, e.inst_id) > (");
	put_rank_value(b, &b->where, b->query->after_set);
	put_int_param(b, &b->where, b->query->after_id);
	strbuf_append_str(&b->where, ", ");
	put_int_param(b, &b->where, b->query->after_set);
	strbuf_append_char(&b->where, ')');
}

static void
put_filter(struct builder *b, const struct event_filter *f)
{
	if (f->constraints) {
		put_and(b);
		put_node(b, f->constraints);
	}
	if (f->from) {
		put_and(b);
		strbuf_append_str(&b->where, "e.at >= ");
		put_param(b, &b->where, f->from, "numeric");
	}
	if (f->until) {
		put_and(b);
		strbuf_append_str(&b->where, "e.at < ");
		put_param(b, &b->where, f->until, "numeric");
	}
	if (b->query->after_set >= 0) {
		put_and(b);
		put_after(b);
	}
}

/* --- parts
 * ----------------------------------------------------------------------------------------- */

/* SELECT what was collected FROM the events WHERE. */
static void
put_events(struct builder *b)
{
	struct strbuf *to = &b->all;

	strbuf_append_str(to, "SELECT ");
	strbuf_append_text(to, strbuf_text(&b->select));
	strbuf_append_str(to, "\nFROM (\n");
	if (b->sets->storage & EVENT_IN_ROWS)
		strbuf_append_str(to, file("service/event_rows"));
	if (b->sets->storage == (EVENT_IN_ROWS | EVENT_IN_BLOCKS))
		strbuf_append_str(to, "UNION ALL\n");
	if (b->sets->storage & EVENT_IN_BLOCKS)
		strbuf_append_str(to, file("service/event_blocks"));
	strbuf_append_str(to, ") e\n");
	if (b->uses_tracks) {
		strbuf_append_str(to,
			"JOIN profdepot.tracks t ON t.inst_id = e.inst_id AND t.track_id = e.track_id"
			" AND t.category = ");
		put_param(b, to,
			arena_strndup(b->arena, b->query->category->name.data,
				b->query->category->name.size),
			"text");
	}
	strbuf_append_text(to, strbuf_text(&b->where));
	strbuf_append_char(to, '\n');
}

static void
put_page(struct builder *b, int64_t limit, int64_t offset)
{
	if (limit >= 0) {
		strbuf_append_str(&b->all, " LIMIT ");
		put_int_param(b, &b->all, limit);
	}
	if (offset > 0) {
		strbuf_append_str(&b->all, " OFFSET ");
		put_int_param(b, &b->all, offset);
	}
}

/* The texts of stacks that conditions need come first. */
static bool
finish(struct builder *b, struct event_statement *out, struct error *err)
{
	bool failed = b->select.failed || b->where.failed || b->all.failed;

	if (b->uses_stacks)
		out->sql = arena_printf(b->arena, "WITH k AS MATERIALIZED (\n%s)\n%s",
			file("service/event_stack_texts"), strbuf_str(&b->all));
	else
		out->sql = arena_strdup(b->arena, strbuf_str(&b->all));
	out->params = b->params;
	out->param_count = b->param_count;
	strbuf_release(&b->select);
	strbuf_release(&b->where);
	strbuf_release(&b->all);
	return !failed || error_set(err, ERROR_LIMIT, "the question is too long");
}

/* --- lists
 * ----------------------------------------------------------------------------------------- */

static bool
shows_stack(const struct event_query *q)
{
	for (size_t i = 0; i < q->column_count; i++)
		if (is_stack(q, q->columns[i]))
			return true;
	return false;
}

/* o: what the rows are ordered by, c0 and so on: what is shown. */
static void
select_list(struct builder *b)
{
	const struct event_query *q = b->query;
	const struct category_column *k = &q->category->columns[q->order.column];

	strbuf_append_str(&b->select, "e.inst_id, e.id, e.stack_id");
	for (size_t i = 0; i < q->column_count; i++) {
		if (is_stack(q, q->columns[i]))
			continue;
		strbuf_append_str(&b->select, ", ");
		put_column(b, &b->select, q->columns[i]);
		strbuf_printf(&b->select, " AS c%zu", i);
	}
	if (q->order.kind != EVENT_ORDER_COLUMN)
		return;
	strbuf_append_str(&b->select, ", ");
	if (k->type == CATEGORY_TIMESTAMP)
		put_seconds(&b->select, k);
	else
		put_column(b, &b->select, q->order.column);
	strbuf_append_str(&b->select, k->type == CATEGORY_STRING || k->type == CATEGORY_STACK
					      ? " COLLATE \"C\" AS o"
					      : " AS o");
}

static void
put_order(struct builder *b, const char *alias)
{
	const struct event_order *o = &b->query->order;
	const char *way = o->descending ? " DESC" : "";
	struct strbuf rank;

	strbuf_append_str(&b->all, " ORDER BY ");
	if (o->kind == EVENT_ORDER_COLUMN) {
		/* An output name is no part of an expression. */
		strbuf_printf(&b->all, "o%s, ", way);
		way = "";
	}
	strbuf_init(&rank, 4096);
	put_rank(b, &rank, alias);
	if (rank.size)
		strbuf_printf(&b->all, "%.*s%s, ", (int)rank.size - 2, rank.data, way);
	strbuf_release(&rank);
	strbuf_printf(&b->all, "%s.id%s, %s.inst_id%s", alias, way, alias, way);
}

bool
event_sql_list(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	struct event_statement *out, struct error *err)
{
	bool stacks = shows_stack(q);
	struct builder b;

	builder_init(&b, a, q, sets);
	select_list(&b);
	put_filter(&b, &q->filter);
	strbuf_append_str(
		&b.all, b.uses_stacks ? ", p AS MATERIALIZED (\n" : "WITH p AS MATERIALIZED (\n");
	put_events(&b);
	put_order(&b, "e");
	put_page(&b, q->limit, q->offset);
	strbuf_append_str(&b.all, ")\nSELECT p.inst_id, p.id");
	for (size_t i = 0; i < q->column_count; i++)
		if (is_stack(q, q->columns[i]))
			strbuf_append_str(&b.all, ", x.stack");
		else
			strbuf_printf(&b.all, ", p.c%zu", i);
	strbuf_append_str(&b.all, " FROM p\n");
	if (stacks)
		strbuf_printf(&b.all,
			"LEFT JOIN (\n%s) x ON x.inst_id = p.inst_id AND x.stack_id = p.stack_id\n",
			file("service/event_stack_texts_shown"));
	put_order(&b, "p");
	return finish(&b, out, err);
}

/* --- groups
 * ---------------------------------------------------------------------------------------- */

static void
put_weight(struct builder *b)
{
	strbuf_append_str(&b->select, ", ");
	if (b->query->weight == b->query->category->column_count)
		strbuf_append_str(&b->select, "1");
	else
		put_column(b, &b->select, b->query->weight);
	strbuf_append_str(&b->select, " AS w");
}

static void
put_group_order(struct builder *b)
{
	static const char *const words[] = { [EVENT_ORDER_BUCKET] = "g.bucket",
		[EVENT_ORDER_COUNT] = "count(*)",
		[EVENT_ORDER_SUM] = "sum(g.w)" };
	const struct event_query *q = b->query;
	const char *way = q->order.descending ? " DESC" : "";
	bool arrived = q->order.kind == EVENT_ORDER_ARRIVED;

	strbuf_append_str(&b->all, "\nORDER BY ");
	if (q->order.kind == EVENT_ORDER_COLUMN) {
		for (size_t i = 0; i < q->group_count; i++)
			if (q->groups[i] == q->order.column)
				strbuf_printf(&b->all, "g.c%zu%s, ", i, way);
	} else if (!arrived) {
		strbuf_printf(&b->all, "%s%s, ", words[q->order.kind], way);
	}
	if (q->bucket_seconds)
		strbuf_append_str(&b->all, "g.bucket, ");
	if (arrived)
		strbuf_append_str(&b->all, "count(*) DESC, ");
	for (size_t i = 0; i < q->group_count; i++)
		strbuf_printf(&b->all, "g.c%zu, ", i);
	strbuf_append_str(&b->all, "count(*)");
}

static void
select_groups(struct builder *b)
{
	const struct event_query *q = b->query;

	for (size_t i = 0; i < q->group_count; i++) {
		bool text = q->category->columns[q->groups[i]].type != CATEGORY_INT &&
			    q->category->columns[q->groups[i]].type != CATEGORY_ELAPSED;

		strbuf_append_str(&b->select, i ? ", " : "");
		put_column(b, &b->select, q->groups[i]);
		strbuf_printf(&b->select, "%s AS c%zu", text ? " COLLATE \"C\"" : "", i);
	}
	if (q->bucket_seconds) {
		strbuf_append_str(&b->select, q->group_count ? ", floor(e.at / " : "floor(e.at / ");
		put_int_param(b, &b->select, q->bucket_seconds);
		strbuf_printf(&b->select, ") * $%zu AS bucket", b->param_count);
	}
	put_weight(b);
}

bool
event_sql_groups(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	struct event_statement *out, struct error *err)
{
	struct strbuf by;
	struct builder b;

	builder_init(&b, a, q, sets);
	strbuf_init(&by, SQL_MAX_BYTES);
	for (size_t i = 0; i < q->group_count; i++)
		strbuf_printf(&by, "%sg.c%zu", i ? ", " : "", i);
	if (q->bucket_seconds)
		strbuf_append_str(&by, q->group_count ? ", g.bucket" : "g.bucket");
	select_groups(&b);
	put_filter(&b, &q->filter);
	strbuf_append_str(&b.all, "SELECT ");
	for (size_t i = 0; i < q->group_count; i++)
		strbuf_printf(&b.all, "g.c%zu, ", i);
	if (q->bucket_seconds)
		strbuf_append_str(&b.all,
			"to_char(" SECONDS_AS_TIME("g.bucket") ", 'YYYY-MM-DD HH24:MI:SS'), ");
	strbuf_append_str(&b.all, "count(*), sum(g.w)::text FROM (\n");
	put_events(&b);
	strbuf_printf(&b.all, ") g\nGROUP BY %s", strbuf_str(&by));
	put_group_order(&b);
	put_page(&b, q->limit, q->offset);
	strbuf_release(&by);
	return finish(&b, out, err);
}

/* --- trees
 * ----------------------------------------------------------------------------------------- */

bool
event_sql_stacks(struct arena *a, const struct event_query *q, const struct event_filter *filter,
	const struct event_sets *sets, struct event_statement *out, struct error *err)
{
	bool counted = q->weight == q->category->column_count;
	struct builder b;

	builder_init(&b, a, q, sets);
	strbuf_append_str(&b.select, "e.inst_id, e.id, e.stack_id");
	if (!counted)
		put_weight(&b);
	put_filter(&b, filter);
	strbuf_printf(&b.all,
		"SELECT g.inst_id, g.w::text, s.routine_ids FROM (\n"
		"SELECT c.inst_id, c.stack_id, %s AS w, min(c.id) AS first FROM (\n",
		counted ? "count(*)" : "COALESCE(sum(c.w), 0)");
	put_events(&b);
	if (q->limit >= 0) {
		strbuf_append_str(&b.all, " ORDER BY ");
		put_rank(&b, &b.all, "e");
		strbuf_append_str(&b.all, "e.id, e.inst_id");
		put_page(&b, q->limit, 0);
	}
	strbuf_append_str(&b.all,
		") c\nGROUP BY c.inst_id, c.stack_id) g\n"
		"LEFT JOIN profdepot.stacks s ON s.inst_id = g.inst_id AND s.stack_id = g.stack_id\n"
		"ORDER BY ");
	put_rank(&b, &b.all, "g");
	strbuf_append_str(&b.all, "g.first, g.inst_id");
	return finish(&b, out, err);
}
