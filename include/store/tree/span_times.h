/* Durations of spans selected by name: measures, console timings, steps, calls. */
#ifndef PROFDEPOT_STORE_TREE_SPAN_TIMES_H
#define PROFDEPOT_STORE_TREE_SPAN_TIMES_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/error.h"

#include <stdint.h>

struct db;

#define SPAN_TIME_TABLE(X) \
	X(SPAN_TIME_SUM, "sum") \
	X(SPAN_TIME_MIN, "min") \
	X(SPAN_TIME_MAX, "max") \
	X(SPAN_TIME_MEDIAN, "median") \
	X(SPAN_TIME_P95, "p95")

#define SPAN_TIME_CHOICES "sum|min|max|median|p95"

enum span_time {
#define SPAN_TIME_ENUM(code, word) code,
	SPAN_TIME_TABLE(SPAN_TIME_ENUM)
#undef SPAN_TIME_ENUM
	SPAN_TIMES
};

struct span_times {
	int64_t count;              /* spans with a duration; if 0, the other members are invalid */
	wide_int times[SPAN_TIMES]; /* fixed-point; median and p95 are never averages */
	struct text unit;           /* as in model/measures.h; NULL if unknown */
};

struct span_times_question {
	const int64_t *inst_ids;
	size_t count;
	const char *patterns; /* for names of spans: an SQL array of LIKE patterns as text */
};

bool span_time_parse(const char *word, enum span_time *out);
const char *span_time_name(enum span_time t);

/* Sets times[i] to the times of the spans of q->inst_ids[i] whose names match one of the patterns. The units are in the
 * arena. Fails with ERROR_USAGE if such spans of one result set have different units. */
bool span_times_find(struct db *db, struct arena *a, const struct span_times_question *q,
	struct span_times *times, struct error *err);

#endif
