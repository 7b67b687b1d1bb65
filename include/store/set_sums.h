/* Sums of one metric over several result sets, for trends. */
#ifndef PROFDEPOT_STORE_SET_SUMS_H
#define PROFDEPOT_STORE_SET_SUMS_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/error.h"

#include <stdint.h>

struct db;

struct set_sum {
	bool simple;        /* the sum is known; if false, only a report can compute it */
	struct text family; /* the metric's family; NULL if the result set lacks the metric */
	struct text unit;   /* as in model/measures.h */
	wide_int count;     /* fixed-point; number of objects or errors */
	wide_int value;     /* fixed-point; bytes of objects, or the sum of samples */
};

/* Sets sums[i] to the sum of the result set inst_ids[i]. `metric` is a name in the relation metrics. Texts are in the
 * arena. */
bool set_sums_find(struct db *db, struct arena *a, const int64_t *inst_ids, size_t count,
	const char *metric, struct set_sum *sums, struct error *err);

#endif
