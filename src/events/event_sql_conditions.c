#include "event_sql_private.h"

#include "base/sql_file.h"

#include <assert.h>

void
event_builder_init(struct event_builder *b, struct arena *a, const struct event_query *q,
	const struct event_sets *sets)
{
	*b = (struct event_builder){
		.arena = a, .query = q, .sets = sets, .uses_tracks = sets->mixed
	};
	strbuf_init(&b->select, SQL_MAX_BYTES);
	strbuf_init(&b->where, SQL_MAX_BYTES);
	strbuf_init(&b->all, SQL_MAX_BYTES);
	b->params = arena_alloc_array(a, SQL_MAX_PARAMS, sizeof(*b->params));
	b->params[b->param_count++] = sets->ids;
}

void
event_builder_take_sums(struct event_builder *b, const struct event_track_sums *blocks)
{
	const char *const arrays[] = { blocks->inst_ids, blocks->track_ids, blocks->sums,
		blocks->counts };

	b->blocks = blocks;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		b->params[b->param_count++] = arrays[i];
}

const char *
event_sql_file(const char *name)
{
	const struct sql_file *f = sql_file_find(name);

	assert(f);
	return f->text;
}

void
event_put_param(struct event_builder *b, struct strbuf *to, const char *value, const char *type)
{
	assert(b->param_count < SQL_MAX_PARAMS);
	b->params[b->param_count++] = value;
	strbuf_printf(to, "$%zu::%s", b->param_count, type);
}

void
event_put_int_param(struct event_builder *b, struct strbuf *to, int64_t value)
{
	event_put_param(b, to, arena_printf(b->arena, "%lld", (long long)value), "bigint");
}

/* --- order of arrival --------------------------------------------------------------------------
 */

/* What stands before id and inst_id in it: posted events are numbered over all their result sets,
 * loaded ones within theirs. */
void
event_put_rank(struct event_builder *b, struct strbuf *to, const char *alias)
{
	const struct event_sets *s = b->sets;

	if (!s->posted_ids) {
		strbuf_printf(to, "%s.inst_id, ", alias);
		return;
	}
	if (!s->loaded)
		return;
	strbuf_printf(to, "CASE WHEN %s.inst_id = ANY (", alias);
	event_put_param(b, to, s->posted_ids, "bigint[]");
	strbuf_append_str(to, ") THEN ");
	event_put_int_param(b, to, s->first_posted);
	strbuf_printf(to, " ELSE %s.inst_id END, ", alias);
}

/* The same for the place in a list that somebody goes on from. */
static void
put_rank_value(struct event_builder *b, struct strbuf *to, int64_t set)
{
	const struct event_sets *s = b->sets;

	if (!s->posted_ids) {
		event_put_int_param(b, to, set);
		strbuf_append_str(to, ", ");
	} else if (s->loaded) {
		strbuf_append_str(to, "CASE WHEN ");
		event_put_int_param(b, to, set);
		strbuf_append_str(to, " = ANY (");
		event_put_param(b, to, s->posted_ids, "bigint[]");
		strbuf_append_str(to, ") THEN ");
		event_put_int_param(b, to, s->first_posted);
		strbuf_append_str(to, " ELSE ");
		event_put_int_param(b, to, set);
		strbuf_append_str(to, " END, ");
	}
}

/* --- columns -------------------------------------------------------------------------------------
 */

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
void
event_put_column(struct event_builder *b, struct strbuf *to, size_t column)
{
	const struct category *c = b->query->category;
	const struct category_column *k = &c->columns[column];

	if (is_named(k, "hostname", CATEGORY_STRING) || is_named(k, "process", CATEGORY_STRING)) {
		b->uses_tracks = true;
		strbuf_append_str(to, k->name.data[0] == 'h' ? "t.host" : "t.process_name");
	} else if (is_named(k, "time", CATEGORY_TIMESTAMP)) {
		b->uses_events = true;
		strbuf_append_str(to,
			"COALESCE(e.attributes ->> 'time', to_char(" SECONDS_AS_TIME(
				"e.at") ", 'YYYY-MM-DD HH24:MI:SS') || substr((e.at - floor(e.at))::text, 2))");
	} else if (is_named(k, "pid", CATEGORY_INT)) {
		b->uses_tracks = true;
		strbuf_append_str(to, "COALESCE(t.thread_id, (e.attributes ->> 'pid')::bigint)");
	} else if (column == category_first_of(c, CATEGORY_ELAPSED)) {
		b->uses_events = true;
		strbuf_append_str(to, "e.weight");
	} else {
		b->uses_events = true;
		put_attribute(to, k->name,
			k->type == CATEGORY_INT || k->type == CATEGORY_ELAPSED ? "::bigint" : "");
	}
}

void
event_put_seconds(struct strbuf *to, const struct category_column *k)
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

bool
event_is_stack(const struct event_query *q, size_t column)
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
put_text_test(struct event_builder *b, const struct event_node *n, const char *shown)
{
	struct strbuf *to = &b->where;

	if (n->op == EVENT_CONTAINS) {
		strbuf_printf(to, "strpos(lower((%s)::text COLLATE \"C\"), ", shown);
		event_put_param(b, to, n->value, "text");
		strbuf_append_str(to, ") > 0");
		return;
	}
	strbuf_printf(to, "(%s) COLLATE \"C\" %s ", shown, operator_sql[n->op]);
	event_put_param(b, to, n->value, "text");
}

/* Stacks are compared once each, not once an event. */
static void
put_stack_test(struct event_builder *b, const struct event_node *n)
{
	b->uses_stacks = true;
	strbuf_append_str(&b->where,
		"(e.inst_id, e.stack_id) IN (SELECT k.inst_id, k.stack_id FROM k WHERE ");
	put_text_test(b, n, "k.stack");
	strbuf_append_char(&b->where, ')');
}

static void
put_test(struct event_builder *b, const struct event_node *n)
{
	static const char *const types[] = { "text", "bigint", "numeric", "numeric" };
	const struct category_column *k = &b->query->category->columns[n->column];
	struct strbuf shown;

	if (event_is_stack(b->query, n->column)) {
		put_stack_test(b, n);
		return;
	}
	strbuf_init(&shown, SQL_MAX_BYTES);
	b->uses_events = b->uses_events || n->as == EVENT_AS_SECONDS;
	if (n->as == EVENT_AS_SECONDS)
		event_put_seconds(&shown, k);
	else
		event_put_column(b, &shown, n->column);
	if (n->as == EVENT_AS_TEXT || n->op == EVENT_CONTAINS) {
		put_text_test(b, n, strbuf_str(&shown));
	} else {
		strbuf_printf(&b->where, "%s %s ", strbuf_str(&shown), operator_sql[n->op]);
		event_put_param(b, &b->where, n->value, types[n->as]);
	}
	strbuf_release(&shown);
}

/* As deep as the body's JSON at most, and that has a limit.
 * NOLINTBEGIN(misc-no-recursion) */

static void
put_node(struct event_builder *b, const struct event_node *n)
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
put_and(struct event_builder *b)
{
	strbuf_append_str(&b->where, b->where.size ? " AND " : " WHERE ");
}

static void
put_after(struct event_builder *b)
{
	strbuf_append_char(&b->where, '(');
	event_put_rank(b, &b->where, "e");
	strbuf_append_str(&b->where, "e.id, e.inst_id) > (");
	put_rank_value(b, &b->where, b->query->after_set);
	event_put_int_param(b, &b->where, b->query->after_id);
	strbuf_append_str(&b->where, ", ");
	event_put_int_param(b, &b->where, b->query->after_set);
	strbuf_append_char(&b->where, ')');
}

void
event_put_filter(struct event_builder *b, const struct event_filter *f)
{
	if (f->constraints) {
		put_and(b);
		put_node(b, f->constraints);
	}
	b->uses_events = b->uses_events || f->from || f->until || b->query->after_set >= 0;
	if (f->from) {
		put_and(b);
		strbuf_append_str(&b->where, "e.at >= ");
		event_put_param(b, &b->where, f->from, "numeric");
	}
	if (f->until) {
		put_and(b);
		strbuf_append_str(&b->where, "e.at < ");
		event_put_param(b, &b->where, f->until, "numeric");
	}
	if (b->query->after_set >= 0) {
		put_and(b);
		put_after(b);
	}
}
