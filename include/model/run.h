/* The run of a result set, and what the profiler looked for. A run is one execution of a program. */
#ifndef PROFDEPOT_MODEL_RUN_H
#define PROFDEPOT_MODEL_RUN_H

#include "base/text.h"

#include <stdint.h>

/* Texts are NULL if unknown. */
struct run_row {
	struct text run_key;          /* shared by the result sets of one execution */
	int64_t started_us, ended_us; /* Unix time in microseconds; MODEL_NULL if unknown */
	struct text version;          /* version of the application */
	struct text commit_id, parent_commit_id;
	struct text environment;
	int finished; /* 1 if the profiler wrote its end marker, 0 if not; -1 if its format has no end marker */
};

struct coverage_row {
	struct text what, degree, source; /* names defined in model/coverage.h */
};

#endif
