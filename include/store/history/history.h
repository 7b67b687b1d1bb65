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
	/* "APPLICATION KEY=VALUE..."; NULL: the stream of inst_id, or else the one with the newest
	 * run */
	const char *stream;
	int64_t inst_id;   /* a result set of the stream, if `stream` is NULL; or 0 */
	int64_t ledger_no; /* as of this number; 0 for the newest */
	/* The first hex digits of an identity, at least 4: reads only the findings that begin with
	 * them. NULL: reads all findings, but from each fold only their newest figures. */
	const char *finding;
};

/*
 * Parses the value of --as-of: a ledger number, a time that PostgreSQL understands, or the name of
 * a result set ("set:7" for its INST_ID). Fails with ERROR_USAGE or ERROR_NOT_FOUND.
 */
bool history_parse_as_of(struct db *db, const char *text, int64_t *ledger_no, struct error *err);

/* Reads a stream's history into the arena, without states (analysis/history.h computes them). Fails with
 * ERROR_NOT_FOUND if there is no such stream, or if a run of the application was forgotten after
 * q->ledger_no. */
bool history_read(struct db *db, struct arena *a, const struct history_question *q,
	struct history *h, struct error *err);

struct history_frame {
	struct text module, class_name, routine, source_file;
	int64_t source_line; /* 0 if unknown */
};

/* Reads the stack on which a finding has the highest count in a result set, innermost frame first.
 * *count is 0 if the facts were removed. */
bool history_read_stack(struct db *db, struct arena *a, int64_t inst_id,
	const struct history_finding *f, struct history_frame *frames, size_t max, size_t *count,
	struct error *err);

/* The identity has 32 hex digits. The texts may be NULL. Fails with ERROR_USAGE if `until` is not a date. */
bool review_add(struct db *db, const char *identity, const struct history_review *review,
	int64_t *ledger_no, struct error *err);

/* Records that sightings of `identity` belong to the finding `same_as`. Both have 32 hex digits.
 * Author and reason are taken from `why`. */
bool history_alias_add(struct db *db, const char *identity, const char *same_as,
	const struct history_review *why, int64_t *ledger_no, struct error *err);

#endif
