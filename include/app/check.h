/*
 * A check: budgets held against a result set. What the command line and the
 * service share.
 */
#ifndef PROFDEPOT_APP_CHECK_H
#define PROFDEPOT_APP_CHECK_H

#include "analysis/budget.h"
#include "model/check.h"

struct db;
struct suppressions;
struct suppressions_request;

struct check_request {
	int64_t inst_id;
	int64_t base_id; /* 0: compared with nothing */
	const struct budget_list *budgets;
	const struct option_list *own;     /* more of them than the budget file names; NULL */
	struct suppressions *suppressions; /* NULL: none */
};

/* In the caller's snapshot; everything in the arena. NULL on error: a broken
 * budget and one that cannot be judged are none. */
const struct check *check_run(
	struct db *db, struct arena *a, const struct check_request *q, struct error *err);

/* The same by names (store/set_names.h), base NULL: none; q's own numbers and suppressions are
 * not looked at. */
const struct check *check_named(struct db *db, struct arena *a, const char *set, const char *base,
	const struct check_request *q, const struct suppressions_request *suppressions,
	struct error *err);

#endif
