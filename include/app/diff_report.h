/* The report diff: what is new, gone, grown or shrunk between two result sets. */
#ifndef PROFDEPOT_APP_DIFF_REPORT_H
#define PROFDEPOT_APP_DIFF_REPORT_H

#include "app/suppressions.h"
#include "report/report.h"

struct diff_run {
	struct suppressions *suppressions; /* NULL if there are none */
	uint64_t differences;              /* output: rows that differ are added */
};

/* The report with the columns for the metric of q->inst_id and its base, for report_head. Lives in the
 * arena. */
const struct report *diff_report_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run; r comes from diff_report_shape. */
bool diff_report_answer(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct diff_run *run, struct error *err);

#endif
