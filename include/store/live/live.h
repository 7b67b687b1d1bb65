/*
 * Open result sets: events and profiles that arrive over time.
 *
 * There is one result set per source, category and day. Only the writing thread uses a struct live.
 * The struct keeps the dictionaries of its sets (routines, stacks, tracks, metrics) from one
 * transaction to the next. If another process has changed a set, the set's dictionaries are read
 * again. If a set was closed (profdepot reindex) or removed, a new set is created.
 *
 * A transaction consists of live_begin; then the queries (live_open, live_batch_open,
 * live_named_...); then the rows (live_batch_write, live_sink); then live_commit or live_rollback.
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

/* Writes the current day in UTC to out. */
void live_day(char out[LIVE_DAY_BYTES]);

/* Begins a transaction. Borrows the connection until the transaction ends. Drops all dictionaries if
 * the day has changed. p->last becomes the transaction's number. */
bool live_begin(
	struct live *l, struct db *db, const char *day, struct live_progress *p, struct error *err);
/* After the commit, other sessions see the rows. The transaction is durable only when live_progress_flush
 * has reported its number. */
bool live_commit(struct live *l, struct error *err);
/* Rolls the transaction back, and drops the dictionaries of all sets that it changed. */
void live_rollback(struct live *l);
/* Drops all dictionaries. Call it before closing the connection of the last live_begin. Also call
 * it when committed transactions were lost, because the dictionaries contain the lost rows. */
void live_disconnect(struct live *l);

/* Updates the planner's statistics if many rows have been added. Call it outside of transactions. */
bool live_analyze(struct live *l, struct db *db, struct error *err);

/*
 * A server numbers its transactions. Each transaction replaces the number in the server's row of
 * posted_progress with its own number, or fails. After live_progress_settle has read the row, the
 * outcome of all earlier transactions is known, even if connections or PostgreSQL itself failed:
 * transactions up to the row's number are committed, and those with a higher number have failed. No
 * number is used twice.
 */
struct live_progress {
	char server[LIVE_SERVER_BYTES];
	int64_t groups; /* the number in the row */
	int64_t last;   /* number of the newest transaction */
};

void live_progress_init(struct live_progress *p);
/* Reads the row, or creates it. Fails (SQLSTATE 55P03) while a transaction of the server is running.
 * After success, all transactions up to the number in the row are durable. */
bool live_progress_settle(struct db *db, struct live_progress *p, struct error *err);
/* Sets *groups to the number in the server's row, or to 0 if there is no row. Flushes all transactions up to
 * this number to disk. Any thread may call it. */
bool live_progress_flush(struct db *db, const char *server, int64_t *groups, struct error *err);
/* Deletes the server's row; call it when the server ends. */
bool live_progress_remove(struct db *db, const struct live_progress *p, struct error *err);
/* Deletes the rows of servers that ended without live_progress_remove. Call it outside of
 * transactions. */
bool live_progress_expire(struct db *db, struct error *err);

struct live_source {
	const char *format;
	const char *tool;
	struct text host;     /* for profiles: the application */
	struct text category; /* event category, or "profiles" */
};

/* Finds or creates the day's set. NULL on error. */
struct live_set *live_open(struct live *l, const struct live_source *source, struct error *err);
int64_t live_inst_id(const struct live_set *set);

/* A sink that writes one input to this set. Rows refer to routines, tracks and spans by their numbers in the
 * input. Objects, errors and frames are rejected, because an open set cannot contain them. */
struct sink *live_sink_new(struct live *l, struct live_set *set);
void live_sink_free(struct sink *s);
/* Makes the sink skip the profile with this Id, and its spans. */
void live_sink_skip(struct sink *s, struct text profile_id);

/* Returns the track of the profile with this Id; 0 if the set has no such profile. */
int32_t live_profile_track(const struct live_set *set, struct text id);

/* Opens the set that contains the batch with this name. *set is NULL if there is no such batch, or
 * if the set has been closed or removed. */
bool live_open_named(struct live *l, const char *name, struct live_set **set, struct error *err);

/* A client timing in milliseconds. It is stored as a span with the set's next ID. */
struct live_client_timing {
	struct text name;
	struct decimal start, duration;
};
bool live_add_client_timing(struct live *l, struct live_set *set, int32_t track,
	const struct live_client_timing *t, struct error *err);

/* Any thread can create a batch. A batch keeps copies of the events. */
struct live_batch *live_batch_new(void);
void live_batch_free(struct live_batch *b);
bool live_batch_event(struct live_batch *b, const struct event_fact *fact, struct error *err);
size_t live_batch_rows(const struct live_batch *b);

bool live_batch_open(struct live *l, struct live_batch *b, struct error *err);
bool live_batch_write(struct live *l, struct live_batch *b, struct error *err);
/* The number of result sets to which the batch's rows belong, and their INST_IDs. Call these functions after
 * live_batch_open. */
size_t live_batch_sets(const struct live_batch *b);
int64_t live_batch_inst_id(const struct live_batch *b, size_t i);

enum live_named {
	LIVE_NEW,
	LIVE_AGAIN,   /* stored, but its result set was removed */
	LIVE_KNOWN,   /* already stored */
	LIVE_DIFFERS, /* another body is stored under that name */
};

bool live_named_find(struct live *l, const char *name, struct hash128 digest,
	enum live_named *found, struct error *err);
/* Fails with ERROR_DATABASE if another server is storing the same batch. */
bool live_named_add(struct live *l, const char *name, struct hash128 digest, bool again,
	const int64_t *inst_ids, size_t count, struct error *err);
/* Deletes batch names older than a week. Call it outside of transactions. */
bool live_named_expire(struct db *db, struct error *err);

#endif
