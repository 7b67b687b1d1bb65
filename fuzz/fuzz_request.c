/*
 * Fuzzes request heads: a line "METHOD TARGET VERSION", then one line per header. The result is one
 * clear error, or the path of a route with parameters that the route accepts.
 */
#include "base/number.h"
#include "base/strbuf.h"
#include "http/http_head.h"
#include "must.h"
#include "service/service_private.h"

#include <string.h>

enum {
	MAX_FIELDS = 128, /* more fields than a request head can have */
	MAX_HEAD_BYTES = 2048
};

/* Cuts off the next line, or the next word of a line. Returns an empty string at the end. */
static char *
cut(char **rest, char at)
{
	char *found = *rest;
	char *end = strchr(found, at);

	*rest = end ? end + 1 : found + strlen(found);
	if (end)
		*end = '\0';
	return found;
}

static void
add_headers(struct exchange *x, char *rest)
{
	struct http_fields *f = &x->request.headers;

	f->items = arena_alloc_array(&x->arena, MAX_FIELDS, sizeof(*f->items));
	while (*rest && f->count < MAX_FIELDS) {
		char *value = cut(&rest, '\n');
		const char *name = cut(&value, ':');

		f->items[f->count++] = (struct http_field){ name, text_from(value) };
	}
}

static bool
is_text(const char *s, size_t size)
{
	return strlen(s) == size && text_utf8_prefix(s, size) == size;
}

/* Inserting the parts into the route's path must result in the request's path. */
static void
check_parts(const struct http_match *m, const char *path)
{
	struct strbuf b = STRBUF_INIT(SIZE_MAX);
	size_t part = 0;

	for (const char *p = m->route->path; *p;) {
		if (*p != '{') {
			strbuf_append_char(&b, *p++);
			continue;
		}
		MUST(part < m->parts.count && m->parts.items[part].value.size > 0);
		strbuf_append_str(&b, m->parts.items[part++].value.data);
		p += strcspn(p, "}") + 1;
	}
	MUST(part == m->parts.count && strcmp(strbuf_str(&b), path) == 0);
	strbuf_release(&b);
}

/* Every accepted field is a parameter of the route, with a valid number if it is an integer. */
static void
check_query(const struct http_route *route, const struct http_fields *query)
{
	for (size_t i = 0; i < query->count; i++) {
		const struct http_parameter *p = route->parameters;
		struct number n;
		int64_t v;

		while (p && p->name && strcmp(p->name, query->items[i].name) != 0)
			p++;
		MUST(p && p->name);
		if (p->kind == HTTP_INTEGER)
			MUST(number_parse(query->items[i].value, &n) == NUMBER_OK &&
				number_to_int64(n, &v) && v >= p->min && v <= p->max);
	}
}

static void
check_type(struct exchange *x)
{
	static const struct http_type types[] = { { "json", "application/json" },
		{ "html", "text/html; charset=utf-8" }, { "csv", "text/csv; charset=utf-8" },
		{ "svg", "image/svg+xml" } };
	struct error err = ERROR_INIT;
	struct http_call c = {
		.arena = &x->arena, .request = &x->request, .answer = &x->answer, .exchange = x
	};
	const struct http_type *t = http_choose_type(&c, "format", types, 4, &err);

	MUST(t ? t >= types && t < types + 4 && err.code == ERROR_NONE
	       : x->answer.status == 406 && err.code == ERROR_USAGE && err.hint[0]);
}

/* Reads a target as http_exchange.c does. On failure sets err and returns false. */
static bool
read_target(struct exchange *x, struct error *err)
{
	struct http_request *q = &x->request;
	char *path = arena_strdup(&x->arena, x->uri);
	char *query = strchr(path, '?');

	if (query)
		*query++ = '\0';
	q->path = path;
	if (path[0] != '/' || !http_unescape(path, false) || !is_text(path, strlen(path)))
		return false;
	if (!http_parse_query(&x->arena, query ? query : "", &q->query, err)) {
		MUST(err->code == ERROR_USAGE || err->code == ERROR_LIMIT);
		return false;
	}
	for (size_t i = 0; i < q->query.count; i++)
		MUST(is_text(q->query.items[i].name, strlen(q->query.items[i].name)) &&
			is_text(q->query.items[i].value.data, q->query.items[i].value.size));
	return true;
}

static void
find_route(struct exchange *x, struct error *err)
{
	struct http_match m;

	http_match(&x->arena, http_routes, x->request.method, x->request.path, &m);
	MUST(*http_methods_text(&x->arena, m.methods) || m.methods == 0);
	if (!m.route)
		return;
	MUST(m.methods >> x->request.method & 1);
	check_parts(&m, x->request.path);
	if (http_check_parameters(m.route, &x->request, "", err))
		check_query(m.route, &x->request.query);
	else
		MUST(err->code == ERROR_USAGE && err->message[0]);
	check_type(x);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct http_options options = { .max_header_bytes = MAX_HEAD_BYTES };
	struct http_server server = { .options = &options };
	struct listener listener = { .server = &server };
	struct exchange x = { .listener = &listener, .arena = ARENA_INIT };
	struct error err = ERROR_INIT;
	char *rest = arena_strndup(&x.arena, (const char *)data, size);
	char *line = cut(&rest, '\n');

	x.request.method = http_method_find(cut(&line, ' '));
	x.uri = cut(&line, ' ');
	add_headers(&x, rest);
	if (!http_check_head(&x, line, &err))
		MUST(x.ends && (err.code == ERROR_USAGE || err.code == ERROR_LIMIT));
	else if (x.request.method < HTTP_METHODS && read_target(&x, &err))
		find_route(&x, &err);
	arena_release(&x.arena);
	return 0;
}
