/* Reads rows by binary COPY, to compare their sum with the sum of the rows that a load sent. */
#include "copy_private.h"

#include "base/strbuf.h"

enum {
	HEADER_BYTES = 19,
	STATEMENT_MAX_BYTES = 64 * 1024,
};

/* Adds the row in a COPY message to the sum. The header is in the message of the first row, or in a
 * message of its own. A message with the column count -1 marks the end. */
static void
add_message(const uint8_t *data, size_t size, bool first, struct hash128 *sum)
{
	static const uint8_t end[] = { 0xFF, 0xFF };

	if (first && size >= HEADER_BYTES) {
		data += HEADER_BYTES;
		size -= HEADER_BYTES;
	}
	if (size && (size != sizeof(end) || memcmp(data, end, sizeof(end)) != 0))
		hash128_add(sum, hash128(data, size));
}

/* Reads the statement's results to their end, so that the connection can be used again. */
static bool
finish(struct db *db, bool ok, struct error *err)
{
	PGresult *r;

	while ((r = PQgetResult(db->conn))) {
		if (ok && PQresultStatus(r) != PGRES_COMMAND_OK)
			ok = db_server_error(db, r, err);
		PQclear(r);
	}
	return ok;
}

static bool
sum_messages(struct db *db, struct hash128 *sum, struct error *err)
{
	bool first = true;
	char *data;
	int size;

	while ((size = PQgetCopyData(db->conn, &data, false)) > 0) {
		add_message((const uint8_t *)data, (size_t)size, first, sum);
		first = false;
		PQfreemem(data);
	}
	return finish(db, size == -1 || db_server_error(db, NULL, err), err);
}

static bool
sum_rows(struct db *db, const char *statement, struct hash128 *sum, struct error *err)
{
	PGresult *r = PQexec(db->conn, statement);
	bool ok = PQresultStatus(r) == PGRES_COPY_OUT || db_server_error(db, r, err);

	PQclear(r);
	return ok && sum_messages(db, sum, err);
}

bool
copy_sum_rows(struct db *db, const char *select, struct hash128 *sum, struct error *err)
{
	struct strbuf statement;
	bool ok;

	if (!db_ready(db, err))
		return false;
	strbuf_init(&statement, STATEMENT_MAX_BYTES);
	strbuf_printf(&statement, "COPY (%s) TO STDOUT (FORMAT binary)", select);
	ok = sum_rows(db, strbuf_str(&statement), sum, err);
	strbuf_release(&statement);
	return ok;
}
