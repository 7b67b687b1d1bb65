/*
 * Open result sets: events and profiles that arrive over time.
 *
 * One result set a source, category and day. A `live` belongs to one thread,
 * the one that writes; it keeps the dictionaries of the sets that it writes to
 * (routines, stacks, tracks, metrics) from transaction to transaction, and
 * reads them again where somebody else changed the set. A set that was closed
 * (profdepot reindex) or removed meanwhile is left alone: another is made.
 *
 * A transaction: live_begin; then what asks the database (live_open,
 * live_batch_open, live_named_...); then what writes rows (live_batch_write,
 * live_sink); then live_commit or live_rollback.
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

/* Borrows the connection until the transaction ends. After another day than
 * before all dictionaries are dropped. The transaction has the number p->last then. */
bool live_begin(
	struct live *l, struct db *db, const char *day, struct live_progress *p, struct error *err);
/* What was committed is seen by all, and durable once live_progress_flush has told of it. */
bool live_commit(struct live *l, struct error *err);
/* Also drops the dictionaries of all sets of the transaction. */
void live_rollback(struct live *l);
/* Before the connection of the last live_begin is closed, and when what was committed was lost:
 * drops all dictionaries. Who changed a set last is known by a transaction's number, and after a
 * crash others may get those of transactions that were lost. */
void live_disconnect(struct live *l);

/* Statistics, once many rows came in since the last time. Outside of transactions. */
bool live_analyze(struct live *l, struct db *db, struct error *err);

/* --- how far a server has come --------------------------------------------------------------- */

/*
 * A server numbers its transactions, and each writes its number into the server's row in place of
 * the one before, or fails. So the number in the row tells of all transactions, whatever became of
 * connections and of PostgreSQL meanwhile: those up to it were committed, the others were not and
 * never will be, once live_progress_settle has told it. No number is given twice.
 */
struct live_progress {
	char server[LIVE_SERVER_BYTES];
	int64_t groups; /* what stands in the row */
	int64_t last;   /* the last number that was given */
};

void live_progress_init(struct live_progress *p);
/* Reads the row, or makes one. Fails (55P03) while a transaction of the server still runs. What it
 * tells is durable. */
bool live_progress_settle(struct db *db, struct live_progress *p, struct error *err);
/* All transactions up to *groups are durable; 0: there is no row. For any thread. */
bool live_progress_flush(struct db *db, const char *server, int64_t *groups, struct error *err);
/* The server ends. */
bool live_progress_remove(struct db *db, const struct live_progress *p, struct error *err);
/* Forgets servers that ended otherwise. Outside of transactions. */
bool live_progress_expire(struct db *db, struct error *err);

/* --- sets -------------------------------------------------------------------------------- */

struct live_source {
	const char *format;
	const char *tool;
	struct text host;     /* or application */
	struct text category; /* of events; "profiles" */
};

/* Finds the set of the day or makes it. NULL on error. */
struct live_set *live_open(struct live *l, const struct live_source *source, struct error *err);
int64_t live_inst_id(const struct live_set *set);

/* A sink for one input, whose one set is this one; numbers of routines, tracks
 * and spans are the input's own. What has no place in an open set (objects,
 * errors) is refused. NULL: no memory. */
struct sink *live_sink_new(struct live *l, struct live_set *set);
void live_sink_free(struct sink *s);
/* Profiles of that Id and their spans are passed over. */
void live_sink_skip(struct sink *s, struct text profile_id);

/* The track of the profile of that Id in the set; 0: it has none. */
int32_t live_profile_track(const struct live_set *set, struct text id);

/* The set that a batch of that name went into, opened; *set NULL when there is none, or it
 * was closed or removed since. */
bool live_open_named(struct live *l, const char *name, struct live_set **set, struct error *err);

/* A client timing: name, milliseconds. Its IDs continue the set's. */
struct live_client_timing {
	struct text name;
	struct decimal start, duration;
};
bool live_add_client_timing(struct live *l, struct live_set *set, int32_t track,
	const struct live_client_timing *t, struct error *err);

/* --- batches of events --------------------------------------------------------------------- */

/* Made by any thread; copies what it keeps. */
struct live_batch *live_batch_new(void);
void live_batch_free(struct live_batch *b);
bool live_batch_event(struct live_batch *b, const struct event_fact *fact, struct error *err);
size_t live_batch_rows(const struct live_batch *b);

bool live_batch_open(struct live *l, struct live_batch *b, struct error *err);
bool live_batch_write(struct live *l, struct live_batch *b, struct error *err);
/* Result sets that it goes into, after live_batch_open. */
size_t live_batch_sets(const struct live_batch *b);
int64_t live_batch_inst_id(const struct live_batch *b, size_t i);

/* --- batches with a name --------------------------------------------------------------------- */

enum live_named {
	LIVE_NEW,
	LIVE_AGAIN,   /* what was removed since then */
	LIVE_KNOWN,   /* stored already */
	LIVE_DIFFERS, /* one of that name had another body */
};

bool live_named_find(struct live *l, const char *name, struct hash128 digest,
	enum live_named *found, struct error *err);
/* ERROR_DATABASE when another server stores the same one just now. */
bool live_named_add(struct live *l, const char *name, struct hash128 digest, bool again,
	const int64_t *inst_ids, size_t count, struct error *err);
/* Forgets those of more than a week ago. Outside of transactions. */
bool live_named_expire(struct db *db, struct error *err);

#endif
