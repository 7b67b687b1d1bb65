/* Verifies stored result sets, and finds rows without a result set. */
#ifndef PROFDEPOT_STORE_VERIFY_H
#define PROFDEPOT_STORE_VERIFY_H

#include "db/connection.h"

/* Columns of result_set_verify. Columns that do not apply to the reported difference are NULL. */
enum verify_row {
	VERIFY_RELATION,
	/* rows, sum_of_ids, sum_of_values, total_count, total_value, owner, tree, identity,
	 * line_identity, checksum, orphans */
	VERIFY_DIFFERENCE,
	VERIFY_NAME,  /* name of a metric or of a kind of owner */
	VERIFY_ID,    /* ID of a class, an owner or a stack */
	VERIFY_PLACE, /* the stack of a total, or the position of a further stack */
	VERIFY_RECORDED,
	VERIFY_FOUND
};

/* Compares row counts and sums with the recorded ones. Compares totals with the facts, and identities
 * with the names. If `deep` is true, also compares the checksums of all rows with the recorded ones.
 * Returns one row per difference, but at most 100 rows each for totals, owners and identities. NULL on
 * error. */
struct db_result *result_set_verify(struct db *db, int64_t inst_id, bool deep, struct error *err);

/* *has becomes true if the result set has recorded checksums, otherwise false. A load or a reindex writes them when it
 * closes the result set. An SQL statement that opens the result set deletes them. */
bool result_set_has_checksums(struct db *db, int64_t inst_id, bool *has, struct error *err);

/* The INST_IDs that occur in other relations but not in instances. */
struct db_result *orphans_list(struct db *db, struct error *err);
/* Counts the rows of an INST_ID from orphans_list, by relation. The columns are those of result_set_verify. */
struct db_result *orphans_verify(struct db *db, const char *inst_id, struct error *err);

#endif
