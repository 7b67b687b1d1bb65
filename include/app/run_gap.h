/* Explains why a count may be too low: what the run did not look for, or did not finish. */
#ifndef PROFDEPOT_APP_RUN_GAP_H
#define PROFDEPOT_APP_RUN_GAP_H

#include "store/runs.h"

/*
 * Returns a sentence such as "the run did not look for leaks: --leak-check=no", in the arena. Returns
 * NULL if the run found all facts of the kind `what`, so that a count of 0 means that there are none.
 * `found` says whether the result set has such facts. If it has such facts, and `run` does not say whether the
 * run looked for them, the function assumes that the run looked. Sampled facts are considered complete.
 */
const char *run_gap(struct arena *a, const struct run *run, enum coverage_what what, bool found);

/* Does the same as run_gap for errors, including races. */
const char *run_error_gap(struct arena *a, const struct run *run, bool found);

/* Returns the text of a table cell: "not looked for", "looked for in part" or "unknown"; NULL if the count
 * is complete. */
const char *run_gap_word(const struct run *run, enum coverage_what what, bool found);

/* Does the same as run_gap_word for errors, including races. */
const char *run_error_gap_word(const struct run *run, bool found);

/* Returns sentences about leaks or errors that the run may not have found. The list is in the arena and ends
 * with NULL. Returns NULL on error. */
const char *const *run_gaps(struct db *db, struct arena *a, int64_t inst_id, bool leaks,
	bool errors, struct error *err);

/* Returns `gaps` and `others` as one list in the arena, with hints for users of the command line; `others` may be NULL. */
const char *const *run_notes(struct arena *a, const char *const *gaps, const char *const *others);

#endif
