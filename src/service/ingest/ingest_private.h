/*
 * Group commit among its parts: the queue (ingest.c), the writer, who commits
 * without waiting for the disk (ingest_write.c), and the flusher, who waits for it
 * beside the writer's next transactions and answers (ingest_flush.c).
 *
 * A job is waiting, then with the writer, then stored, and is answered when that is
 * durable. Nothing is answered on the strength of a COMMIT alone: PostgreSQL may
 * crash, and forget what it had said. Whenever anything breaks the writer puts all
 * stored jobs back among the waiting ones, asks the database which of them are there
 * (live_progress_settle), and stores the others again.
 */
#ifndef PROFDEPOT_SERVICE_INGEST_INGEST_PRIVATE_H
#define PROFDEPOT_SERVICE_INGEST_INGEST_PRIVATE_H

#include "db/connection.h"
#include "ingest.h"
#include "service/service_private.h"

struct ingest_list {
	struct ingest_job *first, *last;
	size_t rows;
};

struct ingest {
	struct service *service;
	struct ingest_catalogue *catalogue;
	pthread_t writer, flusher;
	bool writer_runs, flusher_runs;

	pthread_mutex_t mutex;
	pthread_cond_t writer_wanted, flusher_wanted, room;
	/* Guarded by the mutex. */
	struct ingest_list waiting, stored; /* both in the order of their transactions */
	bool unsure;   /* the flusher cannot tell that stored jobs are durable: the writer is to ask
			*/
	bool stopping; /* nothing more comes */
	bool ended;    /* nothing more is stored */

	/* The writer's own. */
	struct db *db;
	struct live *live;
	struct live_progress progress; /* its server's name is for all to read */
	bool settled;                  /* progress is what the database has */
	double next_expiry; /* of old rows; seconds of clock_seconds, 0: at once */

	/* The flusher's own. */
	struct db *flush_db;
};

/* --- ingest.c -------------------------------------------------------------------------------- */

/* Lists of jobs, under the mutex where others see them. */
void ingest_list_append(struct ingest_list *l, struct ingest_job *jobs);
void ingest_list_prepend(struct ingest_list *l, struct ingest_job *jobs);
struct ingest_job *ingest_list_take(struct ingest_list *l);

/* Answers all of them; they and their requests are gone then. */
void ingest_end(struct ingest_job *jobs);
void ingest_fail(struct ingest_job *j, const struct error *err);

/* Nothing can be stored: who waits and can be told is told, or all are. */
void ingest_refuse_waiting(struct ingest *g, bool all, const struct error *err);

/* --- ingest_write.c, ingest_flush.c: the threads ---------------------------------------------- */

void *ingest_write(void *ingest);
void *ingest_flush(void *ingest);

#endif
