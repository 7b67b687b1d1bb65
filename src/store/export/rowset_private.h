/*
 * What the readers of the depot's rowset share.
 */
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
	struct rowset interface; /* first: readers come back from it */
	struct arena arena;
	struct db *db;
	struct exported_set *sets;
	size_t set_count;
	unsigned cursors; /* numbers given out */
	bool error_lines; /* of any of the sets */
	const char **tables;
	const struct depot_table *const *table_rows; /* beside tables */
};

struct depot_table {
	const char *name;
	const char *sql;    /* all of its rows, by ID */
	const char *owners; /* of a call stack relation: who has stacks; else NULL */
};

/* The reader of a call stack relation, unfolding stacks from memory. */
struct row_reader *frame_reader_new(
	struct depot_rowset *s, const struct depot_table *table, struct error *err);

/* table_reader.c: begins c on a table's query for one set. */
bool depot_cursor_begin(struct depot_rowset *s, struct cursor *c, const char *sql_name, size_t set,
	struct error *err);

/* The reader of any table straight from its query. */
struct row_reader *table_reader_new(
	struct depot_rowset *s, const struct depot_table *table, struct error *err);

#endif
