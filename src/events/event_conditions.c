/*
 * Parses the constraints of an event query: groups of conditions and their values. The rules for
 * lenient bodies (see event_parse.c) follow kernelscope's query builder.
 */
#include "base/decimal.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "events/event_query.h"
#include "format/kernelscope/event_time.h"

struct reading {
	struct arena *arena;
	const struct category *category;
	bool strict;
	size_t conditions;
};

static bool read_group(
	struct reading *r, const struct json_node *v, struct event_node **out, struct error *err);

/* --- values ----------------------------------------------------------------------------------- */

static const char *
copy(struct reading *r, struct text t)
{
	return arena_strndup(r->arena, t.data, t.size);
}

/* Accepts text such as "0012" or " 7", because kernelscope's page sends numbers as strings. */
static bool
number_value(struct reading *r, struct text t, struct event_node *n)
{
	struct decimal d;
	struct number whole;
	int64_t v;

	t = text_trim(t);
	if (number_parse(t, &whole) == NUMBER_OK && number_to_int64(whole, &v)) {
		n->as = EVENT_AS_INT;
		n->value = arena_printf(r->arena, "%lld", (long long)v);
		return true;
	}
	if (decimal_parse(t, &d) != DECIMAL_OK)
		return false;
	n->as = EVENT_AS_NUMBER;
	n->value = copy(r, t);
	return true;
}

static bool
wrong_value(
	const struct reading *r, const struct event_node *n, const char *what, struct error *err)
{
	const struct category_column *k = &r->category->columns[n->column];

	error_set(err, ERROR_USAGE, "%.*s is compared with %s", (int)k->name.size, k->name.data,
		what);
	return error_hint(err, "the value of a column of type %s must be a string or a number",
		category_type_name(k->type));
}

static const char *
quoted(const struct reading *r, struct text t)
{
	return arena_printf(r->arena, "\"%.*s\"", text_precision(t, 40), t.data);
}

/* Converts the value for an int column. Text that is not a number does not equal any number. */
static bool
int_value(struct reading *r, const struct json_node *v, struct event_node *n, struct error *err)
{
	if (number_value(r, v->text, n))
		return true;
	if (r->strict)
		return wrong_value(r, n,
			arena_printf(r->arena, "%s, which is not a number", quoted(r, v->text)),
			err);
	n->kind = n->op == EVENT_NOT_EQUAL ? EVENT_TRUE : EVENT_FALSE;
	return true;
}

bool
event_parse_time(struct arena *a, struct text t, const char **seconds, struct error *err)
{
	struct decimal at;
	char digits[DECIMAL_FIXED_TEXT_MAX];
	bool exact;

	if (!event_time_parse(t, &at, &exact) && !event_time_from_number(t, &at)) {
		error_set(
			err, ERROR_USAGE, "\"%.*s\" is not a time", text_precision(t, 40), t.data);
		return error_hint(
			err, "write 2026-01-31 17:00:00.5, 2026-01-31, or seconds since 1970");
	}
	fixed_format(decimal_to_fixed(at), digits);
	*seconds = arena_strdup(a, digits);
	return true;
}

/* Parses a time. An incomplete time is compared as text, so "2016-10" is less than all days of
 * that month. */
static bool
time_value(struct reading *r, const struct json_node *v, struct event_node *n, struct error *err)
{
	struct decimal at;
	char digits[DECIMAL_FIXED_TEXT_MAX];
	bool exact;

	if (v->type == JSON_NUMBER ? event_time_from_number(v->text, &at)
				   : event_time_parse(v->text, &at, &exact)) {
		fixed_format(decimal_to_fixed(at), digits);
		n->as = EVENT_AS_SECONDS;
		n->value = arena_strdup(r->arena, digits);
		return true;
	}
	if (r->strict)
		return wrong_value(r, n,
			arena_printf(r->arena, "%s, which is not a time", quoted(r, v->text)), err);
	n->value = copy(r, v->text);
	return true;
}

static bool
contains_value(
	struct reading *r, const struct json_node *v, struct event_node *n, struct error *err)
{
	char *s;

	if (v->type != JSON_STRING && (r->strict || v->type != JSON_NUMBER))
		return wrong_value(r, n, "a value that is not a string", err);
	s = arena_strndup(r->arena, v->text.data, v->text.size);
	/* The comparison ignores case for ASCII letters only. */
	for (char *p = s; *p; p++)
		*p = char_lower(*p);
	n->value = s;
	return true;
}

/* Converts true, false or null. As in kernelscope, true is 1, false is 0, and a comparison with
 * null is never true. */
static bool
literal_value(struct reading *r, const struct json_node *v, struct event_node *n, struct error *err)
{
	const struct json_node number = { .type = JSON_NUMBER,
		.text = text_from(v->type == JSON_TRUE ? "1" : "0") };

	if (r->strict)
		return wrong_value(r, n, json_type_name(v->type), err);
	if (v->type == JSON_NULL) {
		n->kind = EVENT_FALSE;
		return true;
	}
	if (category_type_is_whole(r->category->columns[n->column].type))
		return int_value(r, &number, n, err);
	n->value = copy(r, number.text);
	return true;
}

static bool
read_value(struct reading *r, const struct json_node *v, struct event_node *n, struct error *err)
{
	enum category_type type = r->category->columns[n->column].type;

	if (v->type == JSON_OBJECT || v->type == JSON_ARRAY)
		return wrong_value(r, n, json_type_name(v->type), err);
	if (n->op == EVENT_CONTAINS)
		return contains_value(r, v, n, err);
	if (v->type != JSON_STRING && v->type != JSON_NUMBER)
		return literal_value(r, v, n, err);
	if (category_type_is_whole(type))
		return int_value(r, v, n, err);
	if (type == CATEGORY_TIMESTAMP)
		return time_value(r, v, n, err);
	if (r->strict && v->type != JSON_STRING)
		return wrong_value(r, n, "a number", err);
	n->value = copy(r, v->text);
	return true;
}

/* --- conditions ------------------------------------------------------------------------------- */

static const char *const operator_names[] = {
#define EVENT_NAME(op, name, sql) name,
	EVENT_OPERATOR_TABLE(EVENT_NAME)
#undef EVENT_NAME
};

const char *
event_operator_name(enum event_operator op)
{
	return operator_names[op];
}

static enum event_operator
find_operator(const struct json_node *v)
{
	size_t i = 0;

	if (v->type != JSON_STRING)
		return EVENT_OPERATORS;
	while (i < EVENT_OPERATORS && !text_equal(v->text, text_from(operator_names[i])))
		i++;
	return (enum event_operator)i;
}

bool
event_no_column(const struct category *c, struct text name, struct error *err)
{
	struct strbuf b;

	error_set(err, ERROR_USAGE, "%.*s has no column \"%.*s\"", (int)c->name.size, c->name.data,
		text_precision(name, 40), name.data);
	strbuf_init(&b, 1024);
	for (size_t i = 0; i < c->column_count; i++) {
		strbuf_append_str(&b, i ? ", " : "");
		strbuf_append_text(&b, c->columns[i].name);
	}
	error_hint(err, "its columns are %s", strbuf_str(&b));
	strbuf_release(&b);
	return false;
}

/* Finds the member that is not `expr`. */
static const struct json_node *
other_member(const struct json_node *v, const struct json_node *expr)
{
	return v->first == expr ? v->first->next : v->first;
}

static bool
strict_condition(const struct reading *r, const struct json_node *v, struct error *err)
{
	const struct json_node *expr = json_tree_get(v, "expr");

	if (!expr) {
		error_set(err, ERROR_USAGE, "a condition needs \"expr\", its operator");
		return error_hint(err, "{\"pid\": 1234, \"expr\": \"=\"}");
	}
	if (v->count != 2)
		return error_set(err, ERROR_USAGE,
			"a condition needs one column besides \"expr\", not %zu",
			(size_t)v->count - 1);
	if (find_operator(expr) == EVENT_OPERATORS) {
		error_set(err, ERROR_USAGE, "expr: unknown operator %s",
			expr->type == JSON_STRING ? quoted(r, expr->text)
						  : json_type_name(expr->type));
		return error_hint(err, "the operators are = != < <= > >= contains");
	}
	if (category_column_find(r->category, other_member(v, expr)->key) ==
		r->category->column_count)
		return event_no_column(r->category, other_member(v, expr)->key, err);
	return true;
}

/* Parses one condition. *out stays NULL if the condition is ignored. */
static bool
read_condition(
	struct reading *r, const struct json_node *v, struct event_node **out, struct error *err)
{
	const struct json_node *expr = json_tree_get(v, "expr");
	struct event_node *n = arena_alloc(r->arena, sizeof(*n));

	if (r->strict && !strict_condition(r, v, err))
		return false;
	if (!expr || v->count != 2)
		return true;
	n->kind = EVENT_COMPARE;
	n->op = find_operator(expr);
	n->column = category_column_find(r->category, other_member(v, expr)->key);
	if (n->op == EVENT_OPERATORS || n->column == r->category->column_count)
		return true;
	*out = n;
	return read_value(r, other_member(v, expr), n, err);
}

/* JSON_BODY_MAX_DEPTH limits the depth of recursion.
 * NOLINTBEGIN(misc-no-recursion) */

static bool
read_node(struct reading *r, const struct json_node *v, struct event_node **out, struct error *err)
{
	*out = NULL;
	if (v->type != JSON_OBJECT)
		return error_set(err, ERROR_USAGE, "a condition must be an object, not %s",
			json_type_name(v->type));
	if (++r->conditions > EVENT_MAX_CONDITIONS)
		return error_set(err, ERROR_LIMIT, "there are more than %d conditions",
			(int)EVENT_MAX_CONDITIONS);
	if (json_tree_get(v, "conditions"))
		return read_group(r, v, out, err);
	return read_condition(r, v, out, err);
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool
read_oper(const struct json_node *oper, enum event_node_kind *kind, struct error *err)
{
	struct text t = oper && oper->type == JSON_STRING ? oper->text : TEXT_NULL;

	*kind = EVENT_ALL_OF;
	if (!oper || text_equal_nocase(t, text_from("and")))
		return true;
	*kind = EVENT_ANY_OF;
	if (text_equal_nocase(t, text_from("or")))
		return true;
	if (t.data)
		error_set(err, ERROR_USAGE, "oper: unknown operator \"%.*s\"",
			text_precision(t, 40), t.data);
	else
		error_set(err, ERROR_USAGE, "oper must be a string, not %s",
			json_type_name(oper->type));
	return error_hint(err, "oper must be \"and\" or \"or\"");
}

static bool
check_group_keys(const struct json_node *v, struct error *err)
{
	for (const struct json_node *m = v->first; m; m = m->next)
		if (!text_equal(m->key, text_from("oper")) &&
			!text_equal(m->key, text_from("conditions"))) {
			error_set(err, ERROR_USAGE, "a group has no field \"%.*s\"",
				text_precision(m->key, 40), m->key.data);
			return error_hint(err, "the fields are conditions and oper");
		}
	return true;
}

static bool
read_members(struct reading *r, const struct json_node *list, struct event_node *group,
	size_t *count, struct error *err)
{
	struct event_node **end = &group->first;
	size_t i = 0;

	for (const struct json_node *m = list->first; m; m = m->next, i++) {
		if (!read_node(r, m, end, err))
			return error_prefix(err, "conditions[%zu]", i);
		if (!*end)
			continue;
		end = &(*end)->next;
		++*count;
	}
	return true;
}

/* Parses a group. *out is NULL if all its conditions are ignored. */
static bool
read_group(struct reading *r, const struct json_node *v, struct event_node **out, struct error *err)
{
	const struct json_node *oper = json_tree_get(v, "oper");
	const struct json_node *list = json_tree_get(v, "conditions");
	struct event_node *group = arena_alloc(r->arena, sizeof(*group));
	size_t count = 0;

	*out = NULL;
	if (r->strict && !check_group_keys(v, err))
		return false;
	if (!list && r->strict)
		return error_set(err, ERROR_USAGE, "conditions is missing");
	if (!list)
		return true;
	if (list->type != JSON_ARRAY)
		return error_set(err, ERROR_USAGE, "conditions must be an array, not %s",
			json_type_name(list->type));
	if (!read_members(r, list, group, &count, err))
		return false;
	/* kernelscope ignores oper if there are fewer than two conditions. */
	if ((r->strict || count > 1) && !read_oper(oper, &group->kind, err))
		return false;
	if (r->strict && count > 1 && !oper)
		return error_set(err, ERROR_USAGE, "oper is missing: \"and\" or \"or\"");
	if (count)
		*out = group;
	return true;
}

/* NOLINTEND(misc-no-recursion) */

bool
event_parse_constraints(struct arena *a, const struct category *c, const struct json_node *v,
	bool strict, const struct event_node **out, struct error *err)
{
	struct reading r = { a, c, strict, 0 };
	struct event_node *all = arena_alloc(a, sizeof(*all));
	struct event_node **end = &all->first;
	size_t i = 0;

	*out = NULL;
	if (!v)
		return true;
	if (v->type != JSON_ARRAY)
		return error_set(err, ERROR_USAGE, "constraints must be an array, not %s",
			json_type_name(v->type));
	for (const struct json_node *g = v->first; g; g = g->next, i++) {
		if (g->type != JSON_OBJECT)
			return error_set(err, ERROR_USAGE,
				"constraints[%zu] must be an object with conditions, not %s", i,
				json_type_name(g->type));
		if (!read_group(&r, g, end, err))
			return error_prefix(err, "constraints[%zu]", i);
		if (*end)
			end = &(*end)->next;
	}
	if (all->first)
		*out = all;
	return true;
}
