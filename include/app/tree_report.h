/* The reports whose rows come from a call tree: tree, callers, hot. */
#ifndef PROFDEPOT_APP_TREE_REPORT_H
#define PROFDEPOT_APP_TREE_REPORT_H

#include "report/report.h"

/* The report with the unit of the metric of q->inst_id in its columns, for report_head. Lives in the
 * arena. */
const struct report *tree_report_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);

/* As report_run. */
bool tree_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

#endif
