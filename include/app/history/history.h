/* Questions about the history of findings, for the command line and the service. */
#ifndef PROFDEPOT_APP_HISTORY_H
#define PROFDEPOT_APP_HISTORY_H

#include "base/arena.h"
#include "base/option.h"
#include "model/history.h"
#include "model/table.h"
#include "render/render.h"

#include <stdio.h>

struct db;

struct history_request {
	/* as "profdepot stream list" shows it; NULL: the stream with the newest run */
	const char *stream;
	const char *finding; /* hex digits at the start of its identity; NULL: list the findings */
	const char *as_of;   /* see store/history/history.h; NULL: now */
	/* only findings first seen after this version or INST_ID; NULL: all */
	const char *new_since;
	/* Globs. A finding passes if it matches a glob of each list that is not empty. */
	struct option_list kinds, classes, modules, routines, owners;
	struct option_list states;  /* words of HISTORY_STATE_TABLE or "all"; empty: all but gone */
	struct option_list reviews; /* words of REVIEW_STATUS_TABLE, or "none" */
	int64_t min_count, min_size;
	int64_t top; /* rows; 0: all */
	int64_t skip;
};

/* Reads the history, computes the states, filters the findings, and sorts them by urgency. Fails
 * with ERROR_USAGE or ERROR_NOT_FOUND. */
bool history_answer_read(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, struct error *err);

/* Writes the list of a stream's findings, or, if q->finding is set, the runs of that finding,
 * newest first. */
bool history_write(struct db *db, const struct history_request *q, FILE *out,
	const struct renderer *renderer, const struct render_options *options, struct error *err);

/* Finds the stream's finding that begins with q->finding; fails if there is not exactly one. */
bool history_find(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, const struct history_finding **finding, struct error *err);

#endif
