/*
 * A rowset over result sets of the depot: AQTime's eleven relations as they were exported, and
 * additional tables of the depot.
 *
 * Columns are the documented ones, in upper case and in the documented order; rows are sorted by
 * result set and ID. RESOURCE_PROFILER_CALL_STACK has COL_LINERID only if an error's stack has call
 * lines. INST_ID is the exporter's number if every result set has a different one; otherwise it is
 * the depot's number.
 *
 * Further tables, PROFDEPOT_*, contain what AQTime's tables have no columns for. PROFDEPOT_LABELS
 * is always listed, the others only if they have rows. Together, the tables contain the whole
 * result set.
 */
#ifndef PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H
#define PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H

#include "db/connection.h"
#include "model/rowset.h"

struct depot_rowset;

/*
 * The caller must begin a snapshot first (db_begin_snapshot), and end it after depot_rowset_free.
 * All readers use this connection; several may be open at once. NULL on error: ERROR_NOT_FOUND for
 * an unknown INST_ID, ERROR_USAGE if one is repeated.
 *
 * Memory: each reader of a call stack relation holds the distinct stacks of one result set at a time.
 * For stacks that SQL wrote, the server sorts the frames instead.
 */
struct depot_rowset *depot_rowset_new(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);
void depot_rowset_free(struct depot_rowset *s);

struct rowset *depot_rowset_interface(struct depot_rowset *s);

#endif
