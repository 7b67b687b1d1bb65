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
	const char *
		stream; /* "APPLICATION KEY=VALUE..."; NULL: the one with the newest run, or of inst_id */
	int64_t inst_id;     /* the stream of this result set; 0 for `stream` */
	int64_t ledger_no;   /* as of this number; 0 for the newest */
	const char *finding; /* at least 4 hex digits: only the findings that begin so; NULL: all */
};

/*
 * Parses the value of --as-of: a ledger number, a time that PostgreSQL understands, or the name of
 * a result set ("set:7" for its INST_ID). Fails with ERROR_USAGE or ERROR_NOT_FOUND.
 */
bool history_parse_as_of(struct db *db, const char *text, int64_t *ledger_no, struct error *err);

/* Reads a stream's history into the arena, without states (analysis/history.h computes them) and details. Fails with
 * ERROR_NOT_FOUND if there is no such stream, or if a run of it was forgotten after q->ledger_no. */
bool history_read(struct db *db, struct arena *a, const struct history_question *q,
	struct history *h, struct error *err);

enum {
	HISTORY_RECENT_GROUPS = 24
};

/* Reads texts and sightings of the findings, after history_judge: the sightings of their newest run, of the run
 * in which they were last seen, and of the stream's newest runs (HISTORY_RECENT_GROUPS), or all sightings. */
bool history_read_details(
	struct db *db, struct arena *a, struct history *h, bool all, struct error *err);

enum {
	HISTORY_STACK_FRAMES = 64 /* the outermost frames of a longer stack are left out */
};

struct history_frame {
	struct text module, class_name, routine, source_file;
	int64_t source_line; /* 0 if unknown */
};

/* The newest result set with the finding that the depot still has, of the newest 100; 0 if there is none. */
bool history_find_stored(struct db *db, struct arena *a, const struct history *h,
	const struct history_finding *f, int64_t *inst_id, struct error *err);

/* Reads the stack with the most of the finding in a result set, innermost frame first. *count is 0 if the
 * facts were removed. */
bool history_read_stack(struct db *db, struct arena *a, int64_t inst_id,
	const struct history_finding *f, struct history_frame frames[HISTORY_STACK_FRAMES],
	size_t *count, struct error *err);

/* The identity has 32 hex digits. The texts may be NULL. Fails with ERROR_USAGE if `until` is not a date. */
bool review_add(struct db *db, const char *identity, const struct history_review *review,
	int64_t *ledger_no, struct error *err);

/* Records that sightings of `identity` belong to the finding `same_as`. Both have 32 hex digits.
 * Author and reason are taken from `why`. */
bool history_alias_add(struct db *db, const char *identity, const char *same_as,
	const struct history_review *why, int64_t *ledger_no, struct error *err);

#endif
