/* Answers a request for a report, one result set after another. */
#include "app/report_answer.h"

#include "app/report_rows.h"

#include <string.h>

/* Reports read stored sums, so starting parallel workers would take more time than the workers save. */
static const char settings[] = "SET LOCAL work_mem = '64MB';"
			       " SET LOCAL max_parallel_workers_per_gather = 0;"
			       " SET LOCAL jit = off";

bool
report_answer_begin(struct db *db, int64_t timeout_ms, struct error *err)
{
	return db_begin_snapshot(db, err) && db_set_timeout(db, timeout_ms, err) &&
	       db_exec(db, settings, err);
}

bool
report_check_suppressions(const struct report *r, struct error *err)
{
	if (report_takes(r, REPORT_EXCLUDED_OBJECTS) || report_takes(r, REPORT_EXCLUDED_ERRORS) ||
		strcmp(r->name, "suppressions") == 0)
		return true;
	error_set(err, ERROR_USAGE, "report %s does not apply suppressions", r->name);
	return error_hint(err, "the leaks, errors and suppressions reports do");
}

static bool
open_suppressions(struct db *db, const struct report *r, struct report_request *q,
	const struct suppressions_request *wanted, struct error *err)
{
	struct error refused = ERROR_INIT;

	if (report_check_suppressions(r, &refused)) {
		q->suppressions = suppressions_open(db, wanted, err);
		return q->suppressions != NULL;
	}
	if ((!wanted->files || !wanted->files->count) && !wanted->none && !wanted->standard)
		return true;
	*err = refused;
	return false;
}

const struct report *
report_answer_prepare(struct db *db, struct arena *a, const struct report *r, bool by_asked,
	struct report_request *q, const struct suppressions_request *suppressions,
	struct error *err)
{
	if (!by_asked)
		r = report_for_sets(db, a, r, q, err);
	if (r)
		r = report_rows_shape(db, a, r, q, err);
	return r && open_suppressions(db, r, q, suppressions, err) ? r : NULL;
}

bool
report_answer_write(struct db *db, const struct report *r, struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	struct table_head head;

	report_head(r, &head);
	if (!sink->begin(sink, &head, err))
		return false;
	if (report_takes(r, REPORT_INST_IDS))
		return report_rows_run(db, r, q, sink, err) && sink->end(sink, err);
	for (size_t i = 0; i < q->inst_id_count; i++) {
		q->inst_id = q->inst_ids[i];
		if (!report_rows_run(db, r, q, sink, err))
			return false;
	}
	return sink->end(sink, err);
}

bool
report_answer_listed(struct db *db, struct arena *a, const struct result_set_filter *f,
	struct report_request *q, struct error *err)
{
	struct db_result *r = result_sets_list(db, f, err);
	int64_t *ids;
	size_t rows;

	if (!r)
		return false;
	rows = db_result_rows(r);
	ids = arena_alloc_array(a, rows, sizeof(*ids));
	for (size_t i = 0; i < rows; i++)
		ids[i] = db_result_int64(r, i, RESULT_SET_INST_ID, 0);
	db_result_free(r);
	q->inst_ids = ids;
	q->inst_id_count = rows;
	if (rows)
		return true;
	error_set(err, ERROR_NOT_FOUND, "no result set passes the filters");
	return error_hint(err, "\"profdepot list\" shows the result sets and their labels");
}
