/* Names and values: methods, headers, and query decoding. */
#include "http_private.h"

#include <string.h>
#include <strings.h>

enum {
	MAX_FIELDS = 1000
};

static const char *const method_names[] = {
#define METHOD_NAME(name) #name,
	HTTP_METHOD_TABLE(METHOD_NAME)
#undef METHOD_NAME
};

enum http_method
http_method_find(const char *name)
{
	for (size_t i = 0; i < HTTP_METHODS; i++)
		if (strcmp(name, method_names[i]) == 0)
			return (enum http_method)i;
	return HTTP_METHODS;
}

const char *
http_method_name(enum http_method method)
{
	return method < HTTP_METHODS ? method_names[method] : "?";
}

struct text
http_field_find(const struct http_fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (strcmp(fields->items[i].name, name) == 0)
			return fields->items[i].value;
	return TEXT_NULL;
}

struct text
http_header_find(const struct http_fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (strcasecmp(fields->items[i].name, name) == 0)
			return fields->items[i].value;
	return TEXT_NULL;
}

bool
http_unescape(char *s, bool query)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '%') {
			int high = char_hex_value(s[1]);
			int low = high < 0 ? -1 : char_hex_value(s[2]);

			if (low < 0 || high + low == 0)
				return false;
			*to++ = (char)(high << 4 | low);
			s += 2;
		} else {
			*to++ = query && *s == '+' ? ' ' : *s;
		}
	}
	*to = '\0';
	return true;
}

static bool
is_utf8(struct text t)
{
	return text_utf8_prefix(t.data, t.size) == t.size;
}

static bool
add_pair(struct http_fields *out, char *pair, struct error *err)
{
	char *value = strchr(pair, '=');
	struct http_field *f = &out->items[out->count];

	if (value)
		*value++ = '\0';
	else
		value = pair + strlen(pair);
	if (!http_unescape(pair, true) || !http_unescape(value, true)) {
		error_set(err, ERROR_USAGE,
			"the query contains %%00, or %% without two hexadecimal digits");
		return error_hint(err, "write %%25 for %% itself");
	}
	f->name = pair;
	f->value = text_from(value);
	if (!is_utf8(text_from(pair)) || !is_utf8(f->value))
		return error_set(err, ERROR_USAGE, "the query is not UTF-8");
	out->count++;
	return true;
}

bool
http_parse_query(struct arena *a, const char *text, struct http_fields *out, struct error *err)
{
	char *rest = arena_strdup(a, text);
	size_t count = 1;

	for (const char *p = rest; *p; p++)
		count += *p == '&';
	out->count = 0;
	if (count > MAX_FIELDS)
		return error_set(
			err, ERROR_LIMIT, "the query has more than %d parameters", MAX_FIELDS);
	out->items = arena_alloc_array(a, count, sizeof(*out->items));
	while (rest) {
		char *pair = rest;

		rest = strchr(rest, '&');
		if (rest)
			*rest++ = '\0';
		if (*pair && !add_pair(out, pair, err))
			return false;
	}
	return true;
}
