/*
 * Facts of result sets (analysis/facts.h) out of the depot, as filters leave
 * them: what comparisons, trends and budgets share.
 */
#ifndef PROFDEPOT_APP_FACTS_H
#define PROFDEPOT_APP_FACTS_H

#include "analysis/facts.h"
#include "app/suppressions.h"
#include "report/report.h"
#include "store/tree/depot_tree.h"

struct db;

/* What a metric of a result set is about. */
struct facts_metric {
	enum facts_family family;
	const char *name; /* objects of both metrics: live_count */
	struct text unit; /* of the values; model/measures.h has the words */
	bool value_first; /* it is the values that were asked for */
	bool present[FACTS_SIDES];
};

struct facts_question {
	int64_t inst_id;
	const struct facts_metric *metric;
	const struct report_request *filters; /* class, module, routine, thread, name */
	const char *get_number;               /* of objects: only this Get #; NULL: all */
	bool each;                            /* of objects: each by itself */
	struct suppressions *suppressions;    /* of objects and errors; NULL: none */
};

/*
 * Finds it by name: one that `inst_id` or `base_id` (0: none) has, "objects"
 * for live_count. NULL: objects where there are any, else the first that one of them
 * has. ERROR_NOT_FOUND when neither has it, ERROR_USAGE when units differ.
 * When name is NULL and both are empty: objects, absent from both.
 */
bool facts_find_metric(struct db *db, struct arena *a, int64_t inst_id, int64_t base_id,
	const char *name, struct facts_metric *metric, struct error *err);

/* In the caller's snapshot; what suppressions hide is left out, and counted in
 * *hidden (added to; may be NULL). ERROR_USAGE for a filter that the family knows nothing of. */
bool facts_load(struct db *db, struct facts *f, enum facts_side side,
	const struct facts_question *q, struct suppress_use *hidden, struct error *err);

/* Whose the frames are (facts_own_frames); without globs own is what is neither an allocator's
 * nor the system's, as the SQL functions is_system_frame and is_allocator_frame tell. */
bool facts_find_own(struct db *db, struct arena *a, const struct facts *f,
	const struct option_list *globs, unsigned char **own, struct error *err);

/* As columns of a table have it. */
enum table_unit facts_table_unit(struct text unit);

#endif
