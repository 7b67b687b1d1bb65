/*
 * Checks a request's head. A proxy and this server must never disagree about where a request ends,
 * so an ambiguous head is rejected and its connection closed (RFC 9112, 6.3 and 11.2).
 */
#include "http_head.h"

#include "base/text.h"

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
		return error_set(
			err, ERROR_LIMIT, "the path and its query exceed %zu bytes", max / 2);
	}
	for (size_t i = 0; i < f->count; i++)
		size += strlen(f->items[i].name) + f->items[i].value.size + 4;
	if (size <= max && f->count <= MAX_HEADERS)
		return true;
	x->answer.status = 431;
	return error_set(err, ERROR_LIMIT,
		"the request has more than %d headers or %zu bytes of headers", MAX_HEADERS, max);
}

static bool
check_names(const struct http_fields *f, struct error *err)
{
	static const char *const once[] = { "Host", "Content-Length", "Transfer-Encoding",
		"Content-Encoding", "Content-Type", "Authorization", "Origin" };

	for (size_t i = 0; i < f->count; i++)
		if (!is_token(f->items[i].name))
			return error_set(err, ERROR_USAGE, "a header has an invalid name");
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		if (count_of(f, once[i]) > 1)
			return error_set(
				err, ERROR_USAGE, "the header %s occurs more than once", once[i]);
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
			"the request has both Content-Length and Transfer-Encoding");
	if (!is_1_1)
		return error_set(err, ERROR_USAGE, "HTTP/1.0 does not allow Transfer-Encoding");
	if (text_equal_nocase(coding, TEXT_LITERAL("chunked")))
		return true;
	x->answer.status = 501;
	return error_set(err, ERROR_USAGE, "the only Transfer-Encoding supported is chunked");
}

bool
http_check_head(struct exchange *x, const char *version, struct error *err)
{
	const struct http_fields *f = &x->request.headers;
	bool is_1_1 = strcmp(version, "HTTP/1.0") != 0;
	bool ok = check_size(x, err) && check_names(f, err) && check_body(x, is_1_1, err);

	if (ok && is_1_1 && !http_header_find(f, "Host").data)
		ok = error_set(err, ERROR_USAGE, "an HTTP/1.1 request must have a Host header");
	if (!ok)
		x->ends = true;
	return ok;
}
