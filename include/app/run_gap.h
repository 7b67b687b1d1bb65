/* Explains why a count may be too low: what the run did not look for, or did not finish. */
#ifndef PROFDEPOT_APP_RUN_GAP_H
#define PROFDEPOT_APP_RUN_GAP_H

#include "store/runs.h"

/* What a run may have missed. */
struct run_gap {
	/* A sentence such as "the run did not look for leaks: --leak-check=no"; NULL if the run missed nothing. */
	const char *sentence;
	/* The end of the sentence for users of the command line, who can do something; "" if nothing. JSON does not
	 * have it, because programs and pages read JSON. */
	const char *hint;
};

/*
 * The sentence is in the arena. It is NULL if the run found all facts of the kind `what`, so that a count of 0 means that
 * there are none. `found` says whether the result set has such facts. If it has such facts, and `run` does not say
 * whether the run looked for them, the function assumes that the run looked. Sampled facts are considered complete.
 */
struct run_gap run_gap(struct arena *a, const struct run *run, enum coverage_what what, bool found);

/* Does the same as run_gap for errors, including races. */
struct run_gap run_error_gap(struct arena *a, const struct run *run, bool found);

/* Returns the text of a table cell: "not looked for", "looked for in part" or "unknown"; NULL if the count
 * is complete. */
const char *run_gap_word(const struct run *run, enum coverage_what what, bool found);

/* Does the same as run_gap_word for errors, including races. */
const char *run_error_gap_word(const struct run *run, bool found);

enum {
	RUN_GAPS_MAX = 2
};

/* Sets the gaps of leaks or errors that the run may not have found. After the last gap there is one without a
 * sentence. */
bool run_gaps(struct db *db, struct arena *a, int64_t inst_id, bool leaks, bool errors,
	struct run_gap gaps[RUN_GAPS_MAX + 1], struct error *err);

/* Returns the sentences up to a gap without one, with or without their hints. The list is in the arena and ends with
 * NULL. */
const char *const *run_gap_list(struct arena *a, const struct run_gap *gaps, bool hints);

/* Returns both lists as one list in the arena; each may be NULL. */
const char *const *run_notes(struct arena *a, const char *const *first, const char *const *others);

#endif
