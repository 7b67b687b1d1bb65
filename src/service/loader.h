/*
 * Loads uploads in processes of their own, so that no input can end the service: a load that crashes,
 * is killed or runs out of memory becomes a failed load.
 *
 * Before the service has threads, it starts a process that forks another process for each load. The
 * upload and the request are passed as file descriptors, so they are not visible in the arguments of
 * these processes. If the service ends, these processes end, too.
 */
#ifndef PROFDEPOT_SERVICE_LOADER_H
#define PROFDEPOT_SERVICE_LOADER_H

#include "app/import.h"
#include "connections.h"

struct loader;

/* Call it before the process has threads. The pool is borrowed. The loads' connections are added to the
 * pool's count. NULL on error. */
struct loader *loader_start(struct db_pool *pool, struct error *err);
/* Call it after all loads have ended. NULL does nothing. */
void loader_free(struct loader *l);

struct loader_reply {
	char *json; /* an object that describes the result; the caller frees it */
	size_t json_bytes;
	int64_t input_bytes, rows;
	/* The INST_ID if there is exactly one result set and it is stored; otherwise 0. */
	int64_t inst_id;
	bool loaded; /* whether any result set is new */
};

/*
 * Loads request->fd like import_run. Any thread may call it. Calls request->watch, and stops the load when
 * *request->cancelled is true. Fails with ERROR_MEMORY if the load needed too much memory, and with
 * ERROR_INTERNAL if the load's process ended unexpectedly. In the latter case nothing was stored, unless the
 * process ended after the COMMIT.
 */
bool loader_run(struct loader *l, const struct import_request *request, struct loader_reply *reply,
	struct error *err);

#endif
