/* The suppressions of the depot and of a result set, and the facts to which they apply.
 * analysis/suppress.h defines what a suppression means. */
#ifndef PROFDEPOT_STORE_SUPPRESSIONS_H
#define PROFDEPOT_STORE_SUPPRESSIONS_H

#include "base/arena.h"
#include "db/connection.h"
#include "model/suppress_facts.h"

/* Columns of suppressions_query. */
enum suppression_row {
	SUPPRESSION_ROW_ID,
	SUPPRESSION_ROW_NAME,
	SUPPRESSION_ROW_SYNTAX, /* valgrind, lsan */
	SUPPRESSION_ROW_PATTERN,
	SUPPRESSION_ROW_REASON,
	SUPPRESSION_ROW_AUTHOR,
	SUPPRESSION_ROW_CREATED,
	SUPPRESSION_ROW_EXPIRES, /* YYYY-MM-DD, the last day; NULL if it never expires */
	SUPPRESSION_ROW_STATE    /* active, expired */
};

/* All the depot's suppressions, sorted by number. NULL on error. */
struct db_result *suppressions_query(struct db *db, struct error *err);

struct stored_suppression {
	const char *name, *syntax, *pattern;
	const char *reason, *author, *expires; /* may be NULL */
};

/* Adds the suppression, or updates the suppression with the same pattern. Fails with ERROR_USAGE if
 * expires is not a date. */
bool suppressions_add(struct db *db, const struct stored_suppression *s, int64_t *id, bool *is_new,
	struct error *err);

/* Removes these suppressions. If one is missing, removes nothing and fails with ERROR_NOT_FOUND. */
bool suppressions_remove(struct db *db, const int64_t *ids, size_t count, struct error *err);

/* Returns the suppressions that the profiler wrote to the input file but did not apply, because it applies them
 * only when it prints its results. Columns: pattern, file, name. NULL on error. */
struct db_result *suppressions_own(struct db *db, int64_t inst_id, struct error *err);

/* Columns of suppressions_used. */
enum used_row {
	USED_ROW_NAME,
	USED_ROW_KIND,
	USED_ROW_SYNTAX,
	USED_ROW_FILE,
	USED_ROW_COUNT,
	USED_ROW_BLOCKS,
	USED_ROW_BYTES,
	USED_ROW_PATTERN
};

/* The suppressions that the profiler applied. The leaks and errors that they matched are not in the
 * result set. */
struct db_result *suppressions_used(struct db *db, int64_t inst_id, struct error *err);

/* Reads the result set's leaks and errors into the arena, with source lines only if `lines` is true. */
bool suppress_facts_read(struct db *db, struct arena *a, int64_t inst_id, bool lines,
	struct suppress_facts *facts, struct error *err);

/* Finds the objects with these stacks and leak kinds (SQL arrays as text), and passes their IDs to `each`. */
bool suppressed_objects(struct db *db, const char *inst_id, const char *stacks, const char *kinds,
	db_row_fn *each, void *self, struct error *err);

#endif
