/* The state that all handlers share, and the hooks that the HTTP server calls. */
#ifndef PROFDEPOT_SERVICE_SERVICE_PRIVATE_H
#define PROFDEPOT_SERVICE_SERVICE_PRIVATE_H

#include "base/memory_pool.h"
#include "connections.h"
#include "http/server.h"
#include "service/server.h"
#include "web_files.h"

/* One per process; it owns the HTTP server. */
struct service {
	const struct server_options *options;
	const struct http_route *routes;
	const struct route_type *types;
	struct db_pool pool;
	struct tokens *tokens;     /* NULL without a token file */
	struct sessions *sessions; /* NULL without a token file */
	struct web_files pages;    /* count is 0 if there are no pages */
	FILE *log;                 /* the access log; may be NULL */
	struct ingest *ingest;
	struct category_cache *categories;
	struct loader *loader;
	struct memory_pool *memory; /* for readers, bodies, and posted events */
	struct readers *readers;
	struct jobs *jobs;
	unsigned user_scopes; /* permissions of users whom a proxy has signed in */
	struct metrics *metrics;
	struct probe *probe;
	double started;
	_Atomic int64_t events_stored; /* events acknowledged to their senders */
};

/* The state of a worker thread. Most handlers need only the connections. */
struct worker {
	struct connections own; /* must be first */
	struct reader *reader;  /* the process that handles the thread's requests; may be NULL */
	struct memory_lease *lease; /* for the body that the thread reads; may be NULL */
};

static inline struct service *
service_of(const struct http_call *c)
{
	return c->owner;
}

/* --- access.c, access_log.c: hooks ------------------------------------------------------- */

/* For http_hooks.authorise. Sets status 401 or 403 if the client's token does not allow the route. */
bool service_authorise(void *service, const struct http_route *route, struct http_request *q,
	struct http_answer *a, struct error *err);
/* Writes one line per request: time, client, method, path, status, bytes in and out, seconds. The
 * log contains no queries, bodies or tokens. */
void access_log_write(FILE *out, const struct http_ended *e);

/* --- handlers/words.c -------------------------------------------------------------------- */

/* Rewrites a hint that was written for the command line: "profdepot list" becomes "GET /v1/result-sets". Commands
 * without such a request stay. */
void service_request_words(struct error *err);

/* --- metrics.c --------------------------------------------------------------------------- */

struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);
void metrics_count(struct metrics *m, const struct http_ended *e);
/* Writes the metrics in Prometheus text format 0.0.4. */
void metrics_write(struct service *s, struct http_server *http, FILE *out);

/* --- routes.c, route_types.c, openapi/openapi.c ------------------------------------------------------------- */

/* Both tables end with .path == NULL. The second table is for old senders, which were written for kernelscope's
 * logger. It accepts every path, as that logger does. */
extern const struct http_route http_routes[], http_logger_routes[];
/* For http_hooks.legacy_route; see server_options.legacy. */
const struct http_route *http_logger_route(void *service, const struct http_request *q);

#define ROUTE_BODY "body"
#define ROUTE_OPTIONAL_BODY "optional body"

/* The body that the routes with this handler take, or a successful answer of them. If a route has several successful
 * statuses, the table has an entry for each. A route without an answer in the table answers with status 200 and
 * no JSON. The table ends with .handler == NULL. */
struct route_type {
	http_handler *handler;
	const char *status; /* ROUTE_BODY, ROUTE_OPTIONAL_BODY, or a number; NULL: only errors */
	const char *type;   /* of JSON, as in openapi_type; NULL: no body, or a report */
	const char *report; /* the report that the route runs; NULL: the type applies */
};
extern const struct route_type route_types[];

/* Describes the routes in OpenAPI 3.1. */
bool openapi_write(const struct http_route *routes, const struct route_type *types, FILE *out,
	struct error *err);

#endif
