/* Jobs: uploads that servers load. Each job is a row of the table jobs, so that it outlives its server. */
#ifndef PROFDEPOT_STORE_JOBS_H
#define PROFDEPOT_STORE_JOBS_H

#include "db/connection.h"

/* The data of a new job. */
struct job_added {
	const char *job; /* random number in hexadecimal digits */
	const char *owner, *name;
	const char *state;  /* "queued" or "running" */
	const char *server; /* random number of the server */
	int64_t input_bytes;
};

/* How a job ended. */
struct job_ended {
	const char *state; /* "done", "failed" or "cancelled" */
	int64_t rows;
	const struct error *error; /* or NULL */
	const char *result;        /* a JSON object, or NULL */
};

/* Sets *created_us to the job's time, in microseconds since 1970. */
bool jobs_store(struct db *db, const struct job_added *j, int64_t *created_us, struct error *err);
/* Does nothing if the job has already ended. */
bool jobs_end(struct db *db, const char *job, const struct job_ended *e, struct error *err);
bool jobs_forget(struct db *db, const char *job, struct error *err);

/* Marks the job or server with this number as running. The mark lasts until the session ends. */
bool jobs_lock(struct db *db, const char *number, struct error *err);
/* Ends the unfinished jobs of servers that no longer run, and forgets old jobs. */
bool jobs_settle(struct db *db, struct error *err);

/* The columns of jobs_read. */
enum job_column {
	JOB_NUMBER,
	JOB_OWNER,
	JOB_NAME,
	JOB_STATE,
	JOB_CREATED, /* microseconds since 1970 */
	JOB_MS,      /* milliseconds from the arrival of the upload to the end of the job */
	JOB_INPUT_BYTES,
	JOB_ROWS,
	JOB_ERROR_CODE,
	JOB_ERROR_MESSAGE,
	JOB_ERROR_HINT,
	JOB_RESULT,
};

/* Reads the `most` newest jobs that have ended, newest first. NULL on error. */
struct db_result *jobs_read(struct db *db, int64_t most, struct error *err);

#endif
