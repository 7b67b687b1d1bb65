/* Shared by jobs.c (the list and its threads) and jobs_kept.c (the rows in the database). */
#ifndef PROFDEPOT_SERVICE_JOBS_PRIVATE_H
#define PROFDEPOT_SERVICE_JOBS_PRIVATE_H

#include "jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct job {
	struct job *next; /* older */
	struct jobs *all;
	struct arena arena;
	char id[JOB_ID_BYTES];
	const char *owner;
	struct import_request request;
	int fd;
	atomic_bool cancelled;
	/* Guarded by all->mutex. */
	enum job_state state;
	int64_t done_bytes, all_bytes, rows;
	double created, started, ended;
	int64_t created_us; /* as in the database; with the id, the key of the list's order */
	struct error err;
	char *result; /* a JSON object; NULL until the job ends */
	size_t result_bytes;
};

struct jobs {
	struct loader *loader;
	char server[JOB_ID_BYTES]; /* marks this server's rows */
	/* The connection for the rows. */
	struct db_pool *pool;
	pthread_mutex_t db_mutex;
	struct db *db;
	/* The list. */
	pthread_mutex_t mutex;
	pthread_cond_t wanted;
	struct job *newest; /* see jobs_place */
	int64_t counts[JOB_STATES];
	pthread_t threads[JOB_THREADS];
	size_t thread_count;
	bool stopping;
};

/* Returns whether the job comes after this place in the list: newest first, and by id if two have the same time. */
bool job_is_after(const struct job *job, int64_t created_us, const char *id);
/* Returns where the job belongs in the list. */
struct job **jobs_place(struct jobs *j, const struct job *job);

/* Makes a random number that nobody can guess. */
void job_draw_id(char id[JOB_ID_BYTES]);

/* These functions lock db_mutex. */
bool job_keep(struct job *job, struct error *err); /* sets job->created_us */
/* Records the final state of a job in the database. Call it before changing the state of the job in memory.
 * If it fails, it only prints the error. */
void job_keep_end(struct jobs *j, const char *id, enum job_state state, int64_t rows,
	const struct error *err);
bool job_forget(struct jobs *j, const char *id, struct error *err);

#endif
