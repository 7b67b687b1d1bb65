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

/* SQL arrays of LIKE patterns as text, see report_patterns. A fact counts if one of the patterns of each array matches.
 * NULL: no filter. */
struct set_sum_filters {
	const char *threads, *classes, *modules, *routines;
	const char *names; /* names of errors */
};

struct set_sums_question {
	const int64_t *inst_ids;
	size_t count;
	const char *metric;                    /* a name in the relation metrics */
	const struct set_sum_filters *filters; /* NULL if all facts count */
};

/* Sets sums[i] to the sum of the result set q->inst_ids[i]. Texts are in the arena. */
bool set_sums_find(struct db *db, struct arena *a, const struct set_sums_question *q,
	struct set_sum *sums, struct error *err);

#endif
