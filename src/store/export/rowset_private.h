/* Shared by the readers of the depot's rowset. */
#ifndef PROFDEPOT_STORE_EXPORT_ROWSET_PRIVATE_H
#define PROFDEPOT_STORE_EXPORT_ROWSET_PRIVATE_H

#include "base/arena.h"
#include "db/cursor.h"
#include "model/row_tables.h"
#include "store/export/depot_rowset.h"

struct exported_set {
	int64_t inst_id;
	int64_t number; /* the INST_ID in the export */
};

struct depot_rowset {
	struct rowset interface; /* must be first: callbacks cast the interface to this struct */
	struct arena arena;
	struct db *db;
	struct exported_set *sets;
	size_t set_count;
	unsigned cursors; /* number of cursors opened so far */
	/* Each is true if at least one result set has this property; see export_sets.sql. */
	bool error_lines, private_stacks;
	const char **tables;
	const struct depot_table *table_rows; /* same index as tables */
};

struct depot_table {
	const char *name;
	const char *sql; /* reads all rows of the table, sorted by ID */
	/* For a call stack relation: the name of the query for the stack owners; otherwise NULL. */
	const char *owners;
	const struct row_table *rows; /* if not NULL, the query is made from this declaration */
	bool always;                  /* a table of profdepot that is listed even if it is empty */
};

/* Returns a reader for a call stack relation. The reader unfolds stacks in memory. */
struct row_reader *frame_reader_new(
	struct depot_rowset *s, const struct depot_table *table, struct error *err);

/* depot_rowset.c: runs a query on these result sets, and lets the planner optimise for cursors that
 * read all rows. Fails with ERROR_USAGE if no result set is given, or if one is given twice. */
struct db_result *export_query_sets(
	struct db *db, const char *name, const int64_t *inst_ids, size_t count, struct error *err);

/* own_tables.c: returns the query for one of profdepot's own tables. */
const char *own_table_sql(struct arena *a, const struct row_table *t);

/* table_reader.c: opens the cursor c with a table's query for one set. */
bool depot_cursor_begin(
	struct depot_rowset *s, struct cursor *c, const char *sql, size_t set, struct error *err);

/* Returns a reader for a table whose query returns exactly the rows of the table. */
struct row_reader *table_reader_new(
	struct depot_rowset *s, const struct depot_table *table, struct error *err);

#endif
