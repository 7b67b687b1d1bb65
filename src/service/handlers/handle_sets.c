/* Result sets: list, show, change, delete. */
#include "handle_cursor.h"

#include "app/rows_table.h"
#include "app/set_json.h"
#include "base/strbuf.h"
#include "store/result_sets.h"

#include <string.h>

enum {
	PAGE_SETS = 1000,  /* default number of result sets per page */
	FACET_VALUES = 50, /* default number of values per property */
	OVERVIEW_STREAMS = 20
};

static struct result_set_filter
read_filter(struct http_call *c)
{
	struct result_set_filter f = {
		.format = http_query_text(c, "format"),
		.application = http_query_text(c, "application"),
		.app_version = http_query_text(c, "app_version"),
		.host = http_query_text(c, "host"),
		.tool = http_query_text(c, "tool"),
		.run = http_query_text(c, "run"),
		.caption = http_query_text(c, "caption"),
		.search = http_query_text(c, "search"),
		.since = http_query_text(c, "since"),
		.until = http_query_text(c, "until"),
	};

	http_query_list(c, "label", &f.labels);
	return f;
}

/* Rewrites an error about a filter, so that it names the parameter of the request and not an option. */
static bool
refuse_filter(struct http_call *c, struct error *err)
{
	return handle_bad_value(c, "since or until", err) || handle_parameter_words(err);
}

/* Reads the position at which the list begins. *place is the memory for it. */
static bool
read_position(struct http_call *c, struct cursor *cursor, struct result_set_filter *f,
	struct result_set_position *place, struct error *err)
{
	if (!cursor_read(c, cursor, err))
		return false;
	f->skip_newest = http_query_int(c, "skip", 0);
	if (!cursor->given)
		return true;
	*place = (struct result_set_position){ cursor->parts[0], cursor->parts[1],
		cursor->parts[2] };
	f->after = place;
	return (place->inst_id && place->loaded_us) || cursor_refuse(err);
}

/* Adds a link to the page after the row. */
static void
link_after(struct http_call *c, const struct cursor *now, const struct db_result *rows, size_t row)
{
	struct cursor next = { .parts = { db_result_value(rows, row, RESULT_SET_INST_ID).data,
				       db_result_value(rows, row, RESULT_SET_LOADED_US).data,
				       db_result_value(rows, row, RESULT_SET_SORTED).data } };

	cursor_link(c, now, &next, (int64_t)row + 1);
}

bool
handle_sets_list(struct http_call *c, struct error *err)
{
	const int64_t page = http_query_int(c, "limit", PAGE_SETS);
	const struct render_options options = { 0, false };
	struct result_set_filter f = read_filter(c);
	const struct renderer *renderer = handle_renderer(c, "output", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct sets_table t = { .table = { .most = (size_t)page } };
	struct result_set_position place;
	struct cursor cursor;
	struct db_result *rows;
	bool ok;

	if (!db || !read_position(c, &cursor, &f, &place, err))
		return false;
	f.sort = http_query_text(c, "sort");
	f.limit = page + 1; /* an extra row shows whether there is a next page */
	rows = result_sets_list(db, &f, err);
	if (!rows)
		return refuse_filter(c, err);
	t.table.rows = rows;
	if (db_result_rows(rows) > t.table.most)
		link_after(c, &cursor, rows, t.table.most - 1);
	ok = sets_table_count(&t, db, err) && rows_table_write(c->answer->out, renderer, &options,
						      &result_sets_head, &t.table, 1, err);
	db_result_free(t.open);
	db_result_free(rows);
	return ok;
}

bool
handle_facets(struct http_call *c, struct error *err)
{
	const struct render_options options = { 0, false };
	const struct result_set_filter f = read_filter(c);
	const struct renderer *renderer = handle_renderer(c, "output", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct rows_table table = { .rows = NULL };
	struct db_result *rows;
	bool ok;

	if (!db)
		return false;
	rows = result_sets_facets(db, &f, http_query_int(c, "values", FACET_VALUES), err);
	if (!rows)
		return refuse_filter(c, err);
	table.rows = rows;
	ok = rows_table_write(c->answer->out, renderer, &options, &facets_head, &table, 1, err);
	db_result_free(rows);
	return ok;
}

bool
handle_overview(struct http_call *c, struct error *err)
{
	const int64_t streams = http_query_int(c, "streams", OVERVIEW_STREAMS);
	const struct render_options options = { 0, false };
	const struct renderer *renderer = handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct db_result *rows = db ? result_sets_overview(db, streams, err) : NULL;
	const struct rows_table table = { .rows = rows };
	bool ok = rows && rows_table_write(c->answer->out, renderer, &options, &overview_head,
				  &table, 1, err);

	db_result_free(rows);
	return ok;
}

static bool
show(struct http_call *c, struct db *db, int64_t inst_id, struct error *err)
{
	struct result_set_details d;

	if (!result_set_show(db, inst_id, &d, err))
		return false;
	set_details_json(c->answer->out, c->arena, &d);
	result_set_details_release(&d);
	return true;
}

bool
handle_set_show(struct http_call *c, struct error *err)
{
	int64_t inst_id;
	struct db *db = handle_inst_id(c, &inst_id, err) ? handle_report_snapshot(c, err) : NULL;

	return db && show(c, db, inst_id, err);
}

/* A null value deletes a label. */
static bool
read_labels(struct arena *a, const struct json_node *n, struct result_set_change *out,
	struct error *err)
{
	struct label *labels = arena_alloc_array(a, n->count, sizeof(*labels));
	const char **removed = arena_alloc_array(a, n->count, sizeof(*removed));

	out->labels = labels;
	out->removed_keys.items = removed;
	for (const struct json_node *m = n->first; m; m = m->next) {
		if (text_is_empty(m->key))
			return error_set(err, ERROR_USAGE, "labels has an empty key");
		if (m->type == JSON_NULL) {
			removed[out->removed_keys.count++] = m->key.data;
			continue;
		}
		if (!body_expect(m, m->key.data, JSON_STRING, err))
			return false;
		if (strchr(m->key.data, '='))
			return error_set(err, ERROR_USAGE, "labels has a key that contains \"=\"");
		if (!label_parse_new(arena_printf(a, "%s=%s", m->key.data, m->text.data),
			    &labels[out->label_count++], err))
			return false;
	}
	return true;
}

/* {"caption": "nightly", "application": "Orders", "labels": {"branch": "main", "old": null}} */
bool
handle_set_change(struct http_call *c, struct error *err)
{
	static const char *const keys[] = { "caption", "application", "labels", NULL };
	struct result_set_change wanted = { NULL };
	const struct json_node *labels;
	const struct json_node *body;
	int64_t inst_id;
	struct db *db;

	body = http_part_int(c, "inst_id", &inst_id, err) ? body_read(c, keys, err) : NULL;
	if (!body || !body_string(body, "caption", &wanted.caption, err) ||
		!body_string(body, "application", &wanted.application, err))
		return false;
	labels = json_tree_get(body, "labels");
	if (labels && (!body_expect(labels, "labels", JSON_OBJECT, err) ||
			      !read_labels(c->arena, labels, &wanted, err)))
		return false;
	if (!wanted.caption && !wanted.application && !wanted.label_count &&
		!wanted.removed_keys.count) {
		error_set(err, ERROR_USAGE, "the body changes nothing");
		return error_hint(err, "send caption, application or labels; null deletes a label");
	}
	db = handle_loader(c, err);
	if (!db || !result_sets_change(db, &inst_id, 1, &wanted, err))
		return false;
	db = handle_report_snapshot(c, err);
	return db && show(c, db, inst_id, err);
}

bool
handle_set_remove(struct http_call *c, struct error *err)
{
	int64_t inst_id;
	struct db *db = http_part_int(c, "inst_id", &inst_id, err) ? handle_loader(c, err) : NULL;
	bool removed;

	if (!db ||
		!result_sets_remove(db, &inst_id, 1, http_query_flag(c, "forget"), &removed, err))
		return false;
	if (!removed)
		return result_set_not_found(inst_id, err);
	c->answer->status = 204;
	return true;
}
