/*
 * Group commit consists of the queue (ingest.c) with its jobs (ingest_jobs.c) and of two threads.
 * The writer commits without waiting for the disk (ingest_write.c). The flusher waits for the disk
 * during the writer's next transactions, and ends the durable jobs (ingest_flush.c).
 *
 * A job first waits in the queue. Then the writer stores it. The job ends when it is durable. A
 * COMMIT without a flush does not end a job, because PostgreSQL may crash and lose the transaction.
 * After any failure the writer puts all stored jobs back into the queue, asks the database which of
 * them are committed (live_progress_settle), and stores the others again.
 */
#ifndef PROFDEPOT_SERVICE_INGEST_INGEST_PRIVATE_H
#define PROFDEPOT_SERVICE_INGEST_INGEST_PRIVATE_H

#include "ingest.h"

#include <pthread.h>

struct ingest_list {
	struct ingest_job *first, *last;
	size_t rows;
};

struct ingest {
	struct db_pool *pool;
	pthread_t writer, flusher;
	bool writer_runs, flusher_runs;

	pthread_mutex_t mutex;
	pthread_cond_t writer_wanted, flusher_wanted, room;
	/* Guarded by the mutex. */
	struct ingest_list waiting, stored; /* both lists are in the order of arrival */
	bool unsure;   /* the writer must ask the database whether the stored jobs are durable */
	bool stopping; /* no further jobs are accepted */
	bool ended;    /* the writer has ended */

	/* Used by the writer only. */
	struct db *db;
	struct live *live;
	struct live_progress progress; /* all threads may read the member `server` */
	bool settled;                  /* `progress` agrees with the database */
	double next_expiry;            /* clock_seconds() of the next deletion of old rows */

	/* Used by the flusher only. */
	struct db *flush_db;
};

/* --- ingest_jobs.c --- */

/* Job lists. The caller holds the mutex if other threads can see the list. */
void ingest_list_append(struct ingest_list *l, struct ingest_job *jobs);
void ingest_list_prepend(struct ingest_list *l, struct ingest_job *jobs);
struct ingest_job *ingest_list_take(struct ingest_list *l);

/* Calls each job's `done`. */
void ingest_end(struct ingest_job *jobs);
void ingest_fail(struct ingest_job *j, const struct error *err);

/* Makes waiting jobs fail: all of them or, if `all` is false, those that have waited too long and are not
 * patient. Call it if the database cannot be queried. */
void ingest_refuse_waiting(struct ingest *g, bool all, const struct error *err);

/* --- ingest_write.c, ingest_flush.c: the threads --- */

void *ingest_write(void *ingest);
void *ingest_flush(void *ingest);

#endif
