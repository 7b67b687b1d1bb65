/* Answers a request for a report, for the command line and the service. */
#ifndef PROFDEPOT_APP_REPORT_ANSWER_H
#define PROFDEPOT_APP_REPORT_ANSWER_H

#include "app/suppressions.h"
#include "store/result_sets.h"

/* Begins the snapshot in which all queries of an answer run, and applies the settings for reports. */
bool report_answer_begin(struct db *db, int64_t timeout_ms, struct error *err);

/*
 * Returns the report to pass to report_answer_write, with the columns for the requested metric. If all result
 * sets of q->inst_ids come from detectors and by_asked is false (the request has no --by), the report is r's
 * variant for detectors. Sets q->suppressions; the caller must free it, even if the function fails. Fails with ERROR_USAGE if
 * the request has suppressions and the report does not apply them.
 */
const struct report *report_answer_prepare(struct db *db, struct arena *a, const struct report *r,
	bool by_asked, struct report_request *q, const struct suppressions_request *suppressions,
	struct error *err);

/* Writes the report to the sink. Also calls the sink's begin and end. */
bool report_answer_write(struct db *db, const struct report *r, struct report_request *q,
	struct table_sink *sink, struct error *err);

/* Fails with ERROR_USAGE if the report does not apply suppressions. */
bool report_check_suppressions(const struct report *r, struct error *err);

/* Sets q->inst_ids to the result sets that pass the filter, newest first. Fails with
 * ERROR_NOT_FOUND if no result set passes. */
bool report_answer_listed(struct db *db, struct arena *a, const struct result_set_filter *f,
	struct report_request *q, struct error *err);

#endif
