/*
 * A report from its question to the rows: what the command line and the
 * service share.
 */
#ifndef PROFDEPOT_APP_REPORT_ANSWER_H
#define PROFDEPOT_APP_REPORT_ANSWER_H

#include "app/suppressions.h"
#include "store/result_sets.h"

/* The snapshot that all queries of an answer see, with the settings that reports want. */
bool report_answer_begin(struct db *db, int64_t timeout_ms, struct error *err);

/*
 * The report that answers q->inst_ids, as report_answer_write takes it: the one for detectors
 * where these found all (unless a --by was asked), with the columns that the metric has. Opens
 * what hides rows as q->suppressions, which the caller frees, also after a failure. ERROR_USAGE
 * when suppressions are given to a report that knows none.
 */
const struct report *report_answer_prepare(struct db *db, struct arena *a, const struct report *r,
	bool by_asked, struct report_request *q, const struct suppressions_request *suppressions,
	struct error *err);

/* Tells the sink all of it, from begin to end. */
bool report_answer_write(struct db *db, const struct report *r, struct report_request *q,
	struct table_sink *sink, struct error *err);

bool report_knows_suppressions(const struct report *r);
/* ERROR_USAGE; false. */
bool report_refuse_suppressions(const struct report *r, struct error *err);

/* Sets q->inst_ids to those that pass, the newest first; ERROR_NOT_FOUND when none does. */
bool report_answer_listed(struct db *db, struct arena *a, const struct result_set_filter *f,
	struct report_request *q, struct error *err);

#endif
