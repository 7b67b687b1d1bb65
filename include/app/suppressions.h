/*
 * Suppressions for reports: those of files, of the depot, of the result set, and standard leaks, in this
 * order; the first match counts.
 */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_H
#define PROFDEPOT_APP_SUPPRESSIONS_H

#include "analysis/suppress.h"
#include "base/option.h"
#include "db/connection.h"
#include "report/report.h"

struct suppressions_request {
	const struct option_list *files; /* NULL if there are none */
	bool none;                       /* ignore those of the depot and of the result set */
	bool standard;                   /* also hide standard leaks of runtimes */
};

struct suppressions;

/* Reads the files and the depot's suppressions in the caller's snapshot. NULL on error: ERROR_FILE, or
 * ERROR_INPUT with file and line. */
struct suppressions *suppressions_open(
	struct db *db, const struct suppressions_request *q, struct error *err);
void suppressions_free(struct suppressions *s); /* NULL does nothing */

/* What they hide in one result set. Lives in the arena, except for list and uses, which last until the
 * next call of suppressions_apply. */
struct suppressed {
	const int64_t *objects, *errors; /* IDs, ascending */
	size_t object_count, error_count;
	struct suppress_use leak_use, error_use; /* totals */
	const struct suppress_list *list;
	const struct suppress_use *uses; /* by entry */
	const bool *of_leaks;            /* by entry: hides leaks, not errors */
};

bool suppressions_apply(struct suppressions *s, struct db *db, struct arena *a, int64_t inst_id,
	struct suppressed *out, struct error *err);

/* Sentences for the foot of a report on leaks or errors: what each suppression hides, and which ones no
 * longer match. NULL-terminated; empty if nothing is suppressed. */
const char *const *suppressions_notes(
	const struct suppressed *s, struct arena *a, bool leaks, bool errors);

/* As report_run, for the report suppressions. */
bool suppression_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct suppressions *s, struct table_sink *sink, struct error *err);

/* Reads a whole file into the arena; "-" is standard input. ERROR_FILE, ERROR_LIMIT. */
bool suppressions_read_file(
	struct arena *a, const char *path, struct text *text, struct error *err);

/*
 * A sink that writes suppressions for the rows of a report on leaks or errors, each once. begin fails
 * with ERROR_USAGE if the report has no stacks.
 */
struct table_sink *suppression_sink_new(FILE *out, enum suppress_syntax syntax);
void suppression_sink_free(struct table_sink *s); /* NULL does nothing */

#endif
