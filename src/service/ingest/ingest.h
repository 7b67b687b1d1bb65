/*
 * Group commit: workers judge what was posted, one thread stores it, another
 * waits for the disk. All that waits goes into one transaction, and each request
 * is answered only when that was committed and is durable. When the transaction
 * fails, each request gets one of its own, so that one cannot take others with it.
 */
#ifndef PROFDEPOT_SERVICE_INGEST_INGEST_H
#define PROFDEPOT_SERVICE_INGEST_INGEST_H

#include "http/http.h"
#include "model/category.h"
#include "store/live/live.h"

struct ingest;
struct ingest_job;

/* What a kind of request stores. Both may be called again when the transaction failed or was lost.
 */
struct ingest_kind {
	/* Asks the database: finds sets. The job's sets are told by ingest_job_set. */
	bool (*open)(struct live *l, struct ingest_job *j, struct error *err);
	/* Writes rows. */
	bool (*write)(struct live *l, struct ingest_job *j, struct error *err);
	/* The body of the answer; NULL: none. Later, on another thread than the two before. */
	void (*answer)(const struct ingest_job *j, FILE *out);
	void (*release)(struct ingest_job *j);
};

enum {
	INGEST_NAME_MAX = 200, /* bytes of a batch's name */
};

struct ingest_job {
	const struct ingest_kind *kind;
	void *self;            /* of the kind */
	char *name;            /* of the batch, malloc'ed; NULL: none */
	struct hash128 digest; /* of the body, when it has a name */
	size_t rows;           /* about what it costs to store */
	size_t events;         /* of them, for the metrics */
	bool patient; /* waits while the database is away: an old sender ends at an error */

	/* What became of it. */
	bool known; /* was stored before */
	int64_t *inst_ids;
	size_t inst_id_count, inst_id_room;

	/* The queue's own. */
	struct ingest_job *next;
	int64_t group; /* its last transaction that may have been committed; 0: none */
	int tries;     /* transactions that failed */
	struct exchange *exchange;
	struct error error;
	bool failed;
	double since;
};

struct ingest *ingest_new(struct service *service);
void ingest_free(struct ingest *g);
bool ingest_start(struct ingest *g, struct error *err);
/* Stores and answers what waits, then ends the threads. */
void ingest_stop(struct ingest *g);

/* The job, malloc'ed, and the call's answer are the queue's from here on; the handler returns
 * true at once. Waits while too much waits already. */
void ingest_submit(struct http_call *c, struct ingest_job *j);

/* While opening: rows go into that result set. */
void ingest_job_set(struct ingest_job *j, int64_t inst_id);

/* While opening: the job's own fault; err is the job's then, the others go on. Returns true. */
bool ingest_job_refuse(struct ingest_job *j, struct error *err);

/* --- handle_post_events.c ----------------------------------------------------------------- */

/* A body that is there: 411, 413, 415, 400. */
bool ingest_body(struct http_call *c, struct text *body, struct error *err);
/* 415 unless it is JSON, or does not say. */
bool ingest_check_type(struct http_call *c, struct error *err);

/* --- ingest_categories.c: the catalogue, kept in memory for some seconds --- */

struct ingest_catalogue;

struct ingest_catalogue *ingest_categories_new(void);
void ingest_categories_free(struct ingest_catalogue *c);
struct ingest_catalogue *ingest_catalogue(struct ingest *g);

/* Given back by ingest_categories_release. While the database is away it is what was read last;
 * NULL on error. */
const struct category_list *ingest_categories(struct http_call *c, struct error *err);
void ingest_categories_release(struct http_call *c, const struct category_list *list);

#endif
