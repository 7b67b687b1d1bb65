/* The budgets that the depot contains: one budget file (app/budget_file.h) per application. */
#ifndef PROFDEPOT_STORE_BUDGETS_H
#define PROFDEPOT_STORE_BUDGETS_H

#include "base/arena.h"
#include "db/connection.h"

/* Columns of budgets_list. */
enum budgets_column {
	BUDGETS_APPLICATION, /* empty: applications that have no budgets of their own */
	BUDGETS_VERSION,     /* number of the change, from 1 */
	BUDGETS_AUTHOR,      /* may be NULL */
	BUDGETS_CHANGED,     /* time, such as 2026-12-31T12:00:00Z */
	BUDGETS_DOCUMENT     /* JSON */
};

enum {
	BUDGETS_ANY_VERSION = -1,
	BUDGETS_NO_VERSION = 0
};

/* The budgets of one application, or of all applications if `application` is NULL; sorted by application. NULL on
 * error. */
struct db_result *budgets_list(struct db *db, const char *application, struct error *err);

/* The valid document that is stored for an application. */
struct stored_budgets {
	const char *application; /* not NULL; see BUDGETS_APPLICATION */
	const char *author;      /* may be NULL */
	const char *document;
};

/* Stores the document, and sets *version to its version. `replaced` is the version that it replaces: BUDGETS_ANY_VERSION,
 * or BUDGETS_NO_VERSION if the application has no budgets. If the depot has another version, *version is 0, and
 * nothing is stored. */
bool budgets_store(struct db *db, const struct stored_budgets *b, int64_t replaced,
	int64_t *version, struct error *err);

/* Sets ERROR_NOT_FOUND for an application that has no budgets. Returns false. */
bool budgets_missing(const char *application, struct error *err);

/* Fails with ERROR_NOT_FOUND if the application has no budgets. */
bool budgets_remove(struct db *db, const char *application, struct error *err);

/* Finds the document for the application of a result set. Both texts are in the arena. *application is "" if the result
 * set has no application. *document is TEXT_NULL if the depot has no budgets for it. */
bool budgets_of_set(struct db *db, struct arena *a, int64_t inst_id, const char **application,
	struct text *document, struct error *err);

#endif
