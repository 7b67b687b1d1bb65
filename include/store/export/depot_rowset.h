/*
 * A rowset over result sets of the depot: AQTime's eleven relations as they
 * were exported, and what the depot keeps beyond them.
 *
 * Columns are the documented ones, in upper case and in the documented order;
 * rows come result set by result set, each by ID. COL_LINERID of
 * RESOURCE_PROFILER_CALL_STACK is there only when an error's stack has call
 * lines. INST_ID is the exporter's number where the result sets taken
 * together still have different numbers, else the depot's.
 *
 * Further tables: PROFDEPOT_RESULT_SETS, PROFDEPOT_LABELS, and
 * PROFDEPOT_BLOCKS when an object stands for a group.
 */
#ifndef PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H
#define PROFDEPOT_STORE_EXPORT_DEPOT_ROWSET_H

#include "db/connection.h"
#include "model/rowset.h"

struct depot_rowset;

/*
 * The caller has begun a snapshot (db_begin_snapshot) and ends it after
 * depot_rowset_free; the readers use the connection, several may be open.
 * NULL on error: ERROR_NOT_FOUND for a number that is none, ERROR_USAGE for
 * one given twice.
 *
 * Memory: the distinct stacks of one result set at a time for each reader of
 * a call stack relation; where SQL wrote stacks, the server sorts instead.
 */
struct depot_rowset *depot_rowset_new(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);
void depot_rowset_free(struct depot_rowset *s);

struct rowset *depot_rowset_interface(struct depot_rowset *s);

#endif
