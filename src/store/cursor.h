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

/* Runs the query of that name with $1 = inst_id and $2 = number, inside a
 * transaction. The cursor is closed by cursor_end, also after a failure. */
bool cursor_begin(struct cursor *c, struct db *db, unsigned number, const char *sql_name,
	const int64_t params[2], struct error *err);
void cursor_end(struct cursor *c);

/* ROW_READ: *row is the row's index in c->batch, valid until the next call. */
enum row_status cursor_next(struct cursor *c, size_t *row, struct error *err);

#endif
