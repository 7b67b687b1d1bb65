/* Declarations that the check files share. */
#ifndef PROFDEPOT_APP_CHECK_PRIVATE_H
#define PROFDEPOT_APP_CHECK_PRIVATE_H

#include "app/check/check.h"
#include "app/depot_owners.h"
#include "app/facts.h"
#include "app/run_gap.h"
#include "base/pair_map.h"
#include "model/finding.h"

/* The facts of one metric, which all budgets for this metric use. */
struct loaded {
	struct facts_metric metric;
	const char *name; /* the metric's name in the request */
	struct facts *facts;
	unsigned char *own;
	struct finding_frame *findings; /* one per frame, for the identities of findings */
	struct loaded *next;
};

struct stacks {
	struct check_stack *items;
	size_t count, room;
	struct pair_map map; /* maps a stack's hash to its number */
};

struct checking {
	struct db *db;
	struct arena *arena;
	struct sha256 *sha;
	struct depot_owners owners;
	const struct check_request *request;
	struct option_list own;
	struct loaded *loaded;
	struct stacks stacks;
	struct suppress_use hidden; /* what suppressions hid in the checked result set */
	struct run runs[FACTS_SIDES];
	struct check *check;
	struct check_budget *budgets;
};

/* Merges the checks of several result sets into one check, in the arena. */
const struct check *check_merge(
	struct arena *a, const char *run_key, const struct check *const *checks, size_t count);

/* Returns the number of the row's stack in the check. Adds the stack if it is new. */
size_t check_add_stack(struct checking *c, const struct loaded *l, const struct compare_row *r);

/* Returns the group's label, such as "Bitmap (orders.exe)" or "TSettings.OpenKey". The group of all facts has the
 * label "". */
const char *check_group_label(struct checking *c, const struct loaded *l, const struct budget *b,
	const struct compare_row *group);

/* Describes the breach, such as "34 objects of Registry (Orders.exe), allowed: 10". */
const char *check_breach_text(struct checking *c, const struct loaded *l, const struct budget *b,
	const struct budget_breach *breach, const char *what);

/* check_history.c: checks whether the result set has findings that are new to its stream or came back. */
bool check_against_history(struct checking *c, struct check_budget *out, struct error *err);

#endif
