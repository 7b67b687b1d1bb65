/* Runs reports of any kind: queries, call trees, comparisons and trends. */
#ifndef PROFDEPOT_APP_REPORT_ROWS_H
#define PROFDEPOT_APP_REPORT_ROWS_H

#include "app/suppressions.h"
#include "base/decimal.h"
#include "report/report.h"

/* A metric of the trend report: the duration of the spans that --name selects. */
#define TREND_DURATION "duration"

/* Returns the report with the columns for this request, to pass to report_head. The columns may depend
 * on the metric and the result sets. The report is in the arena. */
typedef const struct report *report_shape_fn(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* Runs the report like report_run. r is the result of the report's shape function. */
typedef bool report_rows_fn(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

report_shape_fn report_rows_shape; /* works for any report */
/* Returns whether report_rows_shape leaves the column out for some requests. */
bool report_column_may_miss(const struct report *r, const struct table_column *c);
bool diff_column_may_miss(
	const struct report *r, const struct table_column *c); /* r is a diff report */
report_rows_fn report_rows_run;

report_shape_fn diff_report_shape;
report_rows_fn tree_report_run;
report_rows_fn trend_report_run;

/* Runs the diff report without the facts that q->suppressions hide. Increases *differences by the number of
 * rows that differ. */
bool diff_report_answer(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, uint64_t *differences, struct error *err);

#endif
