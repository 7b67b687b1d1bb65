/*
 * Parses the body of an event query. Lenient bodies follow kernelscope's /api/query; strict bodies
 * follow the OpenAPI description of /v1.
 */
#include "base/strbuf.h"
#include "events/event_fields.h"
#include "events/event_query.h"

#include <stdlib.h>

struct reading {
	struct arena *arena;
	const struct category *category;
	struct event_query *query;
	const struct field *field; /* the field being read */
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
is_listed(const size_t *list, size_t count, size_t column)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == column)
			return true;
	return false;
}

/* --- parts of both kinds of body -------------------------------------------------------------- */

/* Reads column names. If `strict`, rejects unknown names; otherwise ignores them. */
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
			return error_set(err, ERROR_USAGE, "[%zu] is %s, not a column name", i,
				json_type_name(m->type));
		if (column == c->column_count) {
			if (strict)
				return event_no_column(c, m->text, err);
		} else if (!is_listed(list, *count, column))
			list[(*count)++] = column;
	}
	return true;
}

/* Reads the name of the weight column. kernelscope's page sends "count" if the events have no
 * duration. */
static bool
read_weight(const struct json_node *v, struct event_query *q, struct error *err)
{
	const struct category *c = q->category;

	q->weight_named = true;
	if (v->type != JSON_STRING)
		return error_set(err, ERROR_USAGE, "weight must be a string, not %s",
			json_type_name(v->type));
	q->weight = category_column_find(c, v->text);
	if (q->weight == c->column_count) {
		if (text_equal(v->text, text_from("count")))
			return true;
		event_no_column(c, v->text, err);
		return error_prefix(err, "weight");
	}
	if (category_type_is_whole(c->columns[q->weight].type))
		return true;
	return error_set(err, ERROR_USAGE, "weight: %.*s is not a numeric column",
		(int)v->text.size, v->text.data);
}

/* --- /api ------------------------------------------------------------------------------------- */

/* Reads the limit of a lenient body. As in kernelscope's SQLite, it may be a string or a
 * boolean, and a negative number means no limit. */
static bool
legacy_limit(const struct json_node *v, struct event_query *q, struct error *err)
{
	if (!v)
		return true;
	if (v->type == JSON_TRUE || v->type == JSON_FALSE)
		q->limit = v->type == JSON_TRUE;
	else if (!json_tree_int64(v, &q->limit)) {
		error_set(err, ERROR_USAGE, "limit is not a whole number");
		return error_hint(err, "omit it to get all rows");
	}
	if (q->limit < 0)
		q->limit = -1;
	return true;
}

/* Chooses the tree's stack and weight. The stack is the category's first stack column, if the query
 * selects this column. The weight is the first duration column that the query selects, unless the query
 * names the weight. */
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
		return error_set(err, ERROR_USAGE, "a category's query must be an object, not %s",
			json_type_name(v->type));
	if (!elements || (elements->type != JSON_ARRAY && elements->type != JSON_STRING)) {
		error_set(err, ERROR_USAGE, "elements is %s, not an array of column names",
			elements ? json_type_name(elements->type) : "missing");
		return error_hint(err, "GET /api/getcategories lists the columns");
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

/* --- /v1: fields ------------------------------------------------------------------------------ */

struct field {
	struct event_field is;
	enum json_type type; /* expected type; JSON_END if `read` checks the type */
	bool (*read)(struct reading *r, const struct json_node *v, struct error *err);
	size_t offset; /* offset of the member of struct event_query that `read` sets */
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

/* Rejects a stack column for ordering or grouping, because nearly every event has a different stack. */
static bool
no_stack(const struct category *c, size_t column, struct error *err)
{
	if (column == c->column_count || c->columns[column].type != CATEGORY_STACK)
		return true;
	error_set(err, ERROR_USAGE, "%.*s is a stack column", (int)c->columns[column].name.size,
		c->columns[column].name.data);
	return error_hint(err, "to sum stacks, use the format flamegraph, folded or grafana");
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
	error_set(err, ERROR_USAGE, "unknown format \"%.*s\"", text_precision(v->text, 40),
		v->text.data);
	return error_hint(err, "the formats are list, flamegraph, folded, grafana, svg and html");
}

static bool
read_strict_weight(struct reading *r, const struct json_node *v, struct error *err)
{
	return read_weight(v, r->query, err);
}

static bool
read_whole(struct reading *r, const struct json_node *v, struct error *err)
{
	const struct field *f = r->field;
	int64_t *out = (void *)((char *)r->query + f->offset);

	if (json_tree_int64(v, out) && *out >= f->is.min && *out <= f->is.max)
		return true;
	return error_set(err, ERROR_USAGE, "must be a whole number from %lld to %lld",
		(long long)f->is.min, (long long)f->is.max);
}

/* Parses "SET:ID", the "next" field of an answer. */
static bool
read_after(struct reading *r, const struct json_node *v, struct error *err)
{
	struct json_node set = { .type = JSON_STRING }, id = { .type = JSON_STRING };
	const char *colon = memchr(v->text.data, ':', v->text.size);

	if (colon) {
		set.text = text_up_to(v->text, (size_t)(colon - v->text.data));
		id.text = text_from_at(v->text, set.text.size + 1);
	}
	if (colon && json_tree_int64(&set, &r->query->after_set) &&
		json_tree_int64(&id, &r->query->after_id) && r->query->after_set >= 0)
		return true;
	return error_set(err, ERROR_USAGE, "is not a \"next\" value from an answer");
}

static bool
read_constraints(struct reading *r, const struct json_node *v, struct error *err)
{
	return event_parse_constraints(
		r->arena, r->category, v, true, &r->query->filter.constraints, err);
}

static bool
read_time(struct reading *r, const struct json_node *v, struct error *err)
{
	const char **out = (void *)((char *)r->query + r->field->offset);

	if (v->type != JSON_STRING && v->type != JSON_NUMBER)
		return error_set(err, ERROR_USAGE, "must be a string or a number, not %s",
			json_type_name(v->type));
	return event_parse_time(r->arena, v->text, out, err);
}

static bool
read_order(struct reading *r, const struct json_node *v, struct error *err)
{
	struct event_order *o = &r->query->order;
	struct text t = v->text;

	if (text_begins(t, "-")) {
		o->descending = true;
		t = text_from_at(t, 1);
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
		return event_no_column(r->category, t, err);
	return o->kind != EVENT_ORDER_COLUMN || no_stack(r->category, o->column, err);
}

static bool
read_invert(struct reading *r, const struct json_node *v, struct error *err)
{
	if (v->type != JSON_TRUE && v->type != JSON_FALSE)
		return error_set(err, ERROR_USAGE, "must be true or false");
	r->query->inverted = v->type == JSON_TRUE;
	return true;
}

static bool read_compare(struct reading *r, const struct json_node *v, struct error *err);

#define IN_QUERY(member) offsetof(struct event_query, member)

#define FIELD(name, type, min, max) \
	{ \
		name, type, min, max \
	}
#define PLAIN(name, type) FIELD(name, type, 0, 0)
#define EVENT_CHOICE(format, name) name ","

static const struct field fields[] = {
	{ PLAIN("constraints", "[ConditionGroup]"), JSON_ARRAY, read_constraints, 0 },
	{ PLAIN("from", "string|number"), JSON_END, read_time, IN_QUERY(filter.from) },
	{ PLAIN("until", "string|number"), JSON_END, read_time, IN_QUERY(filter.until) },
	{ PLAIN("columns", "[string]"), JSON_ARRAY, read_columns_field, 0 },
	{ PLAIN("format", "(" EVENT_FORMAT_TABLE(EVENT_CHOICE) ")"), JSON_STRING, read_format, 0 },
	{ PLAIN("weight", "string"), JSON_STRING, read_strict_weight, 0 },
	{ FIELD("limit", "integer", 0, EVENT_MAX_ROWS), JSON_NUMBER, read_whole, IN_QUERY(limit) },
	{ FIELD("offset", "integer", 0, INT64_MAX), JSON_NUMBER, read_whole, IN_QUERY(offset) },
	{ PLAIN("after", "string"), JSON_STRING, read_after, 0 },
	{ PLAIN("order", "string"), JSON_STRING, read_order, 0 },
	{ PLAIN("group_by", "[string]"), JSON_ARRAY, read_group_by, 0 },
	{ FIELD("bucket", "integer", 1, 366 * INT64_C(86400)), JSON_NUMBER, read_whole,
		IN_QUERY(bucket_seconds) },
	{ FIELD("max_nodes", "integer", 1, EVENT_MAX_NODES), JSON_NUMBER, read_whole,
		IN_QUERY(max_nodes) },
	{ PLAIN("invert", "boolean"), JSON_END, read_invert, 0 },
	{ PLAIN("compare", "EventFilter"), JSON_OBJECT, read_compare, 0 },
};

enum {
	ALL_FIELDS = sizeof(fields) / sizeof(fields[0]),
};

const struct event_field *
event_field_at(size_t i)
{
	return i < ALL_FIELDS ? &fields[i].is : NULL;
}

static bool
unknown_field(size_t count, struct text name, struct error *err)
{
	struct strbuf b;

	error_set(err, ERROR_USAGE, "unknown field \"%.*s\"", text_precision(name, 40), name.data);
	strbuf_init(&b, 1024);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "", fields[i].is.name);
	error_hint(err, "the fields are %s", strbuf_str(&b));
	strbuf_release(&b);
	return false;
}

/* Reads the members of an object; only the first `count` fields are allowed. */
static bool
read_fields(struct reading *r, size_t count, const struct json_node *v, struct error *err)
{
	for (const struct json_node *m = v->first; m; m = m->next) {
		const struct field *f = fields;

		while (f < fields + count && !text_equal(m->key, text_from(f->is.name)))
			f++;
		if (f == fields + count)
			return unknown_field(count, m->key, err);
		if (f->type != JSON_END && m->type != f->type)
			return error_set(err, ERROR_USAGE, "%s must be %s, not %s", f->is.name,
				json_type_name(f->type), json_type_name(m->type));
		r->field = f;
		if (!f->read(r, m, err))
			return error_prefix(err, "%s", f->is.name);
	}
	return true;
}

static bool
read_compare(struct reading *r, const struct json_node *v, struct error *err)
{
	struct event_query base = *r->query;
	struct reading b = { r->arena, r->category, &base, NULL };

	base.filter = (struct event_filter){ 0 };
	if (!read_fields(&b, EVENT_FILTER_FIELDS, v, err))
		return false;
	r->query->base = base.filter;
	r->query->has_base = true;
	return true;
}

/* --- /v1: combinations ------------------------------------------------------------------------ */

/* Fails if the body has one of the fields in `names`, which ends with NULL. `others` says, for the
 * message, which queries can have these fields. */
static bool
has_none(const struct json_node *v, const char *const *names, const char *others, struct error *err)
{
	for (; *names; names++)
		if (json_tree_get(v, *names))
			return error_set(err, ERROR_USAGE, "%s is for %s only", *names, others);
	return true;
}

static bool
check_tree(const struct event_query *q, const struct json_node *v, struct error *err)
{
	static const char *const of_lists[] = { "columns", "order", "group_by", "bucket", "limit",
		"offset", "after", NULL };

	if (q->stack == q->category->column_count)
		return error_set(err, ERROR_USAGE,
			"format %s needs a stack column, and %.*s has none",
			format_names[q->format], (int)q->category->name.size,
			q->category->name.data);
	return has_none(v, of_lists, "the list format", err);
}

static bool
check_groups(struct event_query *q, const struct json_node *v, struct error *err)
{
	if (q->order.kind == EVENT_ORDER_COLUMN &&
		!is_listed(q->groups, q->group_count, q->order.column))
		return error_set(err, ERROR_USAGE, "order: the column is not in group_by");
	if (q->order.kind == EVENT_ORDER_BUCKET && !q->bucket_seconds)
		return error_set(err, ERROR_USAGE, "order: the query has no bucket");
	if (json_tree_get(v, "columns"))
		return error_set(err, ERROR_USAGE,
			"\"columns\" is for lists only; the columns of groups are those in \"group_by\"");
	if (q->after_set >= 0)
		return error_set(err, ERROR_USAGE, "after: use offset to page through groups");
	return true;
}

static bool
check_list(struct event_query *q, const struct json_node *v, struct error *err)
{
	static const char *const of_trees[] = { "max_nodes", "invert", "compare", NULL };

	if (!has_none(v, of_trees, "trees", err))
		return false;
	if (event_query_is_grouped(q))
		return check_groups(q, v, err);
	if (q->order.kind > EVENT_ORDER_COLUMN)
		return error_set(err, ERROR_USAGE, "order: only groups have bucket, count and sum");
	if (q->after_set >= 0 && (q->order.kind != EVENT_ORDER_ARRIVED || q->order.descending))
		return error_set(err, ERROR_USAGE,
			"after needs the order \"arrived\"; use offset with other orders");
	if (q->weight_named)
		return error_set(err, ERROR_USAGE, "\"weight\" is for trees and groups only");
	return true;
}

bool
event_parse_strict(struct arena *a, const struct category *c, const struct json_node *v,
	struct event_query *q, struct error *err)
{
	struct reading r = { a, c, q, NULL };

	begin(c, q);
	if (v->type != JSON_OBJECT)
		return error_set(err, ERROR_USAGE, "the body must be an object, not %s",
			json_type_name(v->type));
	if (!read_fields(&r, ALL_FIELDS, v, err))
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
