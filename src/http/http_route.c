/* Finds the route of a path. */
#include "http_private.h"

#include "base/strbuf.h"

#include <string.h>

enum {
	MAX_PARTS = 8
};

static size_t
segment(const char *p)
{
	return strcspn(p, "/");
}

/* Returns how much of the path this part of the pattern matches: all of the path if the part is {NAME...},
 * otherwise one segment. */
static size_t
part_size(const char *pattern, size_t pattern_size, const char *path)
{
	if (pattern_size > 5 && memcmp(pattern + pattern_size - 4, "...}", 4) == 0)
		return strlen(path);
	return segment(path);
}

static void
keep_part(struct arena *a, struct http_fields *parts, const char *pattern, struct text value)
{
	size_t name = strcspn(pattern + 1, ".}");
	char *part = arena_strndup(a, value.data, value.size);

	for (char *c = part; *c; c++)
		if (*c == HTTP_SLASH)
			*c = '/';
	parts->items[parts->count].name = arena_strndup(a, pattern + 1, name);
	parts->items[parts->count].value = (struct text){ part, value.size };
	parts->count++;
}

static bool
is_match(struct arena *a, const char *pattern, const char *path, struct http_fields *parts)
{
	parts->count = 0;
	while (*pattern == '/' && *path == '/') {
		size_t n = segment(++pattern);
		size_t m = segment(++path);

		if (*pattern == '{') {
			m = part_size(pattern, n, path);
			if (m == 0 || parts->count == MAX_PARTS)
				return false;
			keep_part(a, parts, pattern, (struct text){ path, m });
		} else if (n != m || memcmp(pattern, path, n) != 0) {
			return false;
		}
		pattern += n;
		path += m;
	}
	return *pattern == '\0' && *path == '\0';
}

static bool
has_method(const struct http_route *r, enum http_method method)
{
	return r->method == method || (r->method == HTTP_GET && method == HTTP_HEAD);
}

void
http_match(struct arena *a, const struct http_route *routes, enum http_method method,
	const char *path, struct http_match *out)
{
	struct http_fields parts = { arena_alloc_array(a, MAX_PARTS, sizeof(struct http_field)),
		0 };

	*out = (struct http_match){ .route = NULL };
	for (const struct http_route *r = routes; r->path && !out->route; r++) {
		if (!is_match(a, r->path, path, &parts))
			continue;
		out->methods |= 1U << r->method | (r->method == HTTP_GET ? 1U << HTTP_HEAD : 0);
		if (has_method(r, method)) {
			out->route = r;
			out->parts = parts;
		}
	}
}

const char *
http_methods_text(struct arena *a, unsigned methods)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b, 256);
	for (unsigned m = 0; m < HTTP_METHODS; m++)
		if (methods >> m & 1)
			strbuf_printf(&b, "%s%s", b.size ? ", " : "",
				http_method_name((enum http_method)m));
	text = arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return text;
}
