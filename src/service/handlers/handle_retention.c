/* Handlers of the depot's retention rules. */
#include "handle.h"

#include "app/rows_table.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "store/retention.h"

#include <string.h>

bool
handle_retention(struct http_call *c, struct error *err)
{
	const struct render_options options = { 0, false };
	const struct renderer *renderer = handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct db_result *rows = db ? retention_query(db, err) : NULL;
	const struct rows_table table = { .rows = rows };
	bool ok = rows && rows_table_write(c->answer->out, renderer, &options, &retention_head,
				  &table, 1, err);

	db_result_free(rows);
	return ok;
}

/* {"branch": "main"} is the label "branch=main". */
static bool
read_labels(struct arena *a, const struct json_node *n, struct option_list *out, struct error *err)
{
	const char **labels;

	if (!n || n->type == JSON_NULL)
		return true;
	if (!body_expect(n, "labels", JSON_OBJECT, err))
		return false;
	labels = arena_alloc_array(a, n->count, sizeof(*labels));
	for (const struct json_node *m = n->first; m; m = m->next) {
		if (!body_expect(m, m->key.data, JSON_STRING, err))
			return false;
		if (text_is_empty(m->key) || strchr(m->key.data, '='))
			return error_set(err, ERROR_USAGE,
				"labels has a key that is empty or contains \"=\"");
		labels[out->count++] = arena_printf(a, "%s=%s", m->key.data, m->text.data);
	}
	out->items = labels;
	return true;
}

static bool
read_keep(const struct json_node *n, int64_t *keep, struct error *err)
{
	*keep = RETENTION_KEEP_NOT_GIVEN;
	if (!n || n->type == JSON_NULL)
		return true;
	if (!body_expect(n, "keep", JSON_NUMBER, err))
		return false;
	return (json_tree_int64(n, keep) && *keep >= 0) ||
	       error_set(err, ERROR_USAGE, "keep must be a whole number from 0");
}

/* {"application": "Orders", "format": "valgrind", "labels": {"branch": "main"}, "older_than": "30d", "keep": 20} */
static bool
read_rule(struct http_call *c, struct result_set_filter *rule, struct error *err)
{
	static const char *const keys[] = { "older_than", "keep", "application", "format", "labels",
		NULL };
	const struct json_node *body = body_read(c, keys, err);
	const char *older_than;
	int64_t keep;

	*rule = (struct result_set_filter){ NULL };
	return body && body_string(body, "application", &rule->application, err) &&
	       body_string(body, "format", &rule->format, err) &&
	       body_string(body, "older_than", &older_than, err) &&
	       read_keep(json_tree_get(body, "keep"), &keep, err) &&
	       read_labels(c->arena, json_tree_get(body, "labels"), &rule->labels, err) &&
	       (retention_make(rule, older_than, keep, err) || handle_parameter_words(err));
}

static void
write_number(struct http_call *c, int64_t rule)
{
	struct json_writer w;

	handle_json_begin(c, &w);
	json_key_int(&w, "rule", rule);
	handle_json_end(c, &w);
}

bool
handle_retention_add(struct http_call *c, struct error *err)
{
	struct result_set_filter rule;
	int64_t number;
	struct db *db = read_rule(c, &rule, err) ? handle_loader(c, err) : NULL;

	if (!db || !retention_add(db, &rule, &number, err))
		return false;
	c->answer->status = 201;
	write_number(c, number);
	return true;
}

bool
handle_retention_change(struct http_call *c, struct error *err)
{
	struct result_set_filter rule;
	int64_t number;
	struct db *db = http_part_int(c, "rule", &number, err) && read_rule(c, &rule, err)
				? handle_loader(c, err)
				: NULL;

	if (!db || !retention_change(db, number, &rule, err))
		return false;
	write_number(c, number);
	return true;
}

bool
handle_retention_remove(struct http_call *c, struct error *err)
{
	int64_t rule;
	struct db *db = http_part_int(c, "rule", &rule, err) ? handle_loader(c, err) : NULL;

	if (!db || !retention_remove(db, &rule, 1, err))
		return false;
	c->answer->status = 204;
	return true;
}
