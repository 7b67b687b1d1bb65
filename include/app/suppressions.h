/*
 * Suppressions as reports apply them: those of files, the depot's, those that came with the
 * result set, and standard leaks, in that order; the first that matches counts.
 */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_H
#define PROFDEPOT_APP_SUPPRESSIONS_H

#include "analysis/suppress.h"
#include "base/option.h"
#include "db/connection.h"
#include "report/report.h"

struct suppressions_request {
	const struct option_list *files; /* NULL: none */
	bool none;                       /* neither the depot's nor the result set's */
	bool standard;                   /* standard leaks of runtimes too */
};

struct suppressions;

/* Reads the files and the depot's, inside the caller's snapshot. NULL on error: ERROR_FILE,
 * ERROR_INPUT with the file and line. */
struct suppressions *suppressions_open(
	struct db *db, const struct suppressions_request *q, struct error *err);
void suppressions_free(struct suppressions *s); /* NULL does nothing */

/* What they hide of one result set. In the arena, but list and uses: until the next apply. */
struct suppressed {
	const int64_t *objects, *errors; /* IDs, ascending */
	size_t object_count, error_count;
	struct suppress_use leak_use, error_use; /* in all */
	const struct suppress_list *list;
	const struct suppress_use *uses; /* of each entry */
	const bool *of_leaks;            /* does the entry hide leaks (else errors) */
};

bool suppressions_apply(struct suppressions *s, struct db *db, struct arena *a, int64_t inst_id,
	struct suppressed *out, struct error *err);

/* Sentences for the foot of a report on leaks or errors: what is hidden by which, and which no
 * longer match. Ends with NULL; empty when there are no suppressions. */
const char *const *suppressions_notes(
	const struct suppressed *s, struct arena *a, bool leaks, bool errors);

/* As report_run, for the report whose "-- rows:" is "suppressions". */
bool suppression_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct suppressions *s, struct table_sink *sink, struct error *err);

/* Reads a whole file, "-" is standard input, into the arena. ERROR_FILE, ERROR_LIMIT. */
bool suppressions_read_file(
	struct arena *a, const char *path, struct text *text, struct error *err);

/*
 * A sink that writes suppressions for the rows of a report on leaks or errors instead of the
 * rows; begin fails with ERROR_USAGE when the report shows no stacks. Rows that would give the
 * same are written once.
 */
struct table_sink *suppression_sink_new(FILE *out, enum suppress_syntax syntax);
void suppression_sink_free(struct table_sink *s); /* NULL does nothing */

#endif
