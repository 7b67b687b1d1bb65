/* The report trend: one figure over all result sets of a request. */
#ifndef PROFDEPOT_APP_TREND_REPORT_H
#define PROFDEPOT_APP_TREND_REPORT_H

#include "report/report.h"

/* The metric name for the duration of the spans of --name. */
#define TREND_DURATION "duration"

/* The report with the unit of the figure in its columns. Lives in the arena. */
const struct report *trend_report_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run; r comes from trend_report_shape. */
bool trend_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

#endif
