/* Detects a connection pooler in transaction mode. Such a pooler would give this session's settings
 * to other clients. */
#include "base/clock.h"
#include "base/number.h"
#include "db_private.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
	ANSWER_MS = 3000,
	TRIES = 3,
};

/* Runs `sql`, which selects the number of the server process that runs it. Returns this number; 0 on error. */
static long
server_pid(PGconn *conn, const char *sql)
{
	PGresult *r = PQexec(conn, sql);
	long pid = PQresultStatus(r) == PGRES_TUPLES_OK ? strtol(PQgetvalue(r, 0, 0), NULL, 10) : 0;

	PQclear(r);
	return pid;
}

/* Returns whether the answer to the query on `conn` arrives in time. `conn` is a second connection to the pooler. A
 * pooler in session mode lets this connection wait if no server connection is free. */
static bool
answers_in_time(PGconn *conn)
{
	struct pollfd p = { .fd = PQsocket(conn), .events = POLLIN };
	double end = clock_seconds() + ANSWER_MS / 1000.0;

	while (PQisBusy(conn)) {
		int left = (int)((end - clock_seconds()) * 1000);

		if (left <= 0 || poll(&p, 1, left) == 0 || !PQconsumeInput(conn))
			return false;
	}
	return true;
}

/* Begins a transaction, and returns the number of its server process; 0 on error. */
static long
begin_other(PGconn *other)
{
	PGresult *r;
	long pid = 0;

	if (!PQsendQuery(other, "BEGIN; SELECT pg_catalog.pg_backend_pid()"))
		return 0;
	while (answers_in_time(other) && (r = PQgetResult(other))) {
		if (PQresultStatus(r) == PGRES_TUPLES_OK)
			pid = strtol(PQgetvalue(r, 0, 0), NULL, 10);
		PQclear(r);
	}
	return pid;
}

/*
 * Returns whether the pooler is in transaction mode. In session mode, a client keeps its server process.
 * In transaction mode, the pooler can give the process to another client between two statements. The
 * session then gets a different process, or another connection gets the session's process.
 */
static bool
shares_process(PGconn *conn, long pid)
{
	static const char sql[] = "SELECT pg_catalog.pg_backend_pid()";
	PGconn *other = db_connect_again(conn, NULL, NULL);
	bool shared = false;

	for (int i = 0; i < TRIES && !shared && PQstatus(other) == CONNECTION_OK; i++) {
		long theirs = begin_other(other);

		if (!theirs)
			break;
		shared = theirs == pid || server_pid(conn, sql) != pid;
		PQclear(PQexec(other, "ROLLBACK"));
	}
	PQfinish(other);
	return shared;
}

bool
pooler_check(struct db *db, struct error *err)
{
	long pid = server_pid(db->conn, "SELECT pg_catalog.pg_backend_pid()");

	/* A pooler sends an invented process number to a client that connects. If the client has
	 * received the real number of the server process, there is no pooler. */
	if (!pid || pid == PQbackendPID(db->conn) || !shares_process(db->conn, pid))
		return true;
	error_set(err, ERROR_DATABASE,
		"%s: a connection pooler shares the server's sessions between transactions",
		db->place);
	return error_hint(err, "connect to the server itself, or use a pool in session mode "
			       "(pgbouncer: pool_mode = session)");
}
