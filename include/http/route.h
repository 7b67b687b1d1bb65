/*
 * Routes: one table routes, judges parameters, and describes the API.
 */
#ifndef PROFDEPOT_HTTP_ROUTE_H
#define PROFDEPOT_HTTP_ROUTE_H

#include "http/http.h"

/* What the body of a route may be. */
enum http_body_kind {
	HTTP_BODY_NONE,
	HTTP_BODY_SMALL,  /* a document of a request: --max-request */
	HTTP_BODY_EVENTS, /* a batch: --max-batch */
	HTTP_BODY_UPLOAD, /* a file: --max-upload */
};

typedef bool http_handler(struct http_call *c, struct error *err);

/* A row of a route table. False from the handler: the answer is the error. */
struct http_route {
	enum http_method method; /* GET answers HEAD too */
	const char *path;        /* "/v1/result-sets/{inst_id}" */
	unsigned scope;          /* what it takes; 0: nothing */
	enum http_body_kind body;
	http_handler *handler;
	const char *summary;                     /* a line, for the API's description */
	const struct http_parameter *parameters; /* ends with .name == NULL; NULL: none */
	const char *types; /* of the answer, parted by blanks; NULL: application/json */
	const char *takes; /* types of the body, likewise; NULL: those of its kind */
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
	int64_t min, max; /* HTTP_INTEGER */
};

/* Ends with .path == NULL. */
extern const struct http_route http_routes[];

#endif
