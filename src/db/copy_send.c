#include "copy_private.h"

#include <errno.h>
#include <poll.h>

enum {
	MAX_STATEMENT = 2048
};

static bool
fail(struct copier *c, const PGresult *result)
{
	if (c->failure.code == ERROR_NONE)
		db_server_error(c->db, result, &c->failure);
	return false;
}

/* Waits for the socket: to read always, to write while there is something to. */
static bool
wait_socket(struct copier *c, bool write)
{
	struct pollfd p = { .fd = PQsocket(c->db->conn), .events = POLLIN };

	if (write)
		p.events |= POLLOUT;
	while (poll(&p, 1, -1) < 0)
		if (errno != EINTR)
			return fail(c, NULL);
	if ((p.revents & ~POLLOUT) && !PQconsumeInput(c->db->conn))
		return fail(c, NULL);
	return true;
}

static bool
flush_all(struct copier *c)
{
	for (;;) {
		int left = PQflush(c->db->conn);

		if (left < 0)
			return fail(c, NULL);
		if (left == 0)
			return true;
		if (!wait_socket(c, true))
			return false;
	}
}

void
copier_pump(struct copier *c)
{
	/* An error shows again, with its reason, when the COPY is waited for. */
	if (PQflush(c->db->conn) > 0)
		PQconsumeInput(c->db->conn);
}

/* The next result once it is there; NULL at the end of the statement. */
static bool
next_result(struct copier *c, PGresult **result)
{
	if (!flush_all(c))
		return false;
	while (PQisBusy(c->db->conn))
		if (!wait_socket(c, false))
			return false;
	*result = PQgetResult(c->db->conn);
	return true;
}

/* Reads results to the end of the statement; all must have this status. */
static bool
finish_statement(struct copier *c, ExecStatusType expected)
{
	bool ok = true;
	PGresult *result;

	for (;;) {
		if (!next_result(c, &result))
			return false;
		if (!result)
			return ok;
		if (PQresultStatus(result) != expected && ok)
			ok = fail(c, result);
		PQclear(result);
	}
}

bool
copier_wait(struct copier *c)
{
	bool ok;

	if (!c->sending)
		return c->failure.code == ERROR_NONE;
	ok = finish_statement(c, PGRES_COMMAND_OK);
	c->sending = false;
	c->db->in_copy = false;
	PQsetnonblocking(c->db->conn, 0);
	return ok && c->failure.code == ERROR_NONE;
}

static bool
begin_copy(struct copier *c, const struct copy_relation *r)
{
	char sql[MAX_STATEMENT];
	PGresult *result;
	bool ok;

	snprintf(sql, sizeof(sql), "COPY profdepot.%s (%s) FROM STDIN (FORMAT binary)", r->name,
		r->columns);
	if (PQsetnonblocking(c->db->conn, 1) != 0 || !PQsendQuery(c->db->conn, sql))
		return fail(c, NULL);
	if (!next_result(c, &result))
		return false;
	ok = result && PQresultStatus(result) == PGRES_COPY_IN;
	if (!ok)
		fail(c, result);
	PQclear(result);
	if (!ok)
		finish_statement(c, PGRES_COMMAND_OK);
	return ok;
}

bool
copier_send(struct copier *c, size_t relation)
{
	struct copy_buffer *b = &c->buffers[relation];
	static const uint8_t trailer[2] = { 0xFF, 0xFF };
	PGconn *conn = c->db->conn;

	if (!copier_wait(c) || !db_ready(c->db, &c->failure) ||
		!begin_copy(c, &c->relations[relation]))
		return false;
	c->db->in_copy = true;
	c->sending = true;
	if (PQputCopyData(conn, (const char *)b->data, (int)b->size) != 1 ||
		PQputCopyData(conn, (const char *)trailer, sizeof(trailer)) != 1 ||
		PQputCopyEnd(conn, NULL) != 1)
		return fail(c, NULL);
	c->sent_bytes += (int64_t)b->size;
	b->size = 0;
	return true;
}
