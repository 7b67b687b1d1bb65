/* A server-side cursor, read row by row. Several cursors can be open on one connection, and each
 * keeps one batch of rows in memory. */
#ifndef PROFDEPOT_DB_CURSOR_H
#define PROFDEPOT_DB_CURSOR_H

#include "db/connection.h"
#include "model/rowset.h"

struct cursor {
	struct db *db;
	unsigned number; /* part of the cursor's name */
	bool open;
	struct db_result *batch;
	size_t row; /* index of the next row in the batch */
};

/* Opens a cursor for the query. The connection must be in a transaction. Call cursor_end even if cursor_begin fails. */
bool cursor_begin(struct cursor *c, struct db *db, unsigned number, const char *sql,
	const char *const *params, size_t param_count, struct error *err);
void cursor_end(struct cursor *c);

/* If the result is ROW_READ, *row is the index of the row in c->batch. The batch is valid until the
 * next call. */
enum row_status cursor_next(struct cursor *c, size_t *row, struct error *err);

#endif
