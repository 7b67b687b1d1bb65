/*
 * What a handler of the service sees of HTTP: a request that has arrived whole,
 * and an answer that it writes whole before the client gets any of it. A slow
 * client so holds memory or a temporary file, never a worker or a connection
 * to the database.
 */
#ifndef PROFDEPOT_HTTP_HTTP_H
#define PROFDEPOT_HTTP_HTTP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

struct db;
struct json_writer;
struct service;
struct spool;

#define HTTP_METHOD_TABLE(X) X(GET) X(HEAD) X(POST) X(PUT) X(PATCH) X(DELETE) X(OPTIONS)

enum http_method {
#define HTTP_ENUM(name) HTTP_##name,
	HTTP_METHOD_TABLE(HTTP_ENUM)
#undef HTTP_ENUM
	HTTP_METHODS
};

/* "GET" ...; HTTP_METHODS when there is none of that name. */
enum http_method http_method_find(const char *name);
const char *http_method_name(enum http_method method);

/* What a bearer of a token may do, bits; 0: whoever comes. */
enum http_scope {
	HTTP_SCOPE_READ = 1,
	HTTP_SCOPE_INGEST = 2,
	HTTP_SCOPE_ADMIN = 4,
};

struct http_field {
	const char *name;
	struct text value; /* NUL terminated behind its size */
};

struct http_fields {
	struct http_field *items;
	size_t count;
};

/* The first of that name; NULL text when there is none. */
struct text http_field_find(const struct http_fields *fields, const char *name);
/* The same for headers, whose names ignore case. */
struct text http_header_find(const struct http_fields *fields, const char *name);

struct http_request {
	enum http_method method;
	const char *path;         /* decoded, begins with '/' */
	struct http_fields query; /* decoded, in their order */
	struct http_fields parts; /* what stands for {NAME} in the route's path */
	struct http_fields headers;
	struct spool *body; /* whole, as it was sent; to be read from its beginning */
	uint64_t body_bytes;
	const char *peer; /* address for the log */
	unsigned scopes;  /* what the client may */
	bool legacy;      /* came to a listener of old senders, or plays that role */
};

enum {
	HTTP_MAX_ANSWER_FIELDS = 16
};

struct http_answer {
	int status;               /* 200 unless the handler says otherwise */
	const char *content_type; /* application/json unless ... */
	FILE *out;                /* the body */
	struct http_field fields[HTTP_MAX_ANSWER_FIELDS];
	size_t field_count;
};

/* One request in the hands of one worker. */
struct http_call {
	struct arena *arena; /* lives until the answer was sent */
	const struct http_request *request;
	struct http_answer *answer;
	struct service *service;
	struct http_worker *worker;
	struct exchange *exchange; /* for who defers the answer */
	/* The handler handed the request on: whoever has it ends it, perhaps before
	 * the handler returns. Set by ingest_submit. */
	bool deferred;
};

/* A header of the answer; name and value must live as long as the arena. */
void http_answer_field(struct http_answer *a, const char *name, const char *value);

/* Of the query, which was judged by the route's table: NULL, `otherwise` or false when not given.
 */
const char *http_query_text(const struct http_call *c, const char *name);
int64_t http_query_int(const struct http_call *c, const char *name, int64_t otherwise);
bool http_query_flag(const struct http_call *c, const char *name);
/* All values of a parameter that may be repeated, in the arena. */
void http_query_list(const struct http_call *c, const char *name, struct option_list *out);
/* A number, not below 0, in the place of {NAME} of the path. ERROR_USAGE. */
bool http_part_int(const struct http_call *c, const char *name, int64_t *out, struct error *err);

/* A way to write an answer. */
struct http_type {
	const char *name; /* in a query */
	const char *content_type;
};

/* The one that the parameter names, else the one that Accept likes best, of equals the first;
 * becomes the answer's. NULL with status 406 when the client takes none of them. */
const struct http_type *http_choose_type(struct http_call *c, const char *parameter,
	const struct http_type *types, size_t count, struct error *err);

/* A connection as reader or loader, of this worker, opened when first asked for
 * and again when the server went away. Borrowed for the call; outside of a transaction. */
struct db *http_reader(struct http_call *c, struct error *err);
struct db *http_loader(struct http_call *c, struct error *err);

/* The whole body in memory, in the arena, unpacked when its Content-Encoding is gzip or
 * deflate. ERROR_LIMIT above max_bytes (unpacked), ERROR_INPUT when it is cut or damaged. */
bool http_body_text(struct http_call *c, size_t max_bytes, struct text *out, struct error *err);

#endif
