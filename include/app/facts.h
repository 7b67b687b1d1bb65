/* Loads the facts of result sets (analysis/facts.h) through filters, for comparisons, trends and budgets. */
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
	const char *name; /* "live_count" means both metrics of objects */
	struct text unit; /* of the values, a word of model/measures.h */
	bool value_first; /* the request is about values, not counts */
	bool present[FACTS_SIDES];
};

struct facts_question {
	int64_t inst_id;
	const struct facts_metric *metric;
	const struct report_request *filters; /* class, module, routine, thread, name */
	const char *get_number;               /* objects: only this Get #; NULL means all */
	bool each;                            /* objects: do not group them */
	struct suppressions *suppressions;    /* objects and errors; NULL if there are none */
};

/*
 * Finds a metric of `inst_id` or `base_id` (may be 0) by its name; "objects" is live_count. If name is
 * NULL, it is objects if there are any, else the first metric; if both result sets are empty, objects,
 * absent from both. ERROR_NOT_FOUND if neither has it, ERROR_USAGE if their units differ.
 */
bool facts_find_metric(struct db *db, struct arena *a, int64_t inst_id, int64_t base_id,
	const char *name, struct facts_metric *metric, struct error *err);

/* Runs in the caller's snapshot. Leaves out what suppressions hide and adds its number to *hidden (may
 * be NULL). ERROR_USAGE for a filter that the family of facts does not have. */
bool facts_load(struct db *db, struct facts *f, enum facts_side side,
	const struct facts_question *q, struct suppress_use *hidden, struct error *err);

/* Finds the program's own frames (facts_own_frames). Without globs these are all but the frames of
 * allocators and the system, by the SQL functions is_allocator_frame and is_system_frame. */
bool facts_find_own(struct db *db, struct arena *a, const struct facts *f,
	const struct option_list *globs, unsigned char **own, struct error *err);

/* The unit of a table's column for a metric's unit. */
enum table_unit facts_table_unit(struct text unit);

#endif
