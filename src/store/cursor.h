/*
 * A server-side cursor, read row by row: several may be open on one
 * connection, and memory holds one batch of each.
 */
#ifndef PROFDEPOT_SRC_STORE_CURSOR_H
#define PROFDEPOT_SRC_STORE_CURSOR_H

#include "db/connection.h"
#include "model/rowset.h"

struct cursor {
	struct db *db;
	unsigned number; /* makes its name */
	bool open;
	struct db_result *batch;
	size_t row; /* of the batch, the next one */
};

/* Runs the query with the two parameters, inside a transaction. Call cursor_end also if this
 * fails. */
bool cursor_begin(struct cursor *c, struct db *db, unsigned number, const char *sql,
	const int64_t params[2], struct error *err);
void cursor_end(struct cursor *c);

/* ROW_READ: *row is the row's index in c->batch, valid until the next call. */
enum row_status cursor_next(struct cursor *c, size_t *row, struct error *err);

#endif
