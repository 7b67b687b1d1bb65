/* The budgets that the depot contains (store/budgets.h), for the command line and the service. */
#ifndef PROFDEPOT_APP_KEPT_BUDGETS_H
#define PROFDEPOT_APP_KEPT_BUDGETS_H

#include "analysis/budget.h"
#include "db/connection.h"

struct kept_budgets {
	const char *application; /* not NULL; empty: all without their own budgets */
	const char *author;      /* may be NULL */
	const char *source;      /* the name of the document in messages */
	struct text document;    /* a budget file */
	int64_t replaced;        /* the version that it replaces; see budgets_store */
};

enum {
	KEPT_BUDGETS_MAX_NAME = 1000,       /* bytes of an application or an author */
	KEPT_BUDGETS_MAX_BYTES = 256 * 1024 /* of a document */
};

/* Checks the document, stores it and sets *version to its version. If the depot has another version than `replaced`, sets
 * *version to BUDGETS_NO_VERSION and fails with ERROR_USAGE. In all other cases of failure, *version is
 * BUDGETS_ANY_VERSION. Fails with ERROR_LIMIT if the document is too large, and with the errors of
 * budget_file_parse. */
bool kept_budgets_store(struct db *db, struct arena *a, const struct kept_budgets *b,
	int64_t *version, struct error *err);

/* Returns the budgets that apply to a result set: those of its application, or else those for applications that have no
 * budgets of their own. Fails with ERROR_NOT_FOUND if the depot has neither. The list is in the arena. */
const struct budget_list *kept_budgets_of(
	struct db *db, struct arena *a, int64_t inst_id, struct error *err);

#endif
