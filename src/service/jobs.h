/*
 * Jobs: uploads that are loaded after their sender was answered. They live in
 * the process: a server that ends forgets them, and a load that was under way
 * leaves nothing, since it is one transaction.
 */
#ifndef PROFDEPOT_SERVICE_JOBS_H
#define PROFDEPOT_SERVICE_JOBS_H

#include "app/import.h"
#include "base/json_writer.h"
#include "service/server.h"

struct jobs;
struct service;

enum job_state {
	JOB_QUEUED,
	JOB_RUNNING,
	JOB_DONE,
	JOB_FAILED,
	JOB_CANCELLED,
	JOB_STATES
};

struct jobs *jobs_new(struct service *service);
/* Has each one ended? */
bool jobs_idle(struct jobs *j);
/* Cancels what has not ended, frees all. NULL: nothing. */
void jobs_free(struct jobs *j);

/* Makes the request of a job in its arena. */
typedef bool job_make(
	void *self, struct arena *a, struct import_request *request, struct error *err);

/* A further one; it closes the descriptor when it ends. *full: none is taken now. */
bool jobs_add(struct jobs *j, int fd, job_make *make, void *self, int64_t *id, bool *full,
	struct error *err);

/* ERROR_NOT_FOUND. */
bool jobs_write(struct jobs *j, int64_t id, struct json_writer *w, struct error *err);
/* An array, newest first, at most so many. */
void jobs_write_all(struct jobs *j, size_t most, struct json_writer *w);

/* Cancels what has not ended, forgets what has; *was tells which. ERROR_NOT_FOUND. */
bool jobs_remove(struct jobs *j, int64_t id, enum job_state *was, struct error *err);

/* How many there are, by state. */
void jobs_count(struct jobs *j, int64_t out[JOB_STATES]);
const char *job_state_name(enum job_state state);

/* What an import gave: "format", "bytes", "seconds", "result_sets"; members of an open object. */
void import_result_json(
	struct json_writer *w, const char *source, const struct import_result *result);

#endif
