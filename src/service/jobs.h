/*
 * Jobs: uploads that are loaded in the background. Jobs exist only in this process. When the
 * server ends, unfinished loads leave nothing in the depot, because each load is one transaction.
 */
#ifndef PROFDEPOT_SERVICE_JOBS_H
#define PROFDEPOT_SERVICE_JOBS_H

#include "app/import.h"
#include "base/json_writer.h"
#include "loader.h"

struct jobs;

enum {
	JOB_THREADS = 2 /* jobs that run at once */
};

enum job_state {
	JOB_QUEUED,
	JOB_RUNNING,
	JOB_DONE,
	JOB_FAILED,
	JOB_CANCELLED,
	JOB_STATES
};

/* The loader is borrowed. */
struct jobs *jobs_new(struct loader *loader);
/* Returns whether all jobs have ended. */
bool jobs_idle(struct jobs *j);
/* Cancels unfinished jobs and frees all jobs. NULL does nothing. */
void jobs_free(struct jobs *j);

/* Fills in the load request; its memory must come from the arena. */
typedef bool job_make(
	void *self, struct arena *a, struct import_request *request, struct error *err);

/* Adds a job that will load the file and close fd. Sets *full if too many jobs are waiting. */
bool jobs_add(struct jobs *j, int fd, job_make *make, void *self, int64_t *id, bool *full,
	struct error *err);

/* Writes a job as an object. Can fail with ERROR_NOT_FOUND. */
bool jobs_write(struct jobs *j, int64_t id, struct json_writer *w, struct error *err);
/* Writes an array of up to `most` jobs, newest first. */
void jobs_write_all(struct jobs *j, size_t most, struct json_writer *w);

/* Cancels an unfinished job, or forgets a finished one. *was is its state before the call.
 * Can fail with ERROR_NOT_FOUND. */
bool jobs_remove(struct jobs *j, int64_t id, enum job_state *was, struct error *err);

/* Counts the jobs in each state. */
void jobs_count(struct jobs *j, int64_t out[JOB_STATES]);
const char *job_state_name(enum job_state state);

#endif
