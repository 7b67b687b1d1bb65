/* What handlers share, and the server's parts that know of access and routes. */
#ifndef PROFDEPOT_SERVICE_SERVICE_PRIVATE_H
#define PROFDEPOT_SERVICE_SERVICE_PRIVATE_H

#include "db/connection.h"
#include "http/server_private.h"
#include "web_files.h"

/* The state behind the handlers; made by server_run, one a process. */
struct service {
	const struct server_options *options;
	struct tokens *tokens;  /* NULL: no token file */
	struct web_files pages; /* none: count is 0 */
	struct ingest *ingest;
	double started;
	struct jobs *jobs;
	struct metrics *metrics;
	_Atomic int64_t connections;   /* to the database */
	_Atomic int64_t events_stored; /* counted by whoever stores them */
};

/* Connections that the metrics count. */
struct db *service_open_db(struct service *s, const struct db_target *target, struct error *err);
void service_close_db(struct service *s, struct db *db); /* NULL does nothing */

/* --- metrics.c --------------------------------------------------------------------------- */

struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);
/* An exchange has ended. */
void metrics_count(struct metrics *m, const struct exchange *x);
void metrics_write(struct metrics *m, struct server *s, FILE *out);

/* --- openapi.c --------------------------------------------------------------------------- */

/* OpenAPI 3.1, made from the table. */
void openapi_write(const struct http_route *routes, FILE *out);

/* --- http_access.c ----------------------------------------------------------------------- */

/* Did the client come by a name of ours, and not by a page of others? Status 403. */
bool http_check_site(struct exchange *x, struct error *err);
/* May its token do what the route does? Status 401, 403. */
bool http_check_token(struct exchange *x, struct error *err);
/* Who asks: the connection's address, or whom a proxy of ours names. */
const char *http_forwarded_peer(struct exchange *x, const char *peer);
/* Sets status 429 and Retry-After. */
bool http_check_rate(struct exchange *x, struct error *err);

/* --- http_log.c -------------------------------------------------------------------------- */

/* A line in the access log: when, who, what, how it ended; no query, no body. */
void http_log(const struct exchange *x, bool whole);

/* --- routes.c ---------------------------------------------------------------------------- */

/* The table for a request: its listener's. */
const struct http_route *http_routes_of(const struct exchange *x);
/* With --legacy, for a request that no route takes: kernelscope's logger; else NULL. */
const struct http_route *http_logger_route(const struct exchange *x);

#endif
