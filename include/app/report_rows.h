/*
 * Reports whichever way their rows are made: by their query, from a call
 * tree, or from a comparison. What the command line and the service share.
 */
#ifndef PROFDEPOT_APP_REPORT_ROWS_H
#define PROFDEPOT_APP_REPORT_ROWS_H

#include "report/report.h"

/* The report as it answers this request, for report_head: its columns may
 * depend on the metric. In the arena. */
const struct report *report_rows_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run; r as report_rows_shape gave it. */
bool report_rows_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

#endif
