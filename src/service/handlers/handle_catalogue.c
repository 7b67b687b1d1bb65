/* Handlers of formats, categories and suppressions. */
#include "handle.h"

#include "app/catalogue.h"
#include "app/rows_table.h"
#include "app/suppressions_kept.h"
#include "events/category_columns.h"
#include "store/categories.h"
#include "store/suppressions.h"

#include <string.h>

bool
handle_formats(struct http_call *c, struct error *err)
{
	(void)err;
	formats_json(c->answer->out);
	return true;
}

/* Writes the rows and frees them. `rows` is NULL if the query failed. */
static bool
write_rows(struct http_call *c, const struct renderer *renderer, const struct table_head *head,
	struct db_result *rows, struct error *err)
{
	const struct render_options options = { 0, false };
	const struct rows_table table = { .rows = rows };
	bool ok =
		rows && rows_table_write(c->answer->out, renderer, &options, head, &table, 1, err);

	db_result_free(rows);
	return ok;
}

bool
handle_categories(struct http_call *c, struct error *err)
{
	const struct renderer *renderer = handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;

	return db && write_rows(c, renderer, &categories_head, categories_query(db, err), err);
}

static bool
read_column(const struct json_node *n, struct category_column *column, struct error *err)
{
	static const char *const keys[] = { "name", "type", "pretty_name", NULL };
	const char *name;
	const char *type;
	const char *pretty;

	if (!body_keys(n, "a column", keys, err) || !body_string(n, "name", &name, err) ||
		!body_string(n, "type", &type, err) || !body_string(n, "pretty_name", &pretty, err))
		return false;
	if (!name || !type)
		return error_set(err, ERROR_USAGE, "a column has no %s", name ? "type" : "name");
	*column = (struct category_column){ text_from(name), text_from(pretty),
		category_type_find(text_from(type)) };
	if (column->type != CATEGORY_TYPES)
		return true;
	error_set(err, ERROR_USAGE, "type: \"%.40s\" is not a column type", type);
	return error_hint(err, "use string, timestamp, int, stack or elapsed");
}

/* {"name": "locks", "columns": [{"name": "wait", "type": "elapsed", "pretty_name": "Wait"}]} */
static bool
read_category(struct http_call *c, struct category *out, struct error *err)
{
	static const char *const keys[] = { "name", "columns", NULL };
	struct category_column columns[CATEGORY_COLUMNS_MAX];
	const struct json_node *body = body_read(c, keys, err);
	const struct json_node *list;
	const char *name;
	size_t count = 0;

	if (!body || !body_string(body, "name", &name, err))
		return false;
	list = json_tree_get(body, "columns");
	if (list && !body_expect(list, "columns", JSON_ARRAY, err))
		return false;
	if (!name || !list || !list->count) {
		error_set(err, ERROR_USAGE, "the body has no %s", name ? "columns" : "name");
		return error_hint(
			err, "hostname and time are added automatically; list the other columns");
	}
	if (list->count > CATEGORY_COLUMNS_MAX)
		return error_set(err, ERROR_USAGE, "there are more than %d columns",
			(int)CATEGORY_COLUMNS_MAX);
	for (const struct json_node *n = list->first; n; n = n->next)
		if (!read_column(n, &columns[count++], err))
			return false;
	*out = (struct category){ .name = text_from(name) };
	return category_complete(c->arena, columns, count, out, err);
}

bool
handle_category_add(struct http_call *c, struct error *err)
{
	struct category category;
	struct db *db;

	if (!read_category(c, &category, err))
		return false;
	db = handle_loader(c, err);
	if (!db || !categories_add(db, &category, err))
		return false;
	c->answer->status = 201;
	db = handle_report_snapshot(c, err);
	return db && write_rows(c, renderer_find("json"), &categories_head,
			     categories_query(db, err), err);
}

bool
handle_category_remove(struct http_call *c, struct error *err)
{
	const char *name = http_field_find(&c->request->parts, "name").data;
	struct db *db = handle_loader(c, err);

	if (!db)
		return false;
	if (!categories_remove(db, name, err)) {
		/* A usage error means that the category has events or is built in. */
		if (err->code == ERROR_USAGE)
			c->answer->status = 409;
		return false;
	}
	c->answer->status = 204;
	return true;
}

bool
handle_suppressions(struct http_call *c, struct error *err)
{
	const char *format = http_query_text(c, "format");
	bool as_file = format && strcmp(format, "file") == 0;
	const struct renderer *renderer =
		as_file ? renderer_find("text") : handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct db_result *rows = db ? suppressions_query(db, err) : NULL;

	if (!rows || !as_file)
		return rows && write_rows(c, renderer, &suppressions_head, rows, err);
	c->answer->content_type = renderer->content_type;
	suppressions_write_file(c->answer->out, rows);
	db_result_free(rows);
	return true;
}

static bool
write_added(void *self, int64_t id, bool is_new, struct text name, struct error *err)
{
	struct json_writer *w = self;

	(void)err;
	json_begin_object(w);
	json_key_int(w, "id", id);
	json_key_string(w, "state", is_new ? "added" : "renewed");
	json_key_text(w, "name", name);
	json_end_object(w);
	return true;
}

static bool
keep(struct http_call *c, struct suppress_list *list, struct error *err)
{
	const struct suppress_place place = { .origin = SUPPRESS_OF_FILE, .file = "the body" };
	const char *expires = http_query_text(c, "expires");
	struct suppressions_given given = { .reason = http_query_text(c, "reason"),
		.author = http_query_text(c, "author"),
		.expires = expires,
		.added = write_added };
	struct json_writer w;
	struct text body;
	struct db *db;

	if ((expires && !suppressions_check_day(expires, err)) ||
		!http_body_text(c, SUPPRESS_MAX_FILE_BYTES, &body, err) ||
		!suppress_parse(list, &place, body, err))
		return false;
	if (!list->count)
		return error_set(err, ERROR_INPUT, "the body contains no suppression");
	db = handle_loader(c, err);
	if (!db)
		return false;
	json_writer_init(&w, c->answer->out, true);
	json_begin_array(&w);
	given.self = &w;
	if (!suppressions_keep(db, list, &given, err))
		return false;
	json_end_array(&w);
	fputc('\n', c->answer->out);
	c->answer->status = 201;
	return true;
}

bool
handle_suppressions_add(struct http_call *c, struct error *err)
{
	struct suppress_list list;
	bool ok;

	suppress_list_init(&list);
	ok = keep(c, &list, err);
	suppress_list_release(&list);
	return ok || handle_parameter_words(err);
}

bool
handle_suppression_remove(struct http_call *c, struct error *err)
{
	int64_t id;
	struct db *db = http_part_int(c, "id", &id, err) ? handle_loader(c, err) : NULL;

	if (!db || !suppressions_remove(db, &id, 1, err))
		return false;
	c->answer->status = 204;
	return true;
}
