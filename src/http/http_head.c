/*
 * What a request's head must be before anything of it is believed. Two readers
 * of one stream, a proxy and this server, must never disagree where a request
 * ends: whatever can be read in two ways is refused, and its connection closed.
 */
#include "base/text.h"
#include "service/service_private.h"

#include <string.h>
#include <strings.h>

enum {
	MAX_HEADERS = 100
};

static bool
is_token(const char *name)
{
	static const char marks[] = "!#$%&'*+-.^_`|~0123456789"
				    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return *name && name[strspn(name, marks)] == '\0';
}

static size_t
count_of(const struct http_fields *f, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++)
		n += strcasecmp(f->items[i].name, name) == 0;
	return n;
}

static bool
check_size(struct exchange *x, struct error *err)
{
	const struct http_fields *f = &x->request.headers;
	size_t max = (size_t)x->listener->server->options->max_header_bytes;
	size_t size = strlen(x->uri);

	if (size > max / 2) {
		x->answer.status = 414;
		return error_set(err, ERROR_LIMIT,
			"the path and its query have more than %zu bytes", max / 2);
	}
	for (size_t i = 0; i < f->count; i++)
		size += strlen(f->items[i].name) + f->items[i].value.size + 4;
	if (size <= max && f->count <= MAX_HEADERS)
		return true;
	x->answer.status = 431;
	return error_set(err, ERROR_LIMIT, "there are more than %d headers, or %zu bytes of them",
		MAX_HEADERS, max);
}

static bool
check_names(const struct http_fields *f, struct error *err)
{
	static const char *const once[] = { "Host", "Content-Length", "Transfer-Encoding",
		"Content-Encoding", "Content-Type", "Authorization", "Origin" };

	for (size_t i = 0; i < f->count; i++)
		if (!is_token(f->items[i].name))
			return error_set(err, ERROR_USAGE, "a header has a name that is none");
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		if (count_of(f, once[i]) > 1)
			return error_set(err, ERROR_USAGE, "the header %s is there twice", once[i]);
	return true;
}

static bool
check_body(struct exchange *x, bool is_1_1, struct error *err)
{
	const struct http_fields *f = &x->request.headers;
	struct text coding = http_header_find(f, "Transfer-Encoding");

	if (!coding.data)
		return true;
	if (http_header_find(f, "Content-Length").data)
		return error_set(err, ERROR_USAGE,
			"Content-Length and Transfer-Encoding say two things of one body");
	if (!is_1_1)
		return error_set(
			err, ERROR_USAGE, "HTTP/1.0 has no Transfer-Encoding, and one is there");
	if (text_equal_nocase(coding, TEXT_LITERAL("chunked")))
		return true;
	x->answer.status = 501;
	return error_set(err, ERROR_USAGE, "no Transfer-Encoding but chunked is known");
}

bool
http_check_head(struct exchange *x, const char *version, struct error *err)
{
	const struct http_fields *f = &x->request.headers;
	bool is_1_1 = strcmp(version, "HTTP/1.0") != 0;
	bool ok = check_size(x, err) && check_names(f, err) && check_body(x, is_1_1, err);

	if (ok && is_1_1 && !http_header_find(f, "Host").data)
		ok = error_set(err, ERROR_USAGE, "a request of HTTP/1.1 names its Host");
	if (!ok)
		x->ends = true;
	return ok;
}
