/* Bodies of questions about events. */
#include "base/strbuf.h"
#include "events/event_query.h"

#include <stdlib.h>

struct reading {
	struct arena *arena;
	const struct category *category;
	struct event_query *query;
};

static const char *const format_names[] = {
#define EVENT_NAME(format, name) name,
	EVENT_FORMAT_TABLE(EVENT_NAME)
#undef EVENT_NAME
};

const char *
event_format_name(enum event_format format)
{
	return format_names[format];
}

static void
begin(const struct category *c, struct event_query *q)
{
	*q = (struct event_query){ .category = c,
		.limit = -1,
		.after_set = -1,
		.stack = category_first_of(c, CATEGORY_STACK),
		.weight = category_first_of(c, CATEGORY_ELAPSED) };
}

static bool
no_column(const struct category *c, struct text name, struct error *err)
{
	error_set(err, ERROR_USAGE, "%.*s has no column \"%.*s\"", (int)c->name.size, c->name.data,
		text_precision(name, 40), name.data);
	return error_hint(err, "GET /api/getcategories names them");
}

static bool
is_listed(const size_t *list, size_t count, size_t column)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == column)
			return true;
	return false;
}

static bool
is_whole(const struct category *c, size_t column)
{
	return c->columns[column].type == CATEGORY_INT ||
	       c->columns[column].type == CATEGORY_ELAPSED;
}

/* --- what both know ----------------------------------------------------------------------------
 */

/* Unknown names are dropped unless strict. */
static bool
read_columns(const struct category *c, const struct json_node *v, bool strict, size_t *list,
	size_t *count, struct error *err)
{
	size_t i = 0;

	for (const struct json_node *m = v->first; m; m = m->next, i++) {
		size_t column =
			m->type == JSON_STRING ? category_column_find(c, m->text) : c->column_count;

		if (m->type == JSON_OBJECT || m->type == JSON_ARRAY ||
			(strict && m->type != JSON_STRING))
			return error_set(err, ERROR_USAGE, "[%zu] is %s, no name of a column", i,
				json_type_name(m->type));
		if (column == c->column_count) {
			if (strict)
				return no_column(c, m->text, err);
		} else if (!is_listed(list, *count, column))
			list[(*count)++] = column;
	}
	return true;
}

/* "count" is what kernelscope's page says for events without a time. */
static bool
read_weight(const struct json_node *v, struct event_query *q, struct error *err)
{
	const struct category *c = q->category;

	q->weight_named = true;
	if (v->type != JSON_STRING)
		return error_set(
			err, ERROR_USAGE, "weight is a string, not %s", json_type_name(v->type));
	q->weight = category_column_find(c, v->text);
	if (q->weight == c->column_count) {
		if (text_equal(v->text, text_from("count")))
			return true;
		no_column(c, v->text, err);
		return error_prefix(err, "weight");
	}
	if (is_whole(c, q->weight))
		return true;
	return error_set(err, ERROR_USAGE, "weight: %.*s is no column of numbers",
		(int)v->text.size, v->text.data);
}

/* --- /api ----------------------------------------------------------------------------------------
 */

/* SQLite took whole numbers in any dress, and negative ones for none. */
static bool
legacy_limit(const struct json_node *v, struct event_query *q, struct error *err)
{
	if (!v)
		return true;
	if (v->type == JSON_TRUE || v->type == JSON_FALSE)
		q->limit = v->type == JSON_TRUE;
	else if (!json_tree_int64(v, &q->limit)) {
		error_set(err, ERROR_USAGE, "limit is no whole number");
		return error_hint(err, "leave it out for all rows");
	}
	if (q->limit < 0)
		q->limit = -1;
	return true;
}

/* Stack and weight are what the catalogue says, if they are asked for. */
static void
legacy_tree(struct event_query *q)
{
	const struct category *c = q->category;
	size_t none = c->column_count;

	if (!is_listed(q->columns, q->column_count, q->stack))
		q->stack = none;
	if (q->weight_named)
		return;
	q->weight = none;
	for (size_t i = 0; i < c->column_count && q->weight == none; i++)
		if (c->columns[i].type == CATEGORY_ELAPSED &&
			is_listed(q->columns, q->column_count, i))
			q->weight = i;
}

bool
event_parse_legacy(struct arena *a, const struct category *c, const struct json_node *v,
	struct event_query *q, struct error *err)
{
	const struct json_node *elements = json_tree_get(v, "elements");
	const struct json_node *format = json_tree_get(v, "format");
	const struct json_node *weight = json_tree_get(v, "weight");

	begin(c, q);
	if (v->type != JSON_OBJECT)
		return error_set(err, ERROR_USAGE, "a category's question is an object, not %s",
			json_type_name(v->type));
	if (!elements || (elements->type != JSON_ARRAY && elements->type != JSON_STRING)) {
		error_set(err, ERROR_USAGE, "elements is %s, no array of names of columns",
			elements ? json_type_name(elements->type) : "missing");
		return error_hint(err, "GET /api/getcategories names the columns");
	}
	if (!read_columns(c, elements, false, q->columns, &q->column_count, err))
		return error_prefix(err, "elements");
	if (format && format->type == JSON_STRING &&
		text_equal(format->text, text_from(format_names[EVENT_FLAMEGRAPH])))
		q->format = EVENT_FLAMEGRAPH;
	if (weight && !read_weight(weight, q, err))
		return false;
	legacy_tree(q);
	return legacy_limit(json_tree_get(v, "limit"), q, err) &&
	       event_parse_constraints(
		       a, c, json_tree_get(v, "constraints"), false, &q->filter.constraints, err);
}

/* --- /v1: fields
 * ----------------------------------------------------------------------------------- */

typedef bool read_field(struct reading *r, const struct json_node *v, struct error *err);

struct field {
	const char *name;
	enum json_type type;
	read_field *read;
};

static bool
column_list(struct reading *r, const struct json_node *v, size_t *list, size_t *count,
	struct error *err)
{
	if (!read_columns(r->category, v, true, list, count, err))
		return false;
	return *count > 0 || error_set(err, ERROR_USAGE, "is empty");
}

static bool
read_columns_field(struct reading *r, const struct json_node *v, struct error *err)
{
	return column_list(r, v, r->query->columns, &r->query->column_count, err);
}

/* Each event's stack is nearly its own: trees are made for those. */
static bool
no_stack(const struct category *c, size_t column, struct error *err)
{
	if (column == c->column_count || c->columns[column].type != CATEGORY_STACK)
		return true;
	error_set(err, ERROR_USAGE, "%.*s is a column of stacks", (int)c->columns[column].name.size,
		c->columns[column].name.data);
	return error_hint(err, "the formats flamegraph, folded and grafana sum them");
}

static bool
read_group_by(struct reading *r, const struct json_node *v, struct error *err)
{
	struct event_query *q = r->query;

	if (!column_list(r, v, q->groups, &q->group_count, err))
		return false;
	for (size_t i = 0; i < q->group_count; i++)
		if (!no_stack(r->category, q->groups[i], err))
			return false;
	return true;
}

static bool
read_format(struct reading *r, const struct json_node *v, struct error *err)
{
	for (size_t i = 0; i < EVENT_FORMATS; i++)
		if (text_equal(v->text, text_from(format_names[i]))) {
			r->query->format = (enum event_format)i;
			return true;
		}
	error_set(err, ERROR_USAGE, "there is no format \"%.*s\"", text_precision(v->text, 40),
		v->text.data);
	return error_hint(err, "they are list, flamegraph, folded, grafana, svg and html");
}

static bool
read_strict_weight(struct reading *r, const struct json_node *v, struct error *err)
{
	return read_weight(v, r->query, err);
}

static bool
whole(const struct json_node *v, int64_t min, int64_t max, int64_t *out, struct error *err)
{
	if (json_tree_int64(v, out) && *out >= min && *out <= max)
		return true;
	return error_set(err, ERROR_USAGE, "is a whole number from %lld to %lld", (long long)min,
		(long long)max);
}

static bool
read_limit(struct reading *r, const struct json_node *v, struct error *err)
{
	return whole(v, 0, EVENT_MAX_ROWS, &r->query->limit, err);
}

static bool
read_offset(struct reading *r, const struct json_node *v, struct error *err)
{
	return whole(v, 0, INT64_MAX, &r->query->offset, err);
}

static bool
read_max_nodes(struct reading *r, const struct json_node *v, struct error *err)
{
	return whole(v, 1, EVENT_MAX_NODES, &r->query->max_nodes, err);
}

static bool
read_bucket(struct reading *r, const struct json_node *v, struct error *err)
{
	return whole(v, 1, 366 * INT64_C(86400), &r->query->bucket_seconds, err);
}

/* "SET:ID", what an answer called next. */
static bool
read_after(struct reading *r, const struct json_node *v, struct error *err)
{
	struct json_node set = { .type = JSON_STRING }, id = { .type = JSON_STRING };
	const char *colon = memchr(v->text.data, ':', v->text.size);

	if (colon) {
		set.text = (struct text){ v->text.data, (size_t)(colon - v->text.data) };
		id.text = (struct text){ colon + 1, v->text.size - set.text.size - 1 };
	}
	if (colon && json_tree_int64(&set, &r->query->after_set) &&
		json_tree_int64(&id, &r->query->after_id) && r->query->after_set >= 0)
		return true;
	return error_set(err, ERROR_USAGE, "is not what an answer called \"next\"");
}

static bool
read_constraints(struct reading *r, const struct json_node *v, struct error *err)
{
	return event_parse_constraints(
		r->arena, r->category, v, true, &r->query->filter.constraints, err);
}

static bool
time_field(struct reading *r, const struct json_node *v, const char **out, struct error *err)
{
	if (v->type != JSON_STRING && v->type != JSON_NUMBER)
		return error_set(err, ERROR_USAGE, "is a string or a number, not %s",
			json_type_name(v->type));
	return event_parse_time(r->arena, v->text, out, err);
}

static bool
read_from(struct reading *r, const struct json_node *v, struct error *err)
{
	return time_field(r, v, &r->query->filter.from, err);
}

static bool
read_until(struct reading *r, const struct json_node *v, struct error *err)
{
	return time_field(r, v, &r->query->filter.until, err);
}

static bool
read_order(struct reading *r, const struct json_node *v, struct error *err)
{
	struct event_order *o = &r->query->order;
	struct text t = v->text;

	if (t.size && t.data[0] == '-') {
		o->descending = true;
		t.data++;
		t.size--;
	}
	o->column = category_column_find(r->category, t);
	if (text_equal(t, text_from("arrived")))
		o->kind = EVENT_ORDER_ARRIVED;
	else if (text_equal(t, text_from("bucket")))
		o->kind = EVENT_ORDER_BUCKET;
	else if (o->column < r->category->column_count)
		o->kind = EVENT_ORDER_COLUMN;
	else if (text_equal(t, text_from("count")))
		o->kind = EVENT_ORDER_COUNT;
	else if (text_equal(t, text_from("sum")))
		o->kind = EVENT_ORDER_SUM;
	else
		return no_column(r->category, t, err);
	return o->kind != EVENT_ORDER_COLUMN || no_stack(r->category, o->column, err);
}

static bool
read_invert(struct reading *r, const struct json_node *v, struct error *err)
{
	if (v->type != JSON_TRUE && v->type != JSON_FALSE)
		return error_set(err, ERROR_USAGE, "is true or false");
	r->query->inverted = v->type == JSON_TRUE;
	return true;
}

static bool read_compare(struct reading *r, const struct json_node *v, struct error *err);

/* JSON_END: what the reader of the field judges itself. */
static const struct field fields[] = {
	{ "columns", JSON_ARRAY, read_columns_field },
	{ "constraints", JSON_ARRAY, read_constraints },
	{ "from", JSON_END, read_from },
	{ "until", JSON_END, read_until },
	{ "format", JSON_STRING, read_format },
	{ "weight", JSON_STRING, read_strict_weight },
	{ "limit", JSON_NUMBER, read_limit },
	{ "offset", JSON_NUMBER, read_offset },
	{ "after", JSON_STRING, read_after },
	{ "order", JSON_STRING, read_order },
	{ "group_by", JSON_ARRAY, read_group_by },
	{ "bucket", JSON_NUMBER, read_bucket },
	{ "max_nodes", JSON_NUMBER, read_max_nodes },
	{ "invert", JSON_END, read_invert },
	{ "compare", JSON_OBJECT, read_compare },
	{ NULL, JSON_END, NULL },
};

/* What is compared with is another choice of events. */
static const struct field compare_fields[] = {
	{ "constraints", JSON_ARRAY, read_constraints },
	{ "from", JSON_END, read_from },
	{ "until", JSON_END, read_until },
	{ NULL, JSON_END, NULL },
};

static bool
unknown_field(const struct field *table, struct text name, struct error *err)
{
	struct strbuf b;

	error_set(
		err, ERROR_USAGE, "there is no \"%.*s\" here", text_precision(name, 40), name.data);
	strbuf_init(&b, 1024);
	for (const struct field *f = table; f->name; f++)
		strbuf_printf(&b, "%s%s", f == table ? "" : ", ", f->name);
	error_hint(err, "there are %s", strbuf_str(&b));
	strbuf_release(&b);
	return false;
}

static bool
read_fields(
	struct reading *r, const struct field *table, const struct json_node *v, struct error *err)
{
	for (const struct json_node *m = v->first; m; m = m->next) {
		const struct field *f = table;

		while (f->name && !text_equal(m->key, text_from(f->name)))
			f++;
		if (!f->name)
			return unknown_field(table, m->key, err);
		if (f->type != JSON_END && m->type != f->type)
			return error_set(err, ERROR_USAGE, "%s is %s, not %s", f->name,
				json_type_name(f->type), json_type_name(m->type));
		if (!f->read(r, m, err))
			return error_prefix(err, "%s", f->name);
	}
	return true;
}

static bool
read_compare(struct reading *r, const struct json_node *v, struct error *err)
{
	struct event_query base = *r->query;
	struct reading b = { r->arena, r->category, &base };

	base.filter = (struct event_filter){ 0 };
	if (!read_fields(&b, compare_fields, v, err))
		return false;
	r->query->base = base.filter;
	r->query->has_base = true;
	return true;
}

/* --- /v1: what goes together
 * ----------------------------------------------------------------------- */

static bool
check_tree(const struct event_query *q, const struct json_node *v, struct error *err)
{
	static const char *const others[] = { "columns", "order", "group_by", "bucket", "limit",
		"offset", "after" };

	if (q->stack == q->category->column_count)
		return error_set(err, ERROR_USAGE,
			"format: %.*s has no column of stacks to make %s of",
			(int)q->category->name.size, q->category->name.data,
			format_names[q->format]);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (json_tree_get(v, others[i]))
			return error_set(
				err, ERROR_USAGE, "%s belongs to the format list only", others[i]);
	return true;
}

static bool
check_groups(struct event_query *q, const struct json_node *v, struct error *err)
{
	if (q->order.kind == EVENT_ORDER_COLUMN &&
		!is_listed(q->groups, q->group_count, q->order.column))
		return error_set(err, ERROR_USAGE, "order: groups are not made by this column");
	if (q->order.kind == EVENT_ORDER_BUCKET && !q->bucket_seconds)
		return error_set(err, ERROR_USAGE, "order: there is no bucket");
	if (json_tree_get(v, "columns"))
		return error_set(err, ERROR_USAGE, "columns: groups have those of group_by");
	if (q->after_set >= 0)
		return error_set(err, ERROR_USAGE, "after: groups are paged by offset");
	return true;
}

static bool
check_list(struct event_query *q, const struct json_node *v, struct error *err)
{
	static const char *const others[] = { "max_nodes", "invert", "compare" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (json_tree_get(v, others[i]))
			return error_set(
				err, ERROR_USAGE, "%s belongs to trees, not to lists", others[i]);
	if (event_query_is_grouped(q))
		return check_groups(q, v, err);
	if (q->order.kind > EVENT_ORDER_COLUMN)
		return error_set(err, ERROR_USAGE, "order: only groups have it");
	if (q->after_set >= 0 && (q->order.kind != EVENT_ORDER_ARRIVED || q->order.descending))
		return error_set(err, ERROR_USAGE,
			"after goes with the order of arrival only; else use offset");
	if (q->weight_named)
		return error_set(err, ERROR_USAGE, "weight belongs to trees and groups");
	return true;
}

bool
event_parse_strict(struct arena *a, const struct category *c, const struct json_node *v,
	struct event_query *q, struct error *err)
{
	struct reading r = { a, c, q };

	begin(c, q);
	if (v->type != JSON_OBJECT)
		return error_set(
			err, ERROR_USAGE, "the body is an object, not %s", json_type_name(v->type));
	if (!read_fields(&r, fields, v, err))
		return false;
	if (q->format != EVENT_LIST)
		return check_tree(q, v, err);
	if (!check_list(q, v, err))
		return false;
	if (q->limit < 0)
		q->limit = EVENT_LIST_ROWS;
	if (q->column_count == 0)
		for (; q->column_count < c->column_count; q->column_count++)
			q->columns[q->column_count] = q->column_count;
	return true;
}
