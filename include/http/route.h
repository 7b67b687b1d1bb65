/* Routes: one table finds the handler, checks the parameters and describes the API. */
#ifndef PROFDEPOT_HTTP_ROUTE_H
#define PROFDEPOT_HTTP_ROUTE_H

#include "http/http.h"

/* The body that a route accepts; each kind has its own size limit. */
enum http_body_kind {
	HTTP_BODY_NONE,
	HTTP_BODY_SMALL,  /* a JSON document */
	HTTP_BODY_EVENTS, /* a batch */
	HTTP_BODY_UPLOAD, /* a file */
};

/* Where requests are answered. Each lane except the first has its own threads and queue, so that no kind of
 * request delays another kind. */
enum http_lane {
	HTTP_AT_ONCE, /* on the listener's thread: the handler must not wait, and has no worker */
	HTTP_LIGHT,   /* short queries and small changes */
	HTTP_HEAVY,   /* queries that can need much time and memory */
	HTTP_LOADS,   /* loads, and deletions of what they stored */
	HTTP_INGEST,  /* posted events */
	HTTP_LANES
};

/* Writes c->answer. If it returns false, the server answers with the error. */
typedef bool http_handler(struct http_call *c, struct error *err);

struct http_route {
	enum http_method method; /* a GET route also answers HEAD requests */
	const char *path;        /* "/v1/result-sets/{inst_id}"; {NAME...} matches several parts */
	unsigned scope;          /* required permissions, for http_hooks.authorise */
	enum http_lane lane;
	enum http_body_kind body;
	http_handler *handler;
	const char *summary;                     /* one line of the API's description */
	const struct http_parameter *parameters; /* ends with .name == NULL; may be NULL */
	/* media types of the answer, separated by spaces; NULL: application/json */
	const char *types;
	const char *takes; /* media types of the body; NULL: the default types of the body kind */
};

enum http_parameter_kind {
	HTTP_TEXT,
	HTTP_INTEGER,
	HTTP_FLAG,
	HTTP_CHOICE,
	HTTP_REPEATED,
};

struct http_parameter {
	const char *name;
	enum http_parameter_kind kind;
	const char *choices; /* "a|b" */
	const char *help;
	int64_t min, max; /* range of an HTTP_INTEGER */
};

struct http_match {
	const struct http_route *route; /* NULL: unknown path, or unsupported method */
	struct http_fields parts;
	unsigned methods; /* the methods that this path supports, as bits */
};

/* Finds the route; `routes` ends with .path == NULL. path: see http_request.segments. */
void http_match(struct arena *a, const struct http_route *routes, enum http_method method,
	const char *path, struct http_match *out);

#endif
