/*
 * Builds the SQL of an event query.
 */
#include "event_sql_private.h"

enum {
	SHORT_PAGE_ROWS = 10 * 1000,
};

/* --- parts ------------------------------------------------------------------------------------ */

static void
put_category(struct event_builder *b)
{
	struct text name = b->query->category->name;

	strbuf_printf(&b->all, " AND t.category = %s",
		event_param(b, arena_strndup(b->arena, name.data, name.size), "text"));
}

static void
join_tracks(struct event_builder *b)
{
	if (!b->uses_tracks)
		return;
	strbuf_append_str(&b->all,
		"JOIN profdepot.tracks t ON t.inst_id = e.inst_id AND t.track_id = e.track_id");
	put_category(b);
}

/* Appends SELECT with the columns, FROM with the events, and WHERE with the filter. */
static void
put_events(struct event_builder *b)
{
	struct strbuf *to = &b->all;

	strbuf_append_str(to, "SELECT ");
	strbuf_append_text(to, strbuf_text(&b->select));
	strbuf_append_str(to, "\nFROM (\n");
	if (b->sets->storage & EVENT_IN_ROWS)
		strbuf_printf(to,
			b->blocks ? "SELECT r.*, 1::bigint AS count FROM (\n%s) r\n" : "%s",
			event_sql_file("events/event_rows"));
	if (b->sets->storage == (EVENT_IN_ROWS | EVENT_IN_BLOCKS))
		strbuf_append_str(to, "UNION ALL\n");
	if (b->sets->storage & EVENT_IN_BLOCKS)
		strbuf_append_str(to, event_sql_file(b->blocks ? "events/event_track_sums"
							       : "events/event_blocks"));
	strbuf_append_str(to, ") e\n");
	join_tracks(b);
	strbuf_append_text(to, strbuf_text(&b->where));
	strbuf_append_char(to, '\n');
}

/* Selects the first events of one result set, from its rows or from its blocks. The tracks are read in a LATERAL
 * subquery with OFFSET 0, because a join could change the order of the events. */
static void
put_first_of_set(struct event_builder *b, const char *from, bool tracks)
{
	struct strbuf *to = &b->all;

	strbuf_printf(to, "(SELECT e.* FROM (\n%s) e\n", event_sql_file(from));
	if (tracks) {
		strbuf_append_str(to,
			"CROSS JOIN LATERAL (SELECT t.host, t.process_name, t.thread_id "
			"FROM profdepot.tracks t "
			"WHERE t.inst_id = e.inst_id AND t.track_id = e.track_id");
		put_category(b);
		strbuf_append_str(to, " OFFSET 0) t\n");
	}
	strbuf_append_text(to, strbuf_text(&b->where));
	strbuf_printf(to, " LIMIT %s)\n", event_int_param(b, b->query->limit + b->query->offset));
}

/* Selects only the first events of each result set, because other events cannot be on the page. */
static void
put_first_events(struct event_builder *b, bool tracks_judge)
{
	struct strbuf *to = &b->all;

	strbuf_append_str(to, "SELECT ");
	strbuf_append_text(to, strbuf_text(&b->select));
	strbuf_append_str(to, "\nFROM profdepot.instances s\nCROSS JOIN LATERAL (\n");
	if (b->sets->storage & EVENT_IN_ROWS)
		put_first_of_set(b, "events/event_rows_in_order", tracks_judge);
	if (b->sets->storage == (EVENT_IN_ROWS | EVENT_IN_BLOCKS))
		strbuf_append_str(to, "UNION ALL\n");
	if (b->sets->storage & EVENT_IN_BLOCKS)
		put_first_of_set(b, "events/event_blocks_in_order", tracks_judge);
	strbuf_append_str(to, ") e\n");
	join_tracks(b);
	strbuf_append_str(to, "\nWHERE s.inst_id = ANY (" EVENT_INST_IDS ")");
	strbuf_append_char(to, '\n');
}

static void
put_page(struct event_builder *b, int64_t limit, int64_t offset)
{
	if (limit >= 0)
		strbuf_printf(&b->all, " LIMIT %s", event_int_param(b, limit));
	if (offset > 0)
		strbuf_printf(&b->all, " OFFSET %s", event_int_param(b, offset));
}

/* Ends the statement. A WITH clause provides the stack texts that the conditions compare. */
static bool
finish(struct event_builder *b, struct event_statement *out, struct error *err)
{
	bool failed = b->select.failed || b->where.failed || b->all.failed;

	if (b->uses_stacks)
		out->sql = arena_printf(b->arena, "WITH k AS MATERIALIZED (\n%s)\n%s",
			event_sql_file("events/event_stack_texts"), strbuf_str(&b->all));
	else
		out->sql = arena_strdup(b->arena, strbuf_str(&b->all));
	out->params = b->params;
	out->param_count = b->param_count;
	event_builder_release(b);
	return !failed || error_set(err, ERROR_LIMIT, "the query is too long");
}

/* --- lists ------------------------------------------------------------------------------------ */

static bool
shows_stack(const struct event_query *q)
{
	for (size_t i = 0; i < q->column_count; i++)
		if (event_is_stack(q, q->columns[i]))
			return true;
	return false;
}

/* Appends the output columns: o, which gives the row order, and c0, c1 ..., which are shown. */
static void
select_list(struct event_builder *b)
{
	const struct event_query *q = b->query;
	const struct category_column *k = &q->category->columns[q->order.column];

	strbuf_append_str(&b->select, "e.inst_id, e.id, e.stack_id");
	for (size_t i = 0; i < q->column_count; i++) {
		if (event_is_stack(q, q->columns[i]))
			continue;
		strbuf_append_str(&b->select, ", ");
		event_put_column(b, &b->select, q->columns[i]);
		strbuf_printf(&b->select, " AS c%zu", i);
	}
	if (q->order.kind != EVENT_ORDER_COLUMN)
		return;
	strbuf_append_str(&b->select, ", ");
	if (k->type == CATEGORY_TIMESTAMP)
		event_put_seconds(&b->select, k);
	else
		event_put_column(b, &b->select, q->order.column);
	strbuf_append_str(&b->select, k->type == CATEGORY_STRING || k->type == CATEGORY_STACK
					      ? " COLLATE \"C\" AS o"
					      : " AS o");
}

static void
put_order(struct event_builder *b, const char *alias)
{
	const struct event_order *o = &b->query->order;
	const char *way = o->descending ? " DESC" : "";
	struct strbuf rank;

	strbuf_append_str(&b->all, " ORDER BY ");
	if (o->kind == EVENT_ORDER_COLUMN) {
		/* In ORDER BY, an output name cannot be part of an expression. */
		strbuf_printf(&b->all, "o%s, ", way);
		way = "";
	}
	strbuf_init(&rank, 4096);
	event_put_rank(b, &rank, arena_printf(b->arena, "%s.inst_id", alias));
	if (rank.size)
		strbuf_printf(&b->all, "%.*s%s, ", (int)rank.size - 2, rank.data, way);
	strbuf_release(&rank);
	strbuf_printf(&b->all, "%s.id%s, %s.inst_id%s", alias, way, alias, way);
}

/* Returns whether it is enough to read the first events of each result set. If the conditions compare stack
 * texts, the query must read all events, because the join with the texts does not keep the order. */
static bool
is_short_page(const struct event_builder *b)
{
	const struct event_query *q = b->query;

	return q->limit >= 0 && q->limit <= SHORT_PAGE_ROWS && q->offset <= SHORT_PAGE_ROWS &&
	       q->order.kind == EVENT_ORDER_ARRIVED && !q->order.descending && !b->uses_stacks;
}

bool
event_sql_list(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	struct event_statement *out, struct error *err)
{
	bool stacks = shows_stack(q);
	struct event_builder b;
	bool tracks_judge;

	event_builder_init(&b, a, q, sets, NULL);
	event_put_filter(&b, &q->filter);
	tracks_judge = b.uses_tracks;
	select_list(&b);
	strbuf_append_str(
		&b.all, b.uses_stacks ? ", p AS MATERIALIZED (\n" : "WITH p AS MATERIALIZED (\n");
	if (is_short_page(&b))
		put_first_events(&b, tracks_judge);
	else
		put_events(&b);
	put_order(&b, "e");
	put_page(&b, q->limit, q->offset);
	strbuf_append_str(&b.all, ")\nSELECT p.inst_id, p.id");
	for (size_t i = 0; i < q->column_count; i++)
		if (event_is_stack(q, q->columns[i]))
			strbuf_append_str(&b.all, ", x.stack");
		else
			strbuf_printf(&b.all, ", p.c%zu", i);
	strbuf_append_str(&b.all, " FROM p\n");
	if (stacks)
		strbuf_printf(&b.all,
			"LEFT JOIN (\n%s) x ON x.inst_id = p.inst_id AND x.stack_id = p.stack_id\n",
			event_sql_file("events/event_stack_texts_shown"));
	put_order(&b, "p");
	return finish(&b, out, err);
}

/* --- groups ----------------------------------------------------------------------------------- */

static void
put_weight(struct event_builder *b)
{
	strbuf_append_str(&b->select, ", ");
	if (b->query->weight == b->query->category->column_count)
		strbuf_append_str(&b->select, b->blocks ? "e.count" : "1");
	else
		event_put_column(b, &b->select, b->query->weight);
	strbuf_append_str(&b->select, " AS w");
}

static const char *
group_count(const struct event_builder *b)
{
	return b->blocks ? "sum(g.n)" : "count(*)";
}

static void
put_group_order(struct event_builder *b)
{
	const char *const words[] = { [EVENT_ORDER_BUCKET] = "g.bucket",
		[EVENT_ORDER_COUNT] = group_count(b),
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
		strbuf_printf(&b->all, "%s DESC, ", group_count(b));
	for (size_t i = 0; i < q->group_count; i++)
		strbuf_printf(&b->all, "g.c%zu, ", i);
	strbuf_append_str(&b->all, group_count(b));
}

static void
select_groups(struct event_builder *b)
{
	const struct event_query *q = b->query;

	for (size_t i = 0; i < q->group_count; i++) {
		bool text = !category_type_is_whole(q->category->columns[q->groups[i]].type);

		strbuf_append_str(&b->select, i ? ", " : "");
		event_put_column(b, &b->select, q->groups[i]);
		strbuf_printf(&b->select, "%s AS c%zu", text ? " COLLATE \"C\"" : "", i);
	}
	if (q->bucket_seconds) {
		const char *seconds = event_int_param(b, q->bucket_seconds);

		strbuf_printf(&b->select, "%sfloor(e.at / %s) * %s AS bucket",
			q->group_count ? ", " : "", seconds, seconds);
	}
	put_weight(b);
	strbuf_append_str(&b->select, b->blocks ? ", e.count AS n" : "");
}

bool
event_sql_asks_tracks(struct arena *a, const struct event_query *q, const struct event_sets *sets)
{
	struct event_builder b;

	event_builder_init(&b, a, q, sets, NULL);
	for (size_t i = 0; i < q->group_count; i++)
		event_put_column(&b, &b.select, q->groups[i]);
	event_put_filter(&b, &q->filter);
	event_builder_release(&b);
	return q->bucket_seconds == 0 && !b.uses_events && !b.uses_stacks;
}

bool
event_sql_groups(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	const struct event_track_sums *blocks, struct event_statement *out, struct error *err)
{
	struct strbuf by;
	struct event_builder b;

	event_builder_init(&b, a, q, sets, blocks);
	strbuf_init(&by, SQL_MAX_BYTES);
	for (size_t i = 0; i < q->group_count; i++)
		strbuf_printf(&by, "%sg.c%zu", i ? ", " : "", i);
	if (q->bucket_seconds)
		strbuf_append_str(&by, q->group_count ? ", g.bucket" : "g.bucket");
	select_groups(&b);
	event_put_filter(&b, &q->filter);
	strbuf_append_str(&b.all, "SELECT ");
	for (size_t i = 0; i < q->group_count; i++)
		strbuf_printf(&b.all, "g.c%zu, ", i);
	if (q->bucket_seconds)
		strbuf_append_str(&b.all,
			"to_char(" SECONDS_AS_TIME("g.bucket") ", 'YYYY-MM-DD HH24:MI:SS'), ");
	strbuf_printf(&b.all, "%s, sum(g.w)::text FROM (\n", group_count(&b));
	put_events(&b);
	strbuf_printf(&b.all, ") g\nGROUP BY %s", strbuf_str(&by));
	put_group_order(&b);
	put_page(&b, q->limit, q->offset);
	strbuf_release(&by);
	return finish(&b, out, err);
}

/* --- trees ------------------------------------------------------------------------------------ */

bool
event_sql_stacks(struct arena *a, const struct event_query *q, const struct event_filter *filter,
	const struct event_sets *sets, struct event_statement *out, struct error *err)
{
	bool counted = q->weight == q->category->column_count;
	struct event_builder b;

	event_builder_init(&b, a, q, sets, NULL);
	strbuf_append_str(&b.select, "e.inst_id, e.id, e.stack_id");
	if (!counted)
		put_weight(&b);
	event_put_filter(&b, filter);
	strbuf_printf(&b.all,
		"SELECT c.inst_id, COALESCE(c.stack_id, 0), %s::text, min(c.id) FROM (\n",
		counted ? "count(*)" : "COALESCE(sum(c.w), 0)");
	put_events(&b);
	if (q->limit >= 0) {
		strbuf_append_str(&b.all, " ORDER BY ");
		event_put_rank(&b, &b.all, "e.inst_id");
		strbuf_append_str(&b.all, "e.id, e.inst_id");
		put_page(&b, q->limit, 0);
	}
	strbuf_append_str(&b.all, ") c\nGROUP BY c.inst_id, COALESCE(c.stack_id, 0)");
	return finish(&b, out, err);
}

/* Selects the tracks that pass the filter. Events in blocks have no attributes, so the filter finds
 * NULL as their attributes. */
bool
event_sql_tracks(struct arena *a, const struct event_query *q, const struct event_filter *filter,
	const struct event_sets *sets, struct event_statement *out, bool *possible,
	struct error *err)
{
	struct event_builder b;
	bool all;

	event_builder_init(&b, a, q, sets, NULL);
	event_put_filter(&b, filter);
	*possible = !b.uses_events && !b.uses_stacks;
	all = !b.where.size && !sets->mixed;
	strbuf_append_str(&b.all,
		"SELECT t.inst_id, t.track_id FROM (\n"
		"SELECT t.* FROM profdepot.tracks t WHERE t.inst_id = ANY (" EVENT_INST_IDS ")");
	put_category(&b);
	strbuf_append_str(&b.all, ") t\nCROSS JOIN (SELECT NULL::json AS attributes) e\n");
	strbuf_append_text(&b.all, strbuf_text(&b.where));
	if (!finish(&b, out, err))
		return false;
	if (all)
		out->sql = NULL;
	return true;
}
