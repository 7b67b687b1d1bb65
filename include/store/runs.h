/* Runs: where result sets come from, and what the profilers looked for. */
#ifndef PROFDEPOT_STORE_RUNS_H
#define PROFDEPOT_STORE_RUNS_H

#include "base/arena.h"
#include "model/coverage.h"

#include <stdint.h>

struct db;

/* The run of one result set. Its texts are in the arena. */
struct run {
	struct text key; /* NULL if not given */
	int finished;    /* 1, 0, -1 if unknown */
	struct coverage coverage[COVERAGE_WHATS];
};

/* For a result set that SQL wrote, and for an unknown INST_ID, every member is unknown. */
bool run_find(struct db *db, struct arena *a, int64_t inst_id, struct run *run, struct error *err);

#endif
