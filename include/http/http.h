/*
 * HTTP as a handler sees it: a request that has arrived completely, and an answer. The server sends
 * the answer only after the handler has written all of it. A slow client therefore costs
 * memory or a temporary file, but never blocks a worker or a database connection.
 */
#ifndef PROFDEPOT_HTTP_HTTP_H
#define PROFDEPOT_HTTP_HTTP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

struct spool;

#define HTTP_METHOD_TABLE(X) X(GET) X(HEAD) X(POST) X(PUT) X(PATCH) X(DELETE) X(OPTIONS)

enum http_method {
#define HTTP_ENUM(name) HTTP_##name,
	HTTP_METHOD_TABLE(HTTP_ENUM)
#undef HTTP_ENUM
	HTTP_METHODS
};

/* Finds "GET", "POST" etc.; HTTP_METHODS if the name is unknown. */
enum http_method http_method_find(const char *name);
const char *http_method_name(enum http_method method);

struct http_field {
	const char *name;
	struct text value; /* NUL terminated */
};

struct http_fields {
	struct http_field *items;
	size_t count;
};

/* Returns the value of the first field with this name, or NULL text. */
struct text http_field_find(const struct http_fields *fields, const char *name);
/* Does the same for headers, whose names are case-insensitive. */
struct text http_header_find(const struct http_fields *fields, const char *name);

enum {
	HTTP_USER_BYTES = 65 /* with NUL */
};

/* Stands for a '/' within a segment of a path. No UTF-8 text contains it. */
#define HTTP_SLASH '\xff'

struct http_request {
	enum http_method method;
	const char *path;         /* decoded, begins with '/' */
	const char *segments;     /* like path, but with HTTP_SLASH for each encoded '/' */
	struct http_fields query; /* decoded, in order */
	struct http_fields parts; /* values of the route's {NAME} parts */
	struct http_fields headers;
	struct spool *body; /* the complete body as sent, rewound */
	uint64_t body_bytes;
	const char *peer; /* the client's address, for the log */
	unsigned scopes;  /* the client's permissions, set by http_hooks.authorise */
	/* The client's name, set by http_hooks.authorise; may be empty. */
	char user[HTTP_USER_BYTES];
	bool session; /* a cookie identifies the client; set by http_hooks.authorise */
	bool legacy;  /* the listener or the route is for old senders of kernelscope's events */
};

enum {
	HTTP_MAX_ANSWER_FIELDS = 16,
	HTTP_CLIENT_GONE = 499, /* the status in logs and metrics if the client has disconnected */
};

struct http_answer {
	int status;               /* initially 200 */
	const char *content_type; /* initially application/json; NULL: no type is sent */
	FILE *out;                /* the body */
	struct text constant;     /* the body, if not NULL; must outlive the server */
	struct text packed;       /* the same body compressed by gzip, or NULL */
	struct http_field fields[HTTP_MAX_ANSWER_FIELDS];
	size_t field_count;
};

struct exchange;

/* One request, handled by one worker. */
struct http_call {
	struct arena *arena; /* lives until the answer has been sent */
	const struct http_request *request;
	struct http_answer *answer;
	struct http_server *server;
	double deadline; /* when the answer must be complete; see base/clock.h */
	void *owner;     /* http_hooks.self */
	void *worker;    /* from http_hooks.worker_begin; NULL for a route with HTTP_AT_ONCE */
	/* Private to the server. */
	struct exchange *exchange;
	bool deferred;
};

/* Lets another thread finish the answer, possibly before the handler returns. The handler must pass
 * the exchange to that thread, must not use the call afterwards, and must return true. */
struct exchange *http_defer(struct http_call *c);
/* Returns the stream that receives a deferred answer's body. */
FILE *http_deferred_out(struct exchange *x);
/* Sends a deferred answer, or err if err is not NULL. The exchange is freed afterwards. */
void http_finish(struct exchange *x, const struct error *err);

/* Returns true if the client has disconnected. Nobody then needs the answer. */
bool http_is_abandoned(const struct http_call *c);

/* Adds a header to the answer. Name and value must live as long as the arena. */
void http_answer_field(struct http_answer *a, const char *name, const char *value);
/* These return a query parameter's value, already checked against the route's table. If the
 * parameter is absent, they return NULL, `otherwise` or false. */
const char *http_query_text(const struct http_call *c, const char *name);
int64_t http_query_int(const struct http_call *c, const char *name, int64_t otherwise);
bool http_query_flag(const struct http_call *c, const char *name);
/* Returns all values of a repeated parameter, in the arena. */
void http_query_list(const struct http_call *c, const char *name, struct option_list *out);
/* Parses the path's {NAME} part as a number >= 0. Can fail with ERROR_USAGE. */
bool http_part_int(const struct http_call *c, const char *name, int64_t *out, struct error *err);

/* A representation that an answer can have. */
struct http_type {
	const char *name; /* value of the query parameter */
	const char *content_type;
};

/* Returns the type that the query parameter names, or else the type that Accept prefers. If Accept
 * prefers several types equally, returns the first of them. Sets the answer's type. Returns NULL, with
 * status 406, if the client accepts no type in `types`. */
const struct http_type *http_choose_type(struct http_call *c, const char *parameter,
	const struct http_type *types, size_t count, struct error *err);

/* Reads the complete body into the arena, unpacked if its Content-Encoding is gzip or deflate.
 * ERROR_LIMIT: the unpacked body exceeds max_bytes. ERROR_INPUT: the body is truncated or damaged.
 * ERROR_MEMORY: this thread has a budget (base/memory.h), which does not suffice. */
bool http_body_text(struct http_call *c, size_t max_bytes, struct text *out, struct error *err);

#endif
