/*
 * Every upload is a job. Each job has a row in the table jobs, so its outcome outlives the server. When a server
 * starts, it ends the jobs that an earlier server left unfinished. A load is one transaction, so the depot
 * contains either all result sets of the load or none.
 */
#ifndef PROFDEPOT_SERVICE_JOBS_H
#define PROFDEPOT_SERVICE_JOBS_H

#include "app/import.h"
#include "base/json_writer.h"
#include "loader.h"

struct jobs;

enum {
	JOB_THREADS = 2,  /* jobs that run in the background at the same time */
	JOB_ID_BYTES = 33 /* with NUL */
};

enum job_state {
	JOB_QUEUED,
	JOB_RUNNING,
	JOB_DONE,
	JOB_FAILED,
	JOB_CANCELLED,
	JOB_STATES
};

/* The loader and the pool are borrowed. */
struct jobs *jobs_new(struct loader *loader, struct db_pool *pool);
/* Reads the jobs of earlier servers, and ends those that were interrupted. */
bool jobs_open(struct jobs *j, struct error *err);
/* Returns whether all jobs have ended. */
bool jobs_idle(struct jobs *j);
/* Cancels unfinished jobs and frees all jobs. NULL does nothing. */
void jobs_free(struct jobs *j);

/* Fills in the load request; its memory must come from the arena. */
typedef bool job_make(
	void *self, struct arena *a, struct import_request *request, struct error *err);

struct job_upload {
	int fd;            /* the job closes it */
	const char *owner; /* name of the sender's token */
	job_make *make;
	void *self;
};

/* Adds a job that will load the file. Sets *full to true if too many jobs are waiting. */
bool jobs_add(struct jobs *j, const struct job_upload *u, char id[JOB_ID_BYTES], bool *full,
	struct error *err);
/* Makes a job that loads the file, and runs it on this thread. */
bool jobs_run(
	struct jobs *j, const struct job_upload *u, struct loader_reply *reply, struct error *err);

/* The following functions see only the jobs of this owner. If owner is NULL, they see all jobs. */

/* Writes a job as an object. Can fail with ERROR_NOT_FOUND. */
bool jobs_write(struct jobs *j, const char *owner, const char *id, struct json_writer *w,
	struct error *err);

/* A place in the list of jobs, which begins with the newest one: the time and the id of a job. */
struct job_place {
	int64_t created_us;
	char id[JOB_ID_BYTES];
};

struct jobs_page {
	const char *owner;
	const char *state;             /* name of a state; NULL: all jobs */
	size_t most;                   /* maximum number of jobs, at least 1 */
	const struct job_place *after; /* only jobs after this place; NULL: from the newest on */
};

/* Writes an array of jobs, and sets *last to the place of the last one. Returns whether more jobs follow. */
bool jobs_write_page(struct jobs *j, const struct jobs_page *page, struct job_place *last,
	struct json_writer *w);

/* Cancels an unfinished job, or forgets a finished one. Stores the job's previous state in *was. Can fail
 * with ERROR_NOT_FOUND. */
bool jobs_remove(
	struct jobs *j, const char *owner, const char *id, enum job_state *was, struct error *err);

/* Counts the jobs in each state. */
void jobs_count(struct jobs *j, int64_t out[JOB_STATES]);
const char *job_state_name(enum job_state state);

#endif
