/* A server-side cursor (see db/cursor.h). */
#include "db/cursor.h"

#include "base/strbuf.h"

#include <stdio.h>

enum {
	BATCH_ROWS = 2000,
	STATEMENT_MAX_BYTES = 64 * 1024
};

static bool
fetch(struct cursor *c, struct error *err)
{
	char statement[64];

	snprintf(statement, sizeof(statement), "FETCH FORWARD %d FROM depot_cursor_%u",
		(int)BATCH_ROWS, c->number);
	db_result_free(c->batch);
	c->row = 0;
	c->batch = db_query(c->db, statement, NULL, 0, err);
	return c->batch != NULL;
}

bool
cursor_begin(struct cursor *c, struct db *db, unsigned number, const char *sql,
	const char *const *params, size_t param_count, struct error *err)
{
	struct strbuf statement;
	struct db_result *r;

	*c = (struct cursor){ .db = db, .number = number };
	strbuf_init(&statement, STATEMENT_MAX_BYTES);
	strbuf_printf(&statement, "DECLARE depot_cursor_%u NO SCROLL CURSOR FOR\n", number);
	strbuf_append_str(&statement, sql);
	r = db_query(db, strbuf_str(&statement), params, param_count, err);
	strbuf_release(&statement);
	c->open = r != NULL;
	db_result_free(r);
	return c->open && fetch(c, err);
}

void
cursor_end(struct cursor *c)
{
	struct error ignored = ERROR_INIT;
	char statement[64];

	db_result_free(c->batch);
	c->batch = NULL;
	if (!c->open)
		return;
	/* If the transaction has failed, CLOSE fails, too. This does no harm, because the cursor ends with the
	 * transaction. */
	snprintf(statement, sizeof(statement), "CLOSE depot_cursor_%u", c->number);
	db_exec(c->db, statement, &ignored);
	c->open = false;
}

enum row_status
cursor_next(struct cursor *c, size_t *row, struct error *err)
{
	if (!c->batch)
		return ROW_END;
	if (c->row == db_result_rows(c->batch)) {
		if (c->row < BATCH_ROWS)
			return ROW_END;
		if (!fetch(c, err))
			return ROW_ERROR;
		if (db_result_rows(c->batch) == 0)
			return ROW_END;
	}
	*row = c->row++;
	return ROW_READ;
}
