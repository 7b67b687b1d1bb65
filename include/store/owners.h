/* The versions of the CODEOWNERS file of a depot. analysis/owners.h defines what the file means. */
#ifndef PROFDEPOT_STORE_OWNERS_H
#define PROFDEPOT_STORE_OWNERS_H

#include "base/arena.h"
#include "db/connection.h"

/* Reads the version that was valid at a ledger number; 0 means the newest version. *content is TEXT_NULL
 * if the depot had no file then. The text is in the arena. */
bool owners_load(
	struct db *db, struct arena *a, int64_t ledger_no, struct text *content, struct error *err);

/* Adds a version and sets *ledger_no to its number. Empty content removes the owners. author may be NULL. */
bool owners_store(struct db *db, const char *author, const char *content, int64_t *ledger_no,
	struct error *err);

#endif
