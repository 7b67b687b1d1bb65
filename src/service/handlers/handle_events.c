/* kernelscope's queries: POST /api and GET /api/getcategories. */
#include "handle.h"

#include "events/events.h"
#include "store/categories.h"

const struct category_list *
events_begin(struct http_call *c, struct db **db, struct error *err)
{
	*db = handle_snapshot(c, err);
	return *db ? categories_read(c->arena, *db, err) : NULL;
}

bool
handle_get_categories(struct http_call *c, struct error *err)
{
	struct json_writer w;
	struct db *db;
	const struct category_list *list = events_begin(c, &db, err);

	if (!list)
		return false;
	json_writer_init(&w, c->answer->out, false);
	json_begin_object(&w);
	for (size_t i = 0; i < list->count; i++) {
		const struct category *k = &list->items[i];

		json_depot_key(&w, k->name);
		json_begin_array(&w);
		for (size_t n = 0; n < k->column_count; n++) {
			json_begin_object(&w);
			json_key_depot_text(&w, "name", k->columns[n].name);
			json_key_depot_text(
				&w, "type", text_from(category_type_name(k->columns[n].type)));
			json_key_depot_text(&w, "prettyname", k->columns[n].pretty_name);
			json_end_object(&w);
		}
		json_end_array(&w);
	}
	json_end_object(&w);
	fputc('\n', c->answer->out);
	return true;
}

struct queries {
	struct event_query *queries;
	size_t count;
	const struct event_query *flame; /* the first flame graph query; no other one is answered */
};

/* Ignores unknown categories, as kernelscope does. */
static bool
read_questions(struct http_call *c, const struct category_list *list, const struct json_node *body,
	struct queries *out, struct error *err)
{
	*out = (struct queries){ 0 };
	if (body->type != JSON_OBJECT) {
		error_set(err, ERROR_USAGE, "the body must be an object of categories, not %s",
			json_type_name(body->type));
		return error_hint(
			err, "{\"offcputime\": {\"elements\": [\"stack\", \"elapsed\"]}}");
	}
	out->queries = arena_alloc_array(c->arena, list->count, sizeof(*out->queries));
	for (const struct json_node *m = body->first; m; m = m->next) {
		const struct category *k = category_find(list, m->key);
		struct event_query *q = &out->queries[out->count];

		if (!k)
			continue;
		if (!event_parse_legacy(c->arena, k, m, q, err))
			return error_prefix(err, "%.*s", (int)k->name.size, k->name.data);
		out->count++;
		if (q->format == EVENT_FLAMEGRAPH && !out->flame)
			out->flame = q;
	}
	return true;
}

static bool
answer_flame(struct http_call *c, struct db *db, const struct event_query *q, struct error *err)
{
	struct event_sets sets;
	struct event_tree *t;
	bool ok;

	if (!events_find_sets(db, c->arena, q->category, &sets, err))
		return false;
	t = events_sum(db, c->arena, q, &q->filter, &sets, err);
	if (!t)
		return false;
	ok = event_tree_write(t, c->answer->out, err);
	event_tree_free(t);
	return ok;
}

static bool
answer_list(struct http_call *c, struct db *db, const struct event_query *q, struct json_writer *w,
	struct error *err)
{
	struct event_sets sets;
	struct event_page page = { 0 };

	json_depot_key(w, q->category->name);
	/* Like kernelscope, answers with an empty object, not an array, if no column is known. */
	if (q->column_count == 0) {
		json_begin_object(w);
		json_end_object(w);
		return true;
	}
	json_begin_array(w);
	if (!events_find_sets(db, c->arena, q->category, &sets, err) ||
		!events_write_list(db, c->arena, q, &sets, w, &page, err))
		return false;
	json_end_array(w);
	return true;
}

bool
handle_api(struct http_call *c, struct error *err)
{
	const struct category_list *list;
	const struct json_node *body;
	struct json_writer w;
	struct queries asked;
	struct db *db;

	if (!handle_document(c, &body, err) || !(list = events_begin(c, &db, err)))
		return false;
	if (!read_questions(c, list, body, &asked, err)) {
		c->answer->status = 400;
		return false;
	}
	if (asked.flame)
		return answer_flame(c, db, asked.flame, err);
	json_writer_init(&w, c->answer->out, false);
	json_begin_object(&w);
	for (size_t i = 0; i < asked.count; i++)
		if (!answer_list(c, db, &asked.queries[i], &w, err))
			return false;
	json_end_object(&w);
	fputc('\n', c->answer->out);
	return true;
}

/* kernelscope answers GET with 404 and supports no other methods. */
bool
handle_api_other(struct http_call *c, struct error *err)
{
	c->answer->status = c->request->method == HTTP_GET ? 404 : 501;
	error_set(err, ERROR_NOT_FOUND, "/api supports only POST");
	return error_hint(err, "GET /api/getcategories lists the categories");
}
