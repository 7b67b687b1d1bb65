/* Questions about the history of findings, for the command line and the service. */
#ifndef PROFDEPOT_APP_HISTORY_H
#define PROFDEPOT_APP_HISTORY_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/option.h"
#include "model/history.h"
#include "model/table.h"
#include "render/render.h"

#include <stdio.h>

struct db;

/* What the next page of an answer needs. */
struct history_end {
	bool more; /* there are rows after this page */
	int64_t ledger_no;
	char digest[HASH128_HEX_BYTES]; /* of all runs and findings in the answer, in their order */
};

struct history_request {
	/* The stream, written as in "profdepot stream list"; NULL: the stream with the newest run. */
	const char *stream;
	const char *finding; /* first hex digits of an identity; NULL: list the findings */
	const char *as_of;   /* see store/history/history.h; NULL: now */
	/* Only findings that were first seen after this version or INST_ID; NULL: all. */
	const char *new_since;
	/* Globs. A finding passes if, in each list that is not empty, a glob matches the finding. */
	struct option_list kinds, classes, modules, routines, owners;
	/* Words of HISTORY_STATE_TABLE or "all"; empty: every state except "gone". */
	struct option_list states;
	struct option_list reviews; /* words of REVIEW_STATUS_TABLE, or "none" */
	int64_t min_count, min_size;
	int64_t top;  /* maximum number of rows; 0: all */
	int64_t skip; /* number of rows to skip */
	/* For a page after the first one: the end of the page before it. The answer is as of the same ledger number,
	 * and history_write fails with ERROR_STALE_CURSOR if it has another digest. Otherwise NULL. */
	const struct history_end *before;
};

/* The columns of the two lists that history_write writes. */
extern const struct table_head history_findings_head, history_runs_head;

/* Reads the history, computes the states, filters the findings, and sorts them by urgency. Fails
 * with ERROR_USAGE or ERROR_NOT_FOUND. */
bool history_answer_read(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, struct error *err);

/* Writes the list of a stream's findings, or, if q->finding is set, the runs of that finding,
 * newest first. `end` may be NULL. */
bool history_write(struct db *db, const struct history_request *q, FILE *out,
	const struct renderer *renderer, const struct render_options *options,
	struct history_end *end, struct error *err);

/* Finds the stream's finding whose identity begins with q->finding. Fails if no finding matches, or several do. */
bool history_find(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, const struct history_finding **finding, struct error *err);

#endif
