/* Queries the database for health checks, on a thread and a connection of their own. All checks that wait at
 * the same time share one query. Other requests never delay the checks. */
#ifndef PROFDEPOT_SERVICE_PROBE_H
#define PROFDEPOT_SERVICE_PROBE_H

#include "connections.h"
#include "http/http.h"

struct probe;

/* The pool is borrowed. A query may take at most query_seconds. */
struct probe *probe_new(struct db_pool *pool, int64_t query_seconds);
bool probe_start(struct probe *p, struct error *err);
/* Call it after all checks have been answered. NULL does nothing. */
void probe_free(struct probe *p);

/* Answers the deferred exchange with the state of the database. */
void probe_ask(struct probe *p, struct exchange *x);

#endif
