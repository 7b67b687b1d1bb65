/* Checks query parameters against the route's table, before the handler runs. */
#include "base/number.h"
#include "http_private.h"

#include <inttypes.h>
#include <string.h>

static const struct http_parameter *
find(const struct http_route *route, const char *name)
{
	const struct http_parameter *p = route->parameters;

	for (; p && p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static bool
is_choice(const char *choices, struct text value)
{
	for (const char *c = choices;; c++) {
		size_t n = strcspn(c, "|");

		if (n == value.size && memcmp(c, value.data, n) == 0)
			return true;
		c += n;
		if (!*c)
			return false;
	}
}

static bool
read_int(struct text value, int64_t *out)
{
	struct number n;

	return number_parse(value, &n) == NUMBER_OK && number_to_int64(n, out);
}

static bool
check_value(const struct http_parameter *p, struct text value, struct error *err)
{
	int64_t n;

	switch (p->kind) {
	case HTTP_INTEGER:
		if (read_int(value, &n) && n >= p->min && n <= p->max)
			return true;
		return error_set(err, ERROR_USAGE,
			"%s must be a number from %" PRId64 " to %" PRId64, p->name, p->min,
			p->max);
	case HTTP_FLAG:
		if (value.size == 0 || is_choice("true|false|1|0", value))
			return true;
		return error_set(err, ERROR_USAGE, "%s must be true or false", p->name);
	case HTTP_CHOICE:
		if (is_choice(p->choices, value))
			return true;
		error_set(err, ERROR_USAGE, "%s cannot be \"%.*s\"", p->name,
			text_precision(value, 40), value.data);
		return error_hint(err, "use one of %s", p->choices);
	case HTTP_TEXT:
	case HTTP_REPEATED:
		break;
	}
	return true;
}

static bool
check_field(const struct http_route *route, const struct http_fields *query, size_t i,
	const char *hint, struct error *err)
{
	const struct http_field *f = &query->items[i];
	const struct http_parameter *p = find(route, f->name);

	if (!p) {
		error_set(err, ERROR_USAGE, "%s has no parameter \"%.*s\"", route->path,
			text_precision(text_from(f->name), 40), f->name);
		return error_hint(err, "%s", hint);
	}
	for (size_t k = 0; k < i && p->kind != HTTP_REPEATED; k++)
		if (strcmp(query->items[k].name, f->name) == 0)
			return error_set(err, ERROR_USAGE, "%s is given more than once", f->name);
	return check_value(p, f->value, err);
}

bool
http_check_parameters(const struct http_route *route, const struct http_request *q,
	const char *hint, struct error *err)
{
	for (size_t i = 0; i < q->query.count; i++)
		if (!check_field(route, &q->query, i, hint, err))
			return false;
	return true;
}

const char *
http_query_text(const struct http_call *c, const char *name)
{
	return http_field_find(&c->request->query, name).data;
}

int64_t
http_query_int(const struct http_call *c, const char *name, int64_t otherwise)
{
	struct text t = http_field_find(&c->request->query, name);
	int64_t n = otherwise;

	if (t.data)
		read_int(t, &n);
	return n;
}

bool
http_query_flag(const struct http_call *c, const char *name)
{
	struct text t = http_field_find(&c->request->query, name);

	return t.data && !is_choice("false|0", t);
}

void
http_query_list(const struct http_call *c, const char *name, struct option_list *out)
{
	const struct http_fields *q = &c->request->query;

	out->items = arena_alloc_array(c->arena, q->count, sizeof(*out->items));
	out->count = 0;
	for (size_t i = 0; i < q->count; i++)
		if (strcmp(q->items[i].name, name) == 0)
			out->items[out->count++] = q->items[i].value.data;
}

bool
http_part_int(const struct http_call *c, const char *name, int64_t *out, struct error *err)
{
	struct text t = http_field_find(&c->request->parts, name);

	if (t.data && read_int(t, out) && *out >= 0)
		return true;
	return error_set(err, ERROR_USAGE, "%s in the path must be a whole number, not \"%.*s\"",
		name, text_precision(t, 40), t.data ? t.data : "");
}
