/* Sends one COPY over a connection without blocking. */
#include "copy_private.h"

#include "base/disk_budget.h"

#include <errno.h>
#include <poll.h>

enum {
	MAX_STATEMENT = 2048,
	PIECE_BYTES = 64 * 1024, /* libpq's buffer grows to the size of the largest piece */
};

static bool
fail(struct db *db, const PGresult *result, struct error *failure)
{
	if (failure->code == ERROR_NONE)
		db_server_error(db, result, failure);
	return false;
}

/* Waits until the socket can be read. If `write` is true, waits until it can be read or written to. */
static bool
wait_socket(struct db *db, bool write, struct error *failure)
{
	struct pollfd p = { .fd = PQsocket(db->conn), .events = POLLIN };

	if (write)
		p.events |= POLLOUT;
	while (poll(&p, 1, -1) < 0)
		if (errno != EINTR)
			return fail(db, NULL, failure);
	if ((p.revents & ~POLLOUT) && !PQconsumeInput(db->conn))
		return fail(db, NULL, failure);
	return true;
}

static bool
flush_all(struct db *db, struct error *failure)
{
	for (;;) {
		int left = PQflush(db->conn);

		if (left < 0)
			return fail(db, NULL, failure);
		if (left == 0)
			return true;
		if (!wait_socket(db, true, failure))
			return false;
	}
}

/* Waits for the next result, which is NULL at the end of the statement. */
static bool
next_result(struct db *db, PGresult **result, struct error *failure)
{
	if (!flush_all(db, failure))
		return false;
	while (PQisBusy(db->conn))
		if (!wait_socket(db, false, failure))
			return false;
	*result = PQgetResult(db->conn);
	return true;
}

/* Reads the statement's remaining results, which must all have this status. */
static bool
finish_statement(struct db *db, ExecStatusType expected, struct error *failure)
{
	bool ok = true;
	PGresult *result;

	for (;;) {
		if (!next_result(db, &result, failure))
			return false;
		if (!result)
			return ok;
		if (PQresultStatus(result) != expected && ok)
			ok = fail(db, result, failure);
		PQclear(result);
	}
}

static bool
begin_copy(struct db *db, const struct copy_relation *r, struct error *failure)
{
	char sql[MAX_STATEMENT];
	PGresult *result;
	bool ok;

	snprintf(sql, sizeof(sql), "COPY profdepot.%s (%s) FROM STDIN (FORMAT binary)", r->name,
		r->columns);
	if (!PQsendQuery(db->conn, sql))
		return fail(db, NULL, failure);
	if (!next_result(db, &result, failure))
		return false;
	ok = result && PQresultStatus(result) == PGRES_COPY_IN;
	if (!ok)
		fail(db, result, failure);
	PQclear(result);
	if (!ok)
		finish_statement(db, PGRES_COMMAND_OK, failure);
	return ok;
}

static bool
put_rows(struct db *db, const uint8_t *data, size_t size)
{
	static const uint8_t trailer[2] = { 0xFF, 0xFF };

	while (size) {
		size_t n = size < PIECE_BYTES ? size : PIECE_BYTES;

		if (PQputCopyData(db->conn, (const char *)data, (int)n) != 1)
			return false;
		data += n;
		size -= n;
	}
	return PQputCopyData(db->conn, (const char *)trailer, sizeof(trailer)) == 1 &&
	       PQputCopyEnd(db->conn, NULL) == 1;
}

bool
copy_rows(struct db *db, const struct copy_relation *r, const uint8_t *data, size_t size,
	struct error *failure)
{
	bool put;

	if (!disk_budget_take(size, failure) || !begin_copy(db, r, failure))
		return false;
	put = put_rows(db, data, size);
	/* Finish the statement even if put_rows failed, because the server's error states the reason. */
	return finish_statement(db, PGRES_COMMAND_OK, failure) && (put || fail(db, NULL, failure));
}
