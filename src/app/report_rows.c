/* Finds the function that makes the rows of a report without a query. */
#include "app/report_rows.h"

#include "app/depot_owners.h"
#include "app/run_gap.h"
#include "store/tree/depot_tree.h"

#include <assert.h>
#include <string.h>

/* If the request has no suppressions, those of the depot and the result sets apply. */
static bool
run_diff(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	const struct suppressions_request usual = { .files = NULL };
	struct suppressions *opened = q->suppressions ? NULL : suppressions_open(db, &usual, err);
	struct report_request filtered = *q;
	uint64_t differences = 0;
	bool ok;

	if (opened)
		filtered.suppressions = opened;
	ok = filtered.suppressions && diff_report_answer(db, r, &filtered, sink, &differences, err);
	suppressions_free(opened);
	return ok;
}

/* Adds notes to the foot of the report. They say what the run did not look for. */
static bool
add_run_notes(struct db *db, struct arena *a, const struct report *r, struct report_request *q,
	struct error *err)
{
	bool summary = strcmp(r->name, "summary") == 0;
	bool leaks = summary || r->facts == REPORT_FACTS_OBJECTS;
	bool errors = summary || r->facts == REPORT_FACTS_ERRORS;
	struct run_gap gaps[RUN_GAPS_MAX + 1];

	if (!run_gaps(db, a, q->inst_id, leaks, errors, gaps, err))
		return false;
	q->gaps = run_gap_list(a, gaps, false);
	q->notes = run_notes(a, run_gap_list(a, gaps, true), q->notes);
	return true;
}

/* Finds the metric of objects that pictures of leaks show by default: sizes or counts. */
static bool
default_of_objects(struct db *db, struct arena *a, int64_t inst_id, struct metric_name *metric,
	struct error *err)
{
	struct depot_metric *metrics;
	size_t count;

	if (!depot_metrics(db, a, inst_id, &metrics, &count, err))
		return false;
	if (count && text_equal(metrics[0].family, TEXT_LITERAL("objects")))
		*metric = (struct metric_name){ .name = metrics[0].name, .unit = metrics[0].unit };
	return true;
}

/* Runs the report's query, and makes it leave out suppressed rows. */
static bool
run_query(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	bool leaks = report_takes(r, REPORT_EXCLUDED_OBJECTS);
	bool errors = report_takes(r, REPORT_EXCLUDED_ERRORS);
	bool summary = strcmp(r->name, "summary") == 0;
	struct report_request left = *q;
	struct arena a = ARENA_INIT;
	struct suppressed hidden;
	bool ok = (r->facts != REPORT_FACTS_OBJECTS || !report_takes(r, REPORT_INST_ID) ||
			  default_of_objects(db, &a, q->inst_id, &left.metric, err)) &&
		  report_owners_prepare(db, &a, r, &left, err);

	if (!ok) {
		arena_release(&a);
		return false;
	}
	if (!q->suppressions || (!leaks && !errors)) {
		if (summary || r->facts == REPORT_FACTS_OBJECTS || r->facts == REPORT_FACTS_ERRORS)
			ok = add_run_notes(db, &a, r, &left, err);
		ok = ok && report_run(db, r, &left, sink, err);
		arena_release(&a);
		return ok;
	}
	ok = suppressions_apply(q->suppressions, db, &a, q->inst_id, &hidden, err);
	if (ok) {
		left.excluded_objects = hidden.objects;
		left.excluded_object_count = hidden.object_count;
		left.excluded_errors = hidden.errors;
		left.excluded_error_count = hidden.error_count;
		left.notes = suppressions_notes(&hidden, &a, leaks, errors);
		if (hidden.list->count)
			left.suppressed = leaks ? &hidden.leak_use : &hidden.error_use;
		ok = add_run_notes(db, &a, r, &left, err) && report_run(db, r, &left, sink, err);
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

/* The functions of the reports without a query. */
static const struct maker {
	const char *name;
	report_shape_fn *shape; /* NULL if the columns are fixed */
	report_rows_fn *run;
} makers[] = {
	{ "diff", diff_report_shape, run_diff },
	{ "trend", NULL, trend_report_run },
	{ "suppressions", NULL, run_suppressions },
	{ "tree", NULL, tree_report_run },
	{ "callers", NULL, tree_report_run },
	{ "hot", NULL, tree_report_run },
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

	return m && m->shape ? m->shape(db, a, r, q, err) : report_owners_shape(db, a, r, err);
}

bool
report_column_may_miss(const struct report *r, const struct table_column *c)
{
	const struct maker *m = find_maker(r);

	return c->owner || (m && m->shape == diff_report_shape && diff_column_may_miss(r, c));
}

bool
report_rows_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	const struct maker *m = find_maker(r);

	return (m ? m->run : run_query)(db, r, q, sink, err);
}
