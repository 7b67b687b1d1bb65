/*
 * Suppressions that the depot keeps, see store/suppressions.h: what the
 * command line and the service share.
 */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_KEPT_H
#define PROFDEPOT_APP_SUPPRESSIONS_KEPT_H

#include "analysis/suppress.h"
#include "db/connection.h"

#include <stdio.h>

/* What is said of all that are added; NULL: nothing. */
struct suppressions_given {
	const char *reason, *author;
	const char *expires; /* as 2026-12-31 */
	/* Told of each, before the commit. */
	bool (*added)(void *self, int64_t id, bool is_new, struct text name, struct error *err);
	void *self;
};

/* Adds or renews all of the list in one transaction. */
bool suppressions_keep(struct db *db, const struct suppress_list *list,
	const struct suppressions_given *given, struct error *err);

/* ERROR_USAGE when it is not written as 2026-12-31. */
bool suppressions_check_day(const char *s, struct error *err);

/* Rows of suppressions_query as a file that valgrind, the sanitizers and --suppressions read;
 * without what has expired. */
void suppressions_write_file(FILE *out, const struct db_result *rows);

#endif
