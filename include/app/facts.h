/* Loads the facts of a result set (analysis/facts.h) for comparisons, trends and budgets. Filters can
 * select facts. */
#ifndef PROFDEPOT_APP_FACTS_H
#define PROFDEPOT_APP_FACTS_H

#include "analysis/facts.h"
#include "app/suppressions.h"
#include "report/report.h"
#include "store/tree/depot_tree.h"

struct db;

/* A metric of a result set. */
struct facts_metric {
	enum facts_family family;
	const char *name;      /* "live_count" if "objects" was requested */
	struct text unit;      /* unit of the values; one of the words in model/measures.h */
	const char *aggregate; /* how a gauge is aggregated; NULL for other metrics */
	bool value_first;      /* the request asks for values, not counts */
	bool shows_count;      /* the chosen metric is a count, so pictures show counts */
	bool present[FACTS_SIDES];
};

struct facts_question {
	int64_t inst_id;
	const struct facts_metric *metric;
	const struct report_request *filters; /* class, module, routine, thread and name filters */
	const char *get_number;               /* only objects with this Get #; NULL: all */
	bool each;                            /* for objects: load one fact per object */
	struct suppressions *suppressions;    /* applied to objects and errors; may be NULL */
};

/*
 * Finds a metric of `inst_id` or `base_id` (may be 0) by its name; "objects" means live_count. If name
 * is NULL, chooses objects if there are any, or else the first metric. If both result sets are
 * empty, chooses objects and sets `present` to false. Fails with ERROR_NOT_FOUND if neither result set
 * has the metric, and with ERROR_USAGE if its units in the two result sets differ.
 */
bool facts_find_metric(struct db *db, struct arena *a, int64_t inst_id, int64_t base_id,
	const char *name, struct facts_metric *metric, struct error *err);

/* Runs in the caller's snapshot. Skips suppressed facts and adds them to *hidden (may be NULL). Fails
 * with ERROR_USAGE if a filter does not apply to these facts. */
bool facts_load(struct db *db, struct facts *f, enum facts_side side,
	const struct facts_question *q, struct suppress_use *hidden, struct error *err);

/* Sets ERROR_USAGE: the result sets have different units for the metric. Returns false. */
bool facts_refuse_units(struct text metric, struct text unit, struct text other, struct error *err);

/* Returns the unit of a table column for values of a metric with this unit. */
enum table_unit facts_table_unit(struct text unit);

/* Returns the word for the unit of a metric's values: `unit`, or the metric's name if it has no unit, as in "5 samples". */
struct text facts_unit_word(struct text unit, struct text metric);

#endif
