/*
 * A rowset over result sets of the depot. It has AQTime's eleven relations, as in an export of AQTime, and
 * additional tables of the depot.
 *
 * The columns have the names and the order of AQTime's documentation, in upper case. Rows are sorted
 * by result set and ID. RESOURCE_PROFILER_CALL_STACK has the column COL_LINERID only if the stack of
 * some error has source lines. INST_ID is the number that the result set had in the loaded input, if no
 * other exported result set has this number. Otherwise it is the number in the depot.
 *
 * The additional tables, PROFDEPOT_*, contain the values for which AQTime's tables have no columns.
 * PROFDEPOT_LABELS is always listed; the others are listed only if they have rows. Together, all
 * tables contain the whole result set.
 */
#ifndef PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H
#define PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H

#include "db/connection.h"
#include "model/rowset.h"

struct depot_rowset;

/*
 * The caller must begin a snapshot first (db_begin_snapshot), and end it after depot_rowset_free.
 * All readers use the connection `db`; several may be open at the same time. NULL on error: ERROR_NOT_FOUND for
 * an unknown INST_ID, ERROR_USAGE for a repeated INST_ID.
 *
 * A reader of a call stack relation keeps the distinct stacks of one result set in memory. Stacks that were
 * written with SQL statements are not kept; the server sorts their frames instead.
 */
struct depot_rowset *depot_rowset_new(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);
void depot_rowset_free(struct depot_rowset *s);

struct rowset *depot_rowset_interface(struct depot_rowset *s);

#endif
