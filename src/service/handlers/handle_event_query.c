/* Handlers of event queries under /v1. The queries can ask for groups, pages, trees and comparisons.
 * Unknown fields are rejected. */
#include "handle.h"

#include "base/json_string.h"
#include "base/strbuf.h"
#include "events/events.h"
#include "render/flame.h"

#include <inttypes.h>

enum {
	VALUES_LIMIT = 100
};

static const struct category *
find_category(struct http_call *c, const struct category_list *list, struct error *err)
{
	struct text name = http_field_find(&c->request->parts, "category");
	const struct category *k = category_find(list, name);

	if (k)
		return k;
	error_set(err, ERROR_NOT_FOUND, "unknown category \"%.*s\"", text_precision(name, 40),
		name.data);
	error_hint(err, "GET /v1/categories lists them");
	return NULL;
}

static void
begin_rows(struct json_writer *w, FILE *out, const struct category *k, const char *rows)
{
	json_writer_init_answer(w, out, false);
	json_begin_object(w);
	json_key_depot_text(w, "category", k->name);
	json_key_array(w, rows);
}

/* q is NULL if the rows are not groups. */
static void
end_rows(struct json_writer *w, const struct event_page *page, const struct event_query *q)
{
	json_end_array(w);
	if (q)
		json_key_string(w, "unit", event_weight_unit(q));
	json_key_bool(w, "more", page->more);
}

static void
put_next(struct json_writer *w, const struct event_page *page)
{
	char next[48];

	snprintf(next, sizeof(next), "%" PRId64 ":%" PRId64, page->last_set, page->last_id);
	json_key_string(w, "next", next);
}

static bool
answer_list(struct http_call *c, struct db *db, const struct event_query *q,
	const struct event_sets *sets, struct error *err)
{
	bool grouped = event_query_is_grouped(q);
	struct event_page page = { .ask_more = true };
	struct json_writer w;

	begin_rows(&w, c->answer->out, q->category, grouped ? "groups" : "rows");
	if (grouped ? !events_write_groups(db, c->arena, q, sets, &w, &page, err)
		    : !events_write_list(db, c->arena, q, sets, &w, &page, err))
		return false;
	end_rows(&w, &page, grouped ? q : NULL);
	if (!grouped && page.more && page.rows && q->order.kind == EVENT_ORDER_ARRIVED &&
		!q->order.descending)
		put_next(&w, &page);
	handle_json_end(c, &w);
	return true;
}

static bool
write_graph(struct http_call *c, const struct tree *t, struct error *err)
{
	const struct flame_options inner = { .part = true };
	struct json_writer w;

	handle_json_begin(c, &w);
	json_key_depot_text(&w, "category", t->set.caption);
	json_key_depot_text(&w, "weight", t->metric);
	json_key_text(&w, "unit", t->unit);
	json_key_int(&w, "nodes", (int64_t)t->count);
	json_key_int(&w, "trimmed", (int64_t)(t->all_nodes - t->count));
	json_key(&w, "tree");
	if (!flame_writer_find("json")->write(c->answer->out, t, &inner, err))
		return false;
	json_raw(&w, TEXT_LITERAL(""));
	handle_json_end(c, &w);
	return true;
}

static bool
answer_tree(struct http_call *c, struct db *db, const struct event_query *q,
	const struct event_sets *sets, struct error *err)
{
	const struct flame_options options = { .width = FLAME_WIDTH };
	struct tree *t = events_tree(db, c->arena, q, sets, err);
	const struct flame_writer *writer = flame_writer_find(event_format_name(q->format));

	if (!t)
		return false;
	http_answer_field(c->answer, "X-Profdepot-Nodes", arena_printf(c->arena, "%zu", t->count));
	http_answer_field(c->answer, "X-Profdepot-Trimmed",
		arena_printf(c->arena, "%zu", t->all_nodes - t->count));
	if (q->format == EVENT_FLAMEGRAPH)
		return write_graph(c, t, err);
	c->answer->content_type = writer->content_type;
	return writer->write(c->answer->out, t, &options, err);
}

bool
handle_event_query(struct http_call *c, struct error *err)
{
	const struct category_list *list;
	const struct json_node *body;
	const struct category *k;
	struct event_sets sets;
	struct event_query q = { 0 };
	struct db *db;

	if (!handle_document(c, &body, err) || !(list = events_begin(c, &db, err)) ||
		!(k = find_category(c, list, err)))
		return false;
	if (!event_parse_strict(c->arena, k, body, &q, err)) {
		c->answer->status = 400;
		return false;
	}
	if (!events_find_sets(db, c->arena, k, &sets, err))
		return false;
	return q.format == EVENT_LIST ? answer_list(c, db, &q, &sets, err)
				      : answer_tree(c, db, &q, &sets, err);
}

/* Builds the query document that asks for a column's values. */
static const struct json_node *
values_document(struct http_call *c, struct text column, struct text contains, struct error *err)
{
	const struct json_node *n;
	struct strbuf b;

	strbuf_init(&b, SIZE_MAX);
	strbuf_append_str(&b, "{\"group_by\":[");
	json_append_depot_text(&b, column);
	if (contains.data) {
		strbuf_append_str(
			&b, "],\"constraints\":[{\"conditions\":[{\"expr\":\"contains\",");
		json_append_depot_text(&b, column);
		strbuf_append_char(&b, ':');
		json_append_depot_text(&b, contains);
		strbuf_append_str(&b, "}]}");
	}
	strbuf_append_str(&b, "]}");
	n = json_tree_parse_body(c->arena, strbuf_text(&b), err);
	strbuf_release(&b);
	return n;
}

static bool
values_query(
	struct http_call *c, const struct category *k, struct event_query *q, struct error *err)
{
	const struct json_node *body =
		values_document(c, http_field_find(&c->request->parts, "column"),
			http_field_find(&c->request->query, "contains"), err);
	static const char *const times[] = { "from", "until" };
	const char **seconds[] = { &q->filter.from, &q->filter.until };

	if (!body || !event_parse_strict(c->arena, k, body, q, err))
		return false;
	for (size_t i = 0; i < 2; i++) {
		struct text t = http_field_find(&c->request->query, times[i]);

		if (t.data && !event_parse_time(c->arena, t, seconds[i], err))
			return error_prefix(err, "%s", times[i]);
	}
	q->limit = http_query_int(c, "limit", VALUES_LIMIT);
	return true;
}

bool
handle_event_values(struct http_call *c, struct error *err)
{
	const struct category_list *list;
	const struct category *k;
	struct event_sets sets;
	struct event_query q = { 0 };
	struct event_page page = { 0 };
	struct json_writer w;
	struct db *db;

	if (!(list = events_begin(c, &db, err)) || !(k = find_category(c, list, err)))
		return false;
	if (!values_query(c, k, &q, err)) {
		c->answer->status = 400;
		return false;
	}
	begin_rows(&w, c->answer->out, k, "values");
	if (!events_find_sets(db, c->arena, k, &sets, err) ||
		!events_write_groups(db, c->arena, &q, &sets, &w, &page, err))
		return false;
	end_rows(&w, &page, &q);
	handle_json_end(c, &w);
	return true;
}
