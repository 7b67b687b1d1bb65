/*
 * Open result sets: events and profiles that arrive over time.
 *
 * There is one result set per source, category and day. A `live` belongs to the one thread that writes.
 * It keeps the dictionaries of its sets (routines, stacks, tracks, metrics) from transaction to
 * transaction, and reads them again if another process changed the set. If a set was closed (profdepot
 * reindex) or removed meanwhile, a new one is made.
 *
 * A transaction: live_begin; then the queries (live_open, live_batch_open, live_named_...); then the
 * rows (live_batch_write, live_sink); then live_commit or live_rollback.
 */
#ifndef PROFDEPOT_STORE_LIVE_LIVE_H
#define PROFDEPOT_STORE_LIVE_LIVE_H

#include "base/hash.h"
#include "model/event.h"
#include "model/sink.h"

struct db;
struct live;
struct live_batch;
struct live_progress;
struct live_set;

enum {
	LIVE_DAY_BYTES = 11,   /* "2026-01-31" and NUL */
	LIVE_SERVER_BYTES = 33 /* a uuid's digits and NUL */
};

struct live *live_new(void);
void live_free(struct live *l);

/* Today, UTC. */
void live_day(char out[LIVE_DAY_BYTES]);

/* Borrows the connection until the transaction ends. Drops all dictionaries if the day has changed.
 * The transaction's number is p->last. */
bool live_begin(
	struct live *l, struct db *db, const char *day, struct live_progress *p, struct error *err);
/* Others see what was committed; it is durable once live_progress_flush has reported it. */
bool live_commit(struct live *l, struct error *err);
/* Also drops the dictionaries of all sets of the transaction. */
void live_rollback(struct live *l);
/* Drops all dictionaries. Call it before the connection of the last live_begin is closed, and if
 * committed transactions were lost: a set's last change is known by its transaction's number, which
 * another transaction may get after a crash. */
void live_disconnect(struct live *l);

/* Updates statistics if many rows were added since the last time. Outside of transactions. */
bool live_analyze(struct live *l, struct db *db, struct error *err);

/* --- a server's progress ---------------------------------------------------------------------- */

/*
 * A server numbers its transactions, and each replaces the previous number in the server's row with
 * its own, or fails. So the number in the row covers all transactions, whatever happened to
 * connections and PostgreSQL meanwhile: once live_progress_settle has read it, those up to it are
 * committed, and the others never will be. No number is used twice.
 */
struct live_progress {
	char server[LIVE_SERVER_BYTES];
	int64_t groups; /* the number in the row */
	int64_t last;   /* the last number used */
};

void live_progress_init(struct live_progress *p);
/* Reads the row, or makes one. Fails (55P03) while a transaction of the server is running. What it
 * reads is durable. */
bool live_progress_settle(struct db *db, struct live_progress *p, struct error *err);
/* All transactions up to *groups are durable; 0 if there is no row. Any thread may call it. */
bool live_progress_flush(struct db *db, const char *server, int64_t *groups, struct error *err);
/* Deletes the row of a server that ends. */
bool live_progress_remove(struct db *db, const struct live_progress *p, struct error *err);
/* Deletes the rows of servers that did not. Outside of transactions. */
bool live_progress_expire(struct db *db, struct error *err);

/* --- sets -------------------------------------------------------------------------------- */

struct live_source {
	const char *format;
	const char *tool;
	struct text host;     /* or application */
	struct text category; /* of events; "profiles" */
};

/* Finds or makes the set of the day. NULL on error. */
struct live_set *live_open(struct live *l, const struct live_source *source, struct error *err);
int64_t live_inst_id(const struct live_set *set);

/* A sink for one input that writes to this set; the numbers of routines, tracks and spans are the
 * input's. Objects, errors and frames are rejected: an open set cannot have them. */
struct sink *live_sink_new(struct live *l, struct live_set *set);
void live_sink_free(struct sink *s);
/* Skips profiles with that Id and their spans. */
void live_sink_skip(struct sink *s, struct text profile_id);

/* The track of the profile with that Id; 0 if the set has no such profile. */
int32_t live_profile_track(const struct live_set *set, struct text id);

/* Opens the set of the batch with that name. *set is NULL if there is no such batch, or if the set was
 * closed or removed since. */
bool live_open_named(struct live *l, const char *name, struct live_set **set, struct error *err);

/* A client timing, in milliseconds. Its IDs continue the set's. */
struct live_client_timing {
	struct text name;
	struct decimal start, duration;
};
bool live_add_client_timing(struct live *l, struct live_set *set, int32_t track,
	const struct live_client_timing *t, struct error *err);

/* --- batches of events --------------------------------------------------------------------- */

/* Any thread may make one; it copies what it keeps. */
struct live_batch *live_batch_new(void);
void live_batch_free(struct live_batch *b);
bool live_batch_event(struct live_batch *b, const struct event_fact *fact, struct error *err);
size_t live_batch_rows(const struct live_batch *b);

bool live_batch_open(struct live *l, struct live_batch *b, struct error *err);
bool live_batch_write(struct live *l, struct live_batch *b, struct error *err);
/* The result sets of its rows, after live_batch_open. */
size_t live_batch_sets(const struct live_batch *b);
int64_t live_batch_inst_id(const struct live_batch *b, size_t i);

/* --- batches with a name --------------------------------------------------------------------- */

enum live_named {
	LIVE_NEW,
	LIVE_AGAIN,   /* stored, but removed since */
	LIVE_KNOWN,   /* stored already */
	LIVE_DIFFERS, /* another body was stored under that name */
};

bool live_named_find(struct live *l, const char *name, struct hash128 digest,
	enum live_named *found, struct error *err);
/* ERROR_DATABASE if another server is storing the same one. */
bool live_named_add(struct live *l, const char *name, struct hash128 digest, bool again,
	const int64_t *inst_ids, size_t count, struct error *err);
/* Deletes the names of batches older than a week. Outside of transactions. */
bool live_named_expire(struct db *db, struct error *err);

#endif
