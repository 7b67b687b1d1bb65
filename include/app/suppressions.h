/*
 * Suppressions for reports. They come from files, the depot, the result set and the standard leaks, in
 * this order. The first suppression that matches is used.
 */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_H
#define PROFDEPOT_APP_SUPPRESSIONS_H

#include "analysis/suppress.h"
#include "base/option.h"
#include "db/connection.h"
#include "report/report.h"

struct suppressions_request {
	const struct option_list *files; /* may be NULL */
	bool none;                       /* ignore entries of the depot and of the result set */
	bool standard;                   /* also hide standard leaks of runtimes */
};

struct suppressions;

/* Reads the files and the depot's suppressions in the caller's snapshot. NULL on error: ERROR_FILE, or
 * ERROR_INPUT with a message that contains the file and line. */
struct suppressions *suppressions_open(
	struct db *db, const struct suppressions_request *q, struct error *err);
void suppressions_free(struct suppressions *s); /* NULL does nothing */

/* Returns whether there are suppressions other than those that a result set contains. */
bool suppressions_are_given(const struct suppressions *s);

/* The records that the suppressions hide in one result set. All members are in the arena, except for list
 * and uses, which are valid until the next call to suppressions_apply. */
struct suppressed {
	const int64_t *objects, *errors; /* IDs in ascending order */
	size_t object_count, error_count;
	struct suppress_use leak_use, error_use; /* totals */
	const struct suppress_list *list;
	const struct suppress_use *uses; /* one element per entry of the list */
	const bool *of_leaks;            /* one element per entry: true if it hid leaks */
};

bool suppressions_apply(struct suppressions *s, struct db *db, struct arena *a, int64_t inst_id,
	struct suppressed *out, struct error *err);

/* Returns sentences for the foot of a report on leaks or errors: how many records each suppression
 * hides, and which suppressions no longer match. The list ends with NULL. It is empty if nothing is
 * suppressed. */
const char *const *suppressions_notes(
	const struct suppressed *s, struct arena *a, bool leaks, bool errors);

/* Runs the suppressions report, like report_run. */
bool suppression_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct suppressions *s, struct table_sink *sink, struct error *err);

/* Reads a whole file into the arena; "-" is standard input. May set ERROR_FILE or ERROR_LIMIT. */
bool suppressions_read_file(
	struct arena *a, const char *path, struct text *text, struct error *err);

/*
 * A sink for a report on leaks or errors. It writes one suppression per row, without repetitions.
 * begin fails with ERROR_USAGE if the report has no stacks.
 */
struct table_sink *suppression_sink_new(FILE *out, enum suppress_syntax syntax);
void suppression_sink_free(struct table_sink *s); /* NULL does nothing */

#endif
