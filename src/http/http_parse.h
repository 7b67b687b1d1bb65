/* From the text of a request to its route and its parameters. */
#ifndef PROFDEPOT_HTTP_HTTP_PARSE_H
#define PROFDEPOT_HTTP_HTTP_PARSE_H

#include "http/route.h"

/* --- http_fields.c: names and values ---------------------------------------------------- */

/* Decodes %XX in place, '+' too when it is of a query. False for a wrong escape or a NUL. */
bool http_unescape(char *s, bool query);
/* "a=1&b" in the arena; ERROR_USAGE. */
bool http_parse_query(
	struct arena *a, const char *text, struct http_fields *out, struct error *err);

/* --- http_route.c ------------------------------------------------------------------------ */

struct http_match {
	const struct http_route *route; /* NULL: no such path, or not this method */
	struct http_fields parts;
	unsigned methods; /* bits of those that the path has */
};

void http_match(struct arena *a, const struct http_route *routes, enum http_method method,
	const char *path, struct http_match *out);
/* "GET, HEAD, POST" */
const char *http_methods_text(struct arena *a, unsigned methods);

/* --- http_params.c ------------------------------------------------------------------------ */

/* Does the query hold nothing but what the route takes? ERROR_USAGE names what not. */
bool http_check_parameters(
	const struct http_route *route, const struct http_request *q, struct error *err);

#endif
