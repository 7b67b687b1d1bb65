/* Gauges: quantities over time that are never added up, such as the resident set. */
#ifndef PROFDEPOT_STORE_GAUGES_H
#define PROFDEPOT_STORE_GAUGES_H

#include "base/decimal.h"
#include "base/error.h"

#include <stdint.h>

struct db;

/* Fixed-point, in the metric's unit; all 0 if the gauge has no sample. */
struct gauge_values {
	bool known;
	wide_int maximum, last, mean;
};

bool gauge_find(struct db *db, int64_t inst_id, const char *metric, struct gauge_values *out,
	struct error *err);

#endif
