/* Declarations that the comparison files share. */
#ifndef PROFDEPOT_APP_DIFF_PRIVATE_H
#define PROFDEPOT_APP_DIFF_PRIVATE_H

#include "analysis/compare.h"
#include "app/facts.h"

/* The two sides of a comparison, and how to compare them. The request determines both. */
struct diff_plan {
	int64_t inst_id, base_id;
	struct facts_metric metric;
	enum facts_match match;
	enum compare_by by;
	unsigned statuses;
};

/* Finds the result sets and the metric. Sets ERROR_USAGE if options contradict each other. */
bool diff_plan_make(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct diff_plan *p, struct error *err);

/* Returns whether the column with this key shows the figure: "base_count" and "count_delta" show "count". */
bool diff_column_is_of(const char *key, const char *figure);

#endif
