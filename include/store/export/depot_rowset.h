/*
 * A rowset over result sets of the depot: AQTime's eleven relations as they were exported, and the
 * depot's additions.
 *
 * Columns are the documented ones, in upper case and in the documented order;
 * rows are sorted by result set and ID. COL_LINERID of
 * RESOURCE_PROFILER_CALL_STACK exists only if an error's stack has call lines. INST_ID is the
 * exporter's number if these numbers differ for all result sets, otherwise the depot's.
 *
 * Further tables: PROFDEPOT_RESULT_SETS, PROFDEPOT_LABELS, and
 * PROFDEPOT_BLOCKS if an object is a group.
 */
#ifndef PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H
#define PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H

#include "db/connection.h"
#include "model/rowset.h"

struct depot_rowset;

/*
 * The caller must begin a snapshot first (db_begin_snapshot), and end it after
 * depot_rowset_free. All readers use this connection; several may be open at once.
 * NULL on error: ERROR_NOT_FOUND for an unknown number, ERROR_USAGE for a repeated one.
 *
 * Memory: each reader of a call stack relation holds the distinct stacks of one result set at a time.
 * If SQL wrote stacks, the server sorts instead.
 */
struct depot_rowset *depot_rowset_new(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);
void depot_rowset_free(struct depot_rowset *s);

struct rowset *depot_rowset_interface(struct depot_rowset *s);

#endif
