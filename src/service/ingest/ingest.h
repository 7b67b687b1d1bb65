/*
 * Group commit: one thread stores submitted jobs, another waits for the disk. All waiting jobs
 * share one transaction. A job is done only when its transaction is committed and durable. If
 * the transaction fails, each job gets a transaction of its own, so that one bad job does not
 * fail the others.
 */
#ifndef PROFDEPOT_SERVICE_INGEST_INGEST_H
#define PROFDEPOT_SERVICE_INGEST_INGEST_H

#include "service/connections.h"
#include "store/live/live.h"

struct ingest;
struct ingest_job;

/* How to store one kind of job. Both may be called again if a transaction failed or was lost. */
struct ingest_kind {
	/* Asks the database; passes the job's result sets to ingest_job_set. */
	bool (*open)(struct live *l, struct ingest_job *j, struct error *err);
	/* Writes rows. */
	bool (*write)(struct live *l, struct ingest_job *j, struct error *err);
};

enum {
	INGEST_NAME_MAX = 200, /* bytes of a batch's name */
};

/* Owned by the caller, but untouchable from ingest_submit until `done`. */
struct ingest_job {
	const struct ingest_kind *kind;
	/* Called once, on any thread: the job is durable, or `failed` with `error`. It may free the
	 * job. */
	void (*done)(struct ingest_job *j);
	void *self;
	char *name;            /* of the batch, malloc'ed; NULL if it has no name */
	struct hash128 digest; /* of the body of a named batch */
	size_t rows;           /* approximate cost */
	bool patient;          /* waits as long as the database is down; for old senders */

	/* The outcome. */
	bool known; /* a batch of this name is already stored */
	bool failed;
	struct error error;
	int64_t *inst_ids;
	size_t inst_id_count, inst_id_room;

	/* Private to the queue. */
	struct ingest_job *next;
	int64_t group; /* its last transaction that may have been committed, or 0 */
	int tries;     /* failed transactions */
	double since;
};

struct ingest *ingest_new(struct db_pool *pool);
void ingest_free(struct ingest *g);
bool ingest_start(struct ingest *g, struct error *err);
/* Finishes the waiting jobs, then ends the threads. */
void ingest_stop(struct ingest *g);

/* Blocks while too much is waiting. */
void ingest_submit(struct ingest *g, struct ingest_job *j);
/* Frees the members that the job owns. */
void ingest_job_release(struct ingest_job *j);

/* For ingest_kind.open: the job writes to this result set. */
void ingest_job_set(struct ingest_job *j, int64_t inst_id);
/* For ingest_kind.open: only this job fails, with err; the others continue. Returns true. */
bool ingest_job_refuse(struct ingest_job *j, struct error *err);

#endif
