/*
 * Reads the history of findings from the ledger (model/history.h), and adds reviews.
 */
#ifndef PROFDEPOT_STORE_HISTORY_HISTORY_H
#define PROFDEPOT_STORE_HISTORY_HISTORY_H

#include "base/arena.h"
#include "base/error.h"
#include "model/history.h"

#include <stdbool.h>

struct db;

struct history_question {
	/* "APPLICATION KEY=VALUE..."; if NULL, inst_id selects the stream. */
	const char *stream;
	/* Selects the stream of this result set; 0 selects the stream with the newest run. */
	int64_t inst_id;
	int64_t ledger_no; /* read the history as it was at this ledger number; 0: the newest */
	const char *
		finding; /* first hex digits of a finding's identity, at least 4; NULL: all findings */
};

/*
 * Parses the value of --as-of: a ledger number, a time that PostgreSQL understands, or the name of
 * a result set ("set:7" for its INST_ID). Fails with ERROR_USAGE or ERROR_NOT_FOUND.
 */
bool history_parse_as_of(struct db *db, const char *text, int64_t *ledger_no, struct error *err);

/* Reads a stream's history into the arena. history_read_details adds the details, and analysis/history.h
 * computes the states. Fails with ERROR_NOT_FOUND if there is no such stream, or if one of its runs was
 * forgotten after q->ledger_no. */
bool history_read(struct db *db, struct arena *a, const struct history_question *q,
	struct history *h, struct error *err);

enum {
	HISTORY_RECENT_GROUPS = 24
};

/* Which details of a finding are read. Each value includes the one before it. */
enum history_details {
	HISTORY_FIGURES, /* the sightings in the last group of runs that has any: only counts and sizes */
	HISTORY_NEWEST, /* these sightings and the newest one, with all their members, and the texts */
	HISTORY_RECENT, /* also the sightings in the last HISTORY_RECENT_GROUPS groups of the stream */
	HISTORY_ALL     /* all sightings */
};

/* Reads the sightings and texts of `count` findings of h, beginning with number `first`, counted from 0. Replaces what
 * an earlier call read. Call it after history_judge. */
bool history_read_details(struct db *db, struct arena *a, const struct history *h, size_t first,
	size_t count, enum history_details wanted, struct error *err);

enum {
	HISTORY_STACK_FRAMES = 64 /* the outermost frames of a longer stack are omitted */
};

struct history_frame {
	struct text module, class_name, routine, source_file;
	int64_t source_line; /* 0 if unknown */
};

/* Looks at the 100 newest result sets that contain the finding. Sets *inst_id to the newest one that is still
 * in the depot, or to 0 if the depot does not have any of them. */
bool history_find_stored(struct db *db, struct arena *a, const struct history *h,
	const struct history_finding *f, int64_t *inst_id, struct error *err);

/* Reads the stack that contributes most to the finding in a result set, innermost frame first. *count is 0
 * if the facts were removed. */
bool history_read_stack(struct db *db, struct arena *a, int64_t inst_id,
	const struct history_finding *f, struct history_frame frames[HISTORY_STACK_FRAMES],
	size_t *count, struct error *err);

/* Adds a review of a finding. The finding's identity has 32 hex digits. The review's texts may be NULL. Fails with
 * ERROR_USAGE if review->until is not a date. */
bool review_add(struct db *db, const char *identity, const struct history_review *review,
	int64_t *ledger_no, struct error *err);

/* Records that sightings of `identity` belong to the finding `same_as`. Both have 32 hex digits.
 * `why` contains the author and the reason. */
bool history_alias_add(struct db *db, const char *identity, const char *same_as,
	const struct history_review *why, int64_t *ledger_no, struct error *err);

#endif
