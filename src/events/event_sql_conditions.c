/* Builds the SQL parts of an event query: columns, arrival order, conditions. */
#include "event_sql_private.h"

#include <assert.h>

void
event_builder_init(struct event_builder *b, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, const struct event_track_sums *blocks)
{
	*b = (struct event_builder){
		.arena = a, .query = q, .sets = sets, .blocks = blocks, .uses_tracks = sets->mixed
	};
	strbuf_init(&b->select, SQL_MAX_BYTES);
	strbuf_init(&b->where, SQL_MAX_BYTES);
	strbuf_init(&b->all, SQL_MAX_BYTES);
	b->params = arena_alloc_array(a, SQL_MAX_PARAMS, sizeof(*b->params));
	b->params[b->param_count++] = sets->ids;
	if (!blocks)
		return;
	b->params[SQL_EVENTS_EVENT_TRACK_SUMS_SET_IDS] = blocks->inst_ids;
	b->params[SQL_EVENTS_EVENT_TRACK_SUMS_TRACK_IDS] = blocks->track_ids;
	b->params[SQL_EVENTS_EVENT_TRACK_SUMS_SUMS] = blocks->sums;
	b->params[SQL_EVENTS_EVENT_TRACK_SUMS_COUNTS] = blocks->counts;
	b->param_count = SQL_EVENTS_EVENT_TRACK_SUMS_PARAMS;
}

void
event_builder_release(struct event_builder *b)
{
	strbuf_release(&b->select);
	strbuf_release(&b->where);
	strbuf_release(&b->all);
}

const char *
event_sql_file(const char *name)
{
	const struct sql_file *f = sql_file_find(name);

	assert(f);
	return f->text;
}

const char *
event_param(struct event_builder *b, const char *value, const char *type)
{
	assert(b->param_count < SQL_MAX_PARAMS);
	b->params[b->param_count++] = value;
	return arena_printf(b->arena, "$%zu::%s", b->param_count, type);
}

const char *
event_int_param(struct event_builder *b, int64_t value)
{
	return event_param(b, arena_printf(b->arena, "%lld", (long long)value), "bigint");
}

void
event_put_rank(struct event_builder *b, struct strbuf *to, const char *inst_id)
{
	const struct event_sets *s = b->sets;

	if (!s->posted_ids)
		strbuf_printf(to, "%s, ", inst_id);
	else if (s->loaded)
		strbuf_printf(to, "CASE WHEN %s = ANY (%s) THEN %s ELSE %s END, ", inst_id,
			event_param(b, s->posted_ids, "bigint[]"),
			event_int_param(b, s->first_posted), inst_id);
}

/* Appends a column that is stored as an attribute. The schema's category_select() has the same
 * rules. */
static void
put_attribute(struct strbuf *to, struct text name, const char *type)
{
	for (size_t i = 0; i < name.size; i++)
		assert(char_is_word(name.data[i]));
	strbuf_printf(to, "(e.attributes ->> '%.*s')%s", (int)name.size, name.data, type);
}

static bool
is_named(const struct category_column *k, const char *name, enum category_type type)
{
	return k->type == type && text_equal(k->name, text_from(name));
}

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
		put_attribute(to, k->name, category_type_is_whole(k->type) ? "::bigint" : "");
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

static const char *const operator_sql[] = {
#define EVENT_SQL(op, name, sql) sql,
	EVENT_OPERATOR_TABLE(EVENT_SQL)
#undef EVENT_SQL
};

static void
put_text_test(struct event_builder *b, const struct event_node *n, const char *shown)
{
	const char *value = event_param(b, n->value, "text");

	if (n->op == EVENT_CONTAINS)
		strbuf_printf(
			&b->where, "strpos(lower((%s)::text COLLATE \"C\"), %s) > 0", shown, value);
	else
		strbuf_printf(
			&b->where, "(%s) COLLATE \"C\" %s %s", shown, operator_sql[n->op], value);
}

/* Appends a test of the stack text. The test compares each stack only once, not once per event. */
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
	if (n->as == EVENT_AS_TEXT || n->op == EVENT_CONTAINS)
		put_text_test(b, n, strbuf_str(&shown));
	else
		strbuf_printf(&b->where, "%s %s %s", strbuf_str(&shown), operator_sql[n->op],
			event_param(b, n->value, types[n->as]));
	strbuf_release(&shown);
}

/* JSON_BODY_MAX_DEPTH limits the recursion.
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

/* Selects the events that arrived after the event that the query names. */
static void
put_after(struct event_builder *b)
{
	const char *set = event_int_param(b, b->query->after_set);

	put_and(b);
	strbuf_append_char(&b->where, '(');
	event_put_rank(b, &b->where, "e.inst_id");
	strbuf_append_str(&b->where, "e.id, e.inst_id) > (");
	event_put_rank(b, &b->where, set);
	strbuf_printf(&b->where, "%s, %s)", event_int_param(b, b->query->after_id), set);
}

static void
put_time(struct event_builder *b, const char *operator, const char * seconds)
{
	if (!seconds)
		return;
	put_and(b);
	strbuf_printf(&b->where, "e.at %s %s", operator, event_param(b, seconds, "numeric"));
}

void
event_put_filter(struct event_builder *b, const struct event_filter *f)
{
	bool after = b->query->after_set >= 0;

	if (f->constraints) {
		put_and(b);
		put_node(b, f->constraints);
	}
	b->uses_events = b->uses_events || f->from || f->until || after;
	put_time(b, ">=", f->from);
	put_time(b, "<", f->until);
	if (after)
		put_after(b);
}
