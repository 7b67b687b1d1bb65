/*
 * Reports about two result sets: what is new, gone, grown, shrunk
 * ("-- rows: diff" in their header).
 */
#ifndef PROFDEPOT_APP_DIFF_REPORT_H
#define PROFDEPOT_APP_DIFF_REPORT_H

#include "app/suppressions.h"
#include "report/report.h"

/* What goes beyond a report's request, and beyond its rows. */
struct diff_run {
	struct suppressions *suppressions; /* NULL: none */
	uint64_t differences;              /* rows of the answer that are not the same: added to */
};

/* The report with the columns that the metric of q->inst_id and its base has,
 * for report_head. In the arena. */
const struct report *diff_report_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run; r as diff_report_shape gave it. */
bool diff_report_answer(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct diff_run *run, struct error *err);

#endif
