/* Shared by the readers of the depot's rowset. */
#ifndef PROFDEPOT_STORE_EXPORT_ROWSET_PRIVATE_H
#define PROFDEPOT_STORE_EXPORT_ROWSET_PRIVATE_H

#include "base/arena.h"
#include "store/cursor.h"
#include "store/export/depot_rowset.h"

struct exported_set {
	int64_t inst_id;
	int64_t source_inst_id;
	bool has_source; /* source_inst_id is known */
	int64_t number;  /* INST_ID as written */
	bool has_blocks;
	bool error_lines;
	bool private_stacks;
};

struct depot_rowset {
	struct rowset interface; /* must be first: callbacks cast the interface to this struct */
	struct arena arena;
	struct db *db;
	struct exported_set *sets;
	size_t set_count;
	unsigned cursors; /* numbers given out */
	bool error_lines; /* of any of the sets */
	const char **tables;
	const struct depot_table *const *table_rows; /* by table index */
};

struct depot_table {
	const char *name;
	const char *sql; /* reads all rows of the table, sorted by ID */
	/* For a call stack relation: reads the stack owners; otherwise NULL. */
	const char *owners;
};

/* The reader of a call stack relation, which unfolds stacks in memory. */
struct row_reader *frame_reader_new(
	struct depot_rowset *s, const struct depot_table *table, struct error *err);

/* table_reader.c: begins c on a table's query for one set. */
bool depot_cursor_begin(struct depot_rowset *s, struct cursor *c, const char *sql_name, size_t set,
	struct error *err);

/* The reader of a table that returns the rows of its query. */
struct row_reader *table_reader_new(
	struct depot_rowset *s, const struct depot_table *table, struct error *err);

#endif
