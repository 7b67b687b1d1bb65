/* What the parts of a comparison share. */
#ifndef PROFDEPOT_APP_DIFF_PRIVATE_H
#define PROFDEPOT_APP_DIFF_PRIVATE_H

#include "analysis/compare.h"
#include "app/facts.h"

/* What two sides are, read from the request. */
struct diff_plan {
	int64_t inst_id, base_id;
	struct facts_metric metric;
	enum facts_match match;
	enum compare_by by;
	unsigned statuses;
};

/* Finds result sets and metric. ERROR_USAGE for what does not go together. */
bool diff_plan_make(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct diff_plan *p, struct error *err);

/* "base_count", "count_delta" ... are of "count". */
bool diff_column_is_of(const char *key, const char *figure);

#endif
