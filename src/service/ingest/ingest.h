/*
 * Group commit: one thread stores submitted jobs, another waits for the disk. All waiting jobs
 * share one transaction. A job is done only when its transaction is committed and durable. If the
 * transaction fails, each job is stored in its own transaction, so that only the bad job fails.
 */
#ifndef PROFDEPOT_SERVICE_INGEST_INGEST_H
#define PROFDEPOT_SERVICE_INGEST_INGEST_H

#include "service/connections.h"
#include "store/live/live.h"

struct ingest;
struct ingest_job;

/* How to store one kind of job. Each function is called again if the job's transaction fails or is lost. */
struct ingest_kind {
	/* Queries the database and passes the job's result sets to ingest_job_set. */
	bool (*open)(struct live *l, struct ingest_job *j, struct error *err);
	/* Writes rows. */
	bool (*write)(struct live *l, struct ingest_job *j, struct error *err);
};

enum {
	INGEST_NAME_MAX = 200, /* maximum size of a batch name in bytes */
};

/* The caller owns the job, but must not touch it between ingest_submit and `done`. */
struct ingest_job {
	const struct ingest_kind *kind;
	/* Called once, on any thread, when the job is durable or has failed. The function may free
	 * the job. */
	void (*done)(struct ingest_job *j);
	void *self;
	char *name;            /* malloc'ed batch name, or NULL */
	struct hash128 digest; /* digest of a named batch's body */
	size_t rows;           /* approximate cost */
	bool patient;          /* true for old senders: the job waits until the database is up */

	/* The outcome. */
	bool known; /* a batch with this name is already stored */
	bool failed;
	struct error error;
	int64_t *inst_ids;
	size_t inst_id_count, inst_id_room;

	/* Private to the queue. */
	struct ingest_job *next;
	int64_t group; /* number of the last transaction that may have stored the job; 0: none */
	int tries;     /* number of failed transactions */
	double since;
};

struct ingest *ingest_new(struct db_pool *pool);
void ingest_free(struct ingest *g);
bool ingest_start(struct ingest *g, struct error *err);
/* Finishes the waiting jobs, then stops the threads. */
void ingest_stop(struct ingest *g);

/* Adds the job to the queue. Blocks while the queue has too much data. */
void ingest_submit(struct ingest *g, struct ingest_job *j);
/* Frees the members that the job owns. */
void ingest_job_release(struct ingest_job *j);

/* For use in ingest_kind.open: records that the job writes to this result set. */
void ingest_job_set(struct ingest_job *j, int64_t inst_id);
/* For use in ingest_kind.open: makes only this job fail, with err. Returns true. */
bool ingest_job_refuse(struct ingest_job *j, struct error *err);

#endif
