/*
 * Moves a session from a worker of a distributed depot to the coordinator. Sessions that write exclude each other by
 * advisory locks and draw numbers from sequences. With Citus, both belong to the server that the client is
 * connected to, so all sessions that write must be on the same server.
 */
#include "base/sql_file.h"
#include "db_private.h"

#include <stdio.h>

/* Columns of src/db/sql/coordinator.sql. */
enum column {
	COLUMN_GROUP,
	COLUMN_HOST,
	COLUMN_PORT,
	COLUMN_SERVERS,
};

static struct db_result *
read_cluster(struct db *db, struct error *err)
{
	return db_query(db, sql_file_find("db/coordinator")->text, NULL, 0, err);
}

static bool
is_worker(const struct db_result *r)
{
	return db_result_rows(r) > 0 && db_result_int64(r, 0, COLUMN_GROUP, 0) != 0;
}

static bool
hint_coordinator(struct error *err)
{
	return error_hint(
		err, "use a URI with an address of the coordinator that this client can reach");
}

static PGconn *
connect_coordinator(const struct db *db, const struct db_result *r, struct error *err)
{
	const char *host = db_result_value(r, 0, COLUMN_HOST).data;
	const char *port = db_result_value(r, 0, COLUMN_PORT).data;
	char flat[500] = "the worker does not know the coordinator's address";
	PGconn *conn = NULL;

	if (host && port) {
		conn = db_connect_again(db->conn, host, port);
		if (PQstatus(conn) == CONNECTION_OK)
			return conn;
		db_flatten_message(PQerrorMessage(conn), flat, sizeof(flat));
	}
	PQfinish(conn);
	error_set(err, ERROR_DATABASE,
		"%s: this server is a worker of a distributed depot, and the coordinator, which all "
		"writers use, cannot be reached: %s",
		db->place, flat);
	hint_coordinator(err);
	return NULL;
}

/* The name of the coordinator can belong to another server where this client runs, such as localhost. */
static bool
check_coordinator(struct db *db, PGconn *conn, const struct db_result *worker, struct error *err)
{
	PGresult *r = PQexec(conn, sql_file_find("db/coordinator")->text);
	struct text servers = db_result_value(worker, 0, COLUMN_SERVERS);
	bool ok = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) > 0 &&
		  text_equal(text_from(PQgetvalue(r, 0, COLUMN_GROUP)), text_from("0")) &&
		  text_equal(text_from(PQgetvalue(r, 0, COLUMN_SERVERS)), servers);

	PQclear(r);
	if (ok)
		return true;
	error_set(err, ERROR_DATABASE,
		"%s: this server is a worker of a distributed depot, and %s, port %s, is not its "
		"coordinator, although pg_dist_node on the worker names it",
		db->place, PQhost(conn), PQport(conn));
	return hint_coordinator(err);
}

bool
coordinator_move(struct db *db, bool *moved, struct error *err)
{
	struct db_result *r = read_cluster(db, err);
	PGconn *conn = NULL;
	bool ok = r != NULL;

	*moved = false;
	if (ok && is_worker(r)) {
		conn = connect_coordinator(db, r, err);
		ok = conn && check_coordinator(db, conn, r, err);
	}
	db_result_free(r);
	if (!ok) {
		PQfinish(conn);
		return false;
	}
	*moved = conn != NULL;
	if (conn) {
		PQfinish(db->conn);
		db->conn = conn;
	}
	return true;
}
