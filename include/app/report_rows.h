/* Runs reports of any kind: queries, call trees, comparisons and trends. */
#ifndef PROFDEPOT_APP_REPORT_ROWS_H
#define PROFDEPOT_APP_REPORT_ROWS_H

#include "report/report.h"

/* The report with the columns for this request, for report_head: they may depend on the metric. Lives in
 * the arena. */
const struct report *report_rows_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run; r comes from report_rows_shape. */
bool report_rows_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

#endif
