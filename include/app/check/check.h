/* Checks a result set against budgets, for the command line and the service. */
#ifndef PROFDEPOT_APP_CHECK_H
#define PROFDEPOT_APP_CHECK_H

#include "analysis/budget.h"
#include "model/check.h"

struct db;
struct suppressions;
struct suppressions_request;

struct check_request {
	int64_t inst_id;
	int64_t base_id;                   /* 0 means no comparison */
	const struct budget_list *budgets; /* for check_named, NULL means the depot's budgets */
	const struct option_list *own;     /* in addition to the budget file's globs; may be NULL */
	struct suppressions *suppressions; /* may be NULL */
	bool skip_unjudged;                /* treat every budget as optional */
	bool base_optional; /* skip growth budgets if no result set has the base's name */
	/* Also fail on findings that came back, and on new findings. A finding is new if neither the result
	 * set's stream nor its parent stream had it before. For the first run of a stream, `base_optional`
	 * skips this check. */
	bool against_history;
};

/* Checks the result set in the caller's snapshot. The result is in the arena; NULL on error. A budget
 * that is exceeded or cannot be judged is not an error. */
const struct check *check_run(
	struct db *db, struct arena *a, const struct check_request *q, struct error *err);

/* Like check_run, but takes names of result sets (store/set_names.h); base may be NULL. For "run:KEY" it
 * checks all result sets of the run. A budget then passes if it can be judged for at least one of them, no result
 * set exceeds it, and no search was incomplete. Ignores q's inst_id, base_id and suppressions. If
 * the depot's budgets are used, they are those of the first result set. */
const struct check *check_named(struct db *db, struct arena *a, const char *set, const char *base,
	const struct check_request *q, const struct suppressions_request *suppressions,
	struct error *err);

/* Records the verdicts in the depot, for the pages of a server and for "profdepot show". `db` must have the rights of a
 * loader. */
bool check_record(struct db *db, const struct check *c, struct error *err);

#endif
