/* Runs: where result sets come from, what the profilers looked for, and how budgets judged the results. */
#ifndef PROFDEPOT_STORE_RUNS_H
#define PROFDEPOT_STORE_RUNS_H

#include "base/arena.h"
#include "model/coverage.h"

#include <stdint.h>

struct db;
struct db_result;

/* The run of one result set. Its texts are in the arena. */
struct run {
	struct text key; /* NULL if not given */
	int finished;    /* 1: yes, 0: no, -1: unknown */
	struct coverage coverage[COVERAGE_WHATS];
};

/* Finds the run of a result set. All members of *run are unknown if the result set was written with SQL, or if the
 * INST_ID is unknown. */
bool run_find(struct db *db, struct arena *a, int64_t inst_id, struct run *run, struct error *err);

/* Does the same as run_find for several result sets, in one query. runs[i] is the run of inst_ids[i]. */
bool runs_find(struct db *db, struct arena *a, const int64_t *inst_ids, size_t count,
	struct run *runs, struct error *err);

/* The verdict on one budget. */
struct verdict {
	const char *budget, *verdict; /* verdict: a name of enum check_verdict */
	const char *reason;           /* NULL if the budget passed */
};

/* Records the verdicts of a check. They replace the verdicts of an earlier check of the same result sets. Ignores
 * result sets that were removed after the check. */
bool verdicts_store(struct db *db, const int64_t *inst_ids, size_t inst_id_count,
	const struct verdict *verdicts, size_t count, struct error *err);

/* Columns: application, labels, result_sets, runs, first_loaded, last_loaded. One row per stream;
 * the stream with the newest result set comes first. At most 1,000 result sets and 1,000 runs are counted.
 * NULL on error. */
struct db_result *streams_list(struct db *db, struct error *err);

/* Sets the label keys that distinguish streams. `keys` is a list separated by commas. */
bool stream_labels_set(struct db *db, const char *keys, struct error *err);

/* Sets the labels, such as "branch=main", of the stream from which the other streams of an application
 * branch off. */
bool stream_parent_set(struct db *db, const char *labels, struct error *err);

#endif
