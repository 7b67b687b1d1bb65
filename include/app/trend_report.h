/*
 * Reports that follow one figure over result sets ("-- rows: trend" in their
 * header): the report takes inst_ids.
 */
#ifndef PROFDEPOT_APP_TREND_REPORT_H
#define PROFDEPOT_APP_TREND_REPORT_H

#include "report/report.h"

/* The word for the time that spans of --name took, instead of a metric. */
#define TREND_DURATION "duration"

/* The report with the unit of the figure in its columns. In the arena. */
const struct report *trend_report_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run; r as trend_report_shape gave it. */
bool trend_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

#endif
