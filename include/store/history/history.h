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
	const char *stream; /* "APPLICATION KEY=VALUE..."; NULL: the one with the newest run, or of inst_id */
	int64_t inst_id;    /* the stream of this result set; 0 for `stream` */
	int64_t ledger_no;  /* as of this number; 0 for the newest */
	const char *finding; /* at least 4 hex digits: read only the findings that begin so, but all their
				figures; NULL: all findings, but only their newest figures if they are old */
};

/*
 * Parses what --as-of takes: a ledger number, a time that PostgreSQL understands, or the name of a result set
 * ("set:7" for its INST_ID). Fails with ERROR_USAGE, or ERROR_NOT_FOUND.
 */
bool history_parse_as_of(struct db *db, const char *text, int64_t *ledger_no, struct error *err);

/* Reads a stream's history into the arena, without states (analysis/history.h computes them). Fails with
 * ERROR_NOT_FOUND if there is no such stream, or if a run of it was forgotten after q->ledger_no. */
bool history_read(struct db *db, struct arena *a, const struct history_question *q,
	struct history *h, struct error *err);

/* Identity 32 hex digits. Texts but for the identity may be NULL. Fails with ERROR_USAGE if `until` is not a date. */
bool review_add(struct db *db, const char *identity, const struct history_review *review,
	int64_t *ledger_no, struct error *err);

#endif
