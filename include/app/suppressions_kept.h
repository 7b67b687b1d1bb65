/* Changes the suppressions in the depot (store/suppressions.h), for the command line and the service. */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_KEPT_H
#define PROFDEPOT_APP_SUPPRESSIONS_KEPT_H

#include "analysis/suppress.h"
#include "db/connection.h"

#include <stdio.h>

/* Values for every added suppression; members may be NULL. */
struct suppressions_given {
	const char *reason, *author;
	const char *expires; /* a day, such as 2026-12-31 */
	/* Called for each suppression, before the commit. */
	bool (*added)(void *self, int64_t id, bool is_new, struct text name, struct error *err);
	void *self;
};

/* Adds or updates all suppressions of the list in one transaction. */
bool suppressions_keep(struct db *db, const struct suppress_list *list,
	const struct suppressions_given *given, struct error *err);

/* Fails with ERROR_USAGE unless s is a day such as 2026-12-31. */
bool suppressions_check_day(const char *s, struct error *err);

/* Writes the rows of suppressions_query as a file that valgrind, the sanitizers and --suppressions
 * read. Skips expired suppressions. */
void suppressions_write_file(FILE *out, const struct db_result *rows);

#endif
