/* Finds the function that makes the rows of a report without a query. */
#include "app/report_rows.h"

#include "app/diff_report.h"
#include "app/suppressions.h"
#include "app/tree_report.h"
#include "app/trend_report.h"

#include <assert.h>
#include <string.h>

/* Without --suppressions, the suppressions of the depot and the result sets apply. */
static bool
run_diff(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	const struct suppressions_request request = { .files = NULL };
	struct diff_run run = { .suppressions = suppressions_open(db, &request, err) };
	bool ok = run.suppressions && diff_report_answer(db, r, q, sink, &run, err);

	suppressions_free(run.suppressions);
	return ok;
}

/* Runs the report's query without suppressed rows. */
static bool
run_query(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	bool leaks = report_takes(r, REPORT_EXCLUDED_OBJECTS);
	bool errors = report_takes(r, REPORT_EXCLUDED_ERRORS);
	struct report_request left = *q;
	struct arena a = ARENA_INIT;
	struct suppressed hidden;
	bool ok;

	if (!q->suppressions || (!leaks && !errors))
		return report_run(db, r, q, sink, err);
	ok = suppressions_apply(q->suppressions, db, &a, q->inst_id, &hidden, err);
	if (ok) {
		left.excluded_objects = hidden.objects;
		left.excluded_object_count = hidden.object_count;
		left.excluded_errors = hidden.errors;
		left.excluded_error_count = hidden.error_count;
		left.notes = suppressions_notes(&hidden, &a, leaks, errors);
		if (hidden.list->count)
			left.suppressed = leaks ? &hidden.leak_use : &hidden.error_use;
		ok = report_run(db, r, &left, sink, err);
	}
	arena_release(&a);
	return ok;
}

static bool
run_suppressions(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	return suppression_report_run(db, r, q, q->suppressions, sink, err);
}

typedef const struct report *shape_function(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);
typedef bool run_function(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);

/* By the report's name. */
static const struct maker {
	const char *name;
	shape_function *shape; /* NULL if the columns are fixed */
	run_function *run;
} makers[] = {
	{ "diff", diff_report_shape, run_diff },
	{ "trend", trend_report_shape, trend_report_run },
	{ "suppressions", NULL, run_suppressions },
	{ "tree", tree_report_shape, tree_report_run },
	{ "callers", tree_report_shape, tree_report_run },
	{ "hot", tree_report_shape, tree_report_run },
};

static const struct maker *
find_maker(const struct report *r)
{
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (strcmp(makers[i].name, r->name) == 0)
			return &makers[i];
	assert(r->has_query);
	return NULL;
}

const struct report *
report_rows_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err)
{
	const struct maker *m = find_maker(r);

	return m && m->shape ? m->shape(db, a, r, q, err) : r;
}

bool
report_rows_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	const struct maker *m = find_maker(r);

	return (m ? m->run : run_query)(db, r, q, sink, err);
}
