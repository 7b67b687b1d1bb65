/* Statements, results, streamed rows and transactions. */
#include "db_private.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/sql_file.h"
#include "db/cluster.h"
#include "db/watch.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TICK_MS = 1000, /* see db_query_watched */
};

void
db_flatten_message(const char *message, char *out, size_t size)
{
	size_t n = 0;

	for (const char *s = message; *s && n + 1 < size; s++) {
		if (*s != '\n') {
			out[n++] = *s == '\t' ? ' ' : *s;
		} else if (s[1] && n + 2 < size) {
			out[n++] = ';';
			out[n++] = ' ';
			s += strspn(s + 1, "\t");
		}
	}
	out[n] = '\0';
}

/* Sets an error that says why the private server ended. Returns false if the reason is unknown. */
static bool
private_lost(const struct db *db, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct error ignored = ERROR_INIT;
	struct cluster *c = cluster_describe(&a, &ignored);
	const char *reason = c ? cluster_end_reason(c, db->log_from) : NULL;

	bool full = c && cluster_disk_is_full(c);

	/* If the disk is full, the server cannot write the reason to its log. */
	if (!reason && full)
		reason = "the disk is full";
	if (reason) {
		error_set(err, ERROR_DATABASE, "the server closed the connection: %s", reason);
		error_hint(err, "uncommitted changes are lost; \"profdepot db status\" names "
				"the server's log");
		if (full || strstr(reason, "No space left"))
			cluster_hint_full(c, err);
	}
	arena_release(&a);
	return reason != NULL;
}

/* Sets the hint of an error that occurred because the private server's disk is full. */
static void
hint_full(struct error *err)
{
	struct arena a = ARENA_INIT;
	struct error ignored = ERROR_INIT;
	struct cluster *c = cluster_describe(&a, &ignored);

	if (c)
		cluster_hint_full(c, err);
	arena_release(&a);
}

static bool
connection_lost(const struct db *db, struct error *err, const char *why)
{
	char flat[400];

	if (db->is_private && private_lost(db, err))
		return false;
	db_flatten_message(why, flat, sizeof(flat));
	error_set(err, ERROR_DATABASE, "the server closed the connection%s%s", flat[0] ? ": " : "",
		flat);
	return error_hint(err, "see the server's log for the reason; uncommitted changes are lost");
}

/* libpq keeps each row in memory as a whole. It closes the connection if there is no memory for one. */
static bool
is_row_too_large(const PGresult *result)
{
	return !PQresultErrorField(result, PG_DIAG_SQLSTATE) &&
	       strstr(PQresultErrorMessage(result), "memory");
}

bool
db_server_error(const struct db *db, const PGresult *result, struct error *err)
{
	const char *primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *position = PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
	char flat[800];

	if (PQstatus(db->conn) != CONNECTION_OK && is_row_too_large(result))
		error_set(err, ERROR_MEMORY, "there is no memory for a row of the answer");
	else if (PQstatus(db->conn) != CONNECTION_OK)
		connection_lost(db, err, primary ? primary : "");
	else if (primary)
		error_set(err, ERROR_DATABASE, "%s%s%s", primary, detail ? ": " : "",
			detail ? detail : "");
	else {
		db_flatten_message(PQerrorMessage(db->conn), flat, sizeof(flat));
		error_set(err, ERROR_DATABASE, "%s", flat);
	}
	if (hint && PQstatus(db->conn) == CONNECTION_OK)
		error_hint(err, "%s", hint);
	if (sqlstate && db->is_private && strcmp(sqlstate, "53100") == 0)
		hint_full(err);
	if (sqlstate)
		snprintf(err->sqlstate, sizeof(err->sqlstate), "%s", sqlstate);
	err->position = position ? (unsigned)strtoul(position, NULL, 10) : 0;
	return false;
}

bool
db_ready(struct db *db, struct error *err)
{
	if (db->copier)
		return error_set(err, ERROR_INTERNAL,
			"a statement was sent on a connection whose COPY still runs");
	if (PQstatus(db->conn) != CONNECTION_OK)
		return connection_lost(db, err, "");
	return true;
}

/* Ends a COPY that was sent as plain SQL. Otherwise, this COPY would block the connection forever. */
static bool
refuse_copy(struct db *db, ExecStatusType status, struct error *err)
{
	PGresult *result;

	if (status == PGRES_COPY_IN)
		PQputCopyEnd(db->conn, "refused");
	if (status == PGRES_COPY_OUT) {
		char *row;

		while (PQgetCopyData(db->conn, &row, 0) > 0)
			PQfreemem(row);
	}
	while ((result = PQgetResult(db->conn)))
		PQclear(result);
	return error_set(err, ERROR_INTERNAL, "COPY cannot run as a plain query");
}

static bool
is_copy(ExecStatusType status)
{
	return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

static bool
is_good(ExecStatusType status)
{
	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
	       status == PGRES_SINGLE_TUPLE || status == PGRES_EMPTY_QUERY;
}

static bool
check_result(struct db *db, const PGresult *result, struct error *err)
{
	ExecStatusType status = PQresultStatus(result);

	if (is_good(status) && db->incomplete) {
		db->incomplete = false;
		error_set(err, ERROR_DATABASE, "the server has lost a part of the answer");
		return error_hint(err,
			"run the command again; \"profdepot --verbose\" shows the server's messages");
	}
	if (is_good(status))
		return true;
	if (is_copy(status))
		return refuse_copy(db, status, err);
	return db_server_error(db, result, err);
}

/* Takes ownership of the result. Returns NULL if the statement failed. */
static struct db_result *
take_result(struct db *db, PGresult *result, struct error *err)
{
	struct db_result *r;

	if (!check_result(db, result, err)) {
		PQclear(result);
		return NULL;
	}
	r = xmalloc(sizeof(*r));
	*r = (struct db_result){ result, 0, PQntuples(result) };
	return r;
}

struct db_result *
db_begin_query(struct db *db, const char *sql, struct error *err)
{
	return db_ready(db, err) ? take_result(db, PQexec(db->conn, sql), err) : NULL;
}

bool
db_exec(struct db *db, const char *sql, struct error *err)
{
	return db_done(db_begin_query(db, sql, err));
}

/* Waits until the server has answered. */
static void
wait_watched(PGconn *conn, const struct db_watch *watch)
{
	struct pollfd p = { .fd = PQsocket(conn), .events = POLLIN };

	while (PQisBusy(conn)) {
		int ready = poll(&p, 1, TICK_MS);

		if (ready == 0)
			watch->tick(watch->self);
		else if ((ready < 0 && errno != EINTR) || (ready > 0 && !PQconsumeInput(conn)))
			break; /* PQgetResult reports a lost connection */
	}
}

/* Returns the statement's result. Reads up to the end of the answer, so that the connection can be used again. */
static PGresult *
result_watched(struct db *db, const struct db_watch *watch)
{
	PGresult *first = NULL;
	PGresult *result;

	db->watch = watch;
	do {
		wait_watched(db->conn, watch);
		result = PQgetResult(db->conn);
		if (first)
			PQclear(result);
		else
			first = result;
	} while (result);
	db->watch = NULL;
	return first;
}

struct db_result *
db_query_watched(struct db *db, const char *sql, const char *const *params, size_t param_count,
	const struct db_watch *watch, struct error *err)
{
	if (!db_ready(db, err))
		return NULL;
	if (!PQsendQueryParams(db->conn, sql, (int)param_count, NULL, params, NULL, NULL, 0)) {
		db_server_error(db, NULL, err);
		return NULL;
	}
	return take_result(db, result_watched(db, watch), err);
}

struct db_result *
db_query(struct db *db, const char *sql, const char *const *params, size_t param_count,
	struct error *err)
{
	PGresult *result;

	if (!db_ready(db, err))
		return NULL;
	result = PQexecParams(db->conn, sql, (int)param_count, NULL, params, NULL, NULL, 0);
	return take_result(db, result, err);
}

size_t
db_result_rows(const struct db_result *r)
{
	return (size_t)r->rows;
}

size_t
db_result_columns(const struct db_result *r)
{
	return (size_t)PQnfields(r->result);
}

struct text
db_result_value(const struct db_result *r, size_t row, size_t column)
{
	int i = r->first + (int)row;
	int j = (int)column;

	assert(row < db_result_rows(r) && column < db_result_columns(r));
	if (PQgetisnull(r->result, i, j))
		return TEXT_NULL;
	return (struct text){ PQgetvalue(r->result, i, j), (size_t)PQgetlength(r->result, i, j) };
}

int64_t
db_result_int64(const struct db_result *r, size_t row, size_t column, int64_t otherwise)
{
	struct text t = db_result_value(r, row, column);
	char *end;
	long long v;

	if (text_is_null(t))
		return otherwise;
	errno = 0;
	v = strtoll(t.data, &end, 10);
	return end == t.data || *end || errno ? otherwise : v;
}

bool
db_result_bool(const struct db_result *r, size_t row, size_t column)
{
	return text_equal(db_result_value(r, row, column), TEXT_LITERAL("t"));
}

const char *
db_result_column_name(const struct db_result *r, size_t column)
{
	assert(column < db_result_columns(r));
	return PQfname(r->result, (int)column);
}

uint32_t
db_result_column_type(const struct db_result *r, size_t column)
{
	assert(column < db_result_columns(r));
	return PQftype(r->result, (int)column);
}

void
db_result_free(struct db_result *r)
{
	if (!r)
		return;
	PQclear(r->result);
	free(r);
}

bool
db_done(struct db_result *r)
{
	db_result_free(r);
	return r != NULL;
}

/* --- streamed rows ------------------------------------------------------------------------- */

static void
cancel(PGconn *conn)
{
	PGcancel *handle = PQgetCancel(conn);
	char message[256];

	if (handle)
		PQcancel(handle, message, sizeof(message));
	PQfreeCancel(handle);
}

struct stream {
	struct db *db;
	db_row_fn *each;
	void *self;
	struct error *err;
	bool binary; /* values */
	bool stopped;
	bool failed;
};

/* Handles one result. After the query was stopped, ignores every further result, including the error
 * of the cancellation. */
static void
stream_result(struct stream *s, PGresult *result)
{
	int count = PQntuples(result);

	if (s->stopped || s->failed)
		return;
	s->failed = !check_result(s->db, result, s->err);
	for (int i = 0; i < count && !s->failed && !s->stopped; i++) {
		const struct db_result row = { result, i, 1 };

		if (s->each(s->self, &row, s->err))
			continue;
		s->stopped = true;
		s->failed = s->err->code != ERROR_NONE;
		cancel(s->db->conn);
	}
}

static bool
stream_query(struct stream *s, const char *sql, const char *const *params, size_t param_count)
{
	struct db *db = s->db;
	PGresult *result;

	if (!db_ready(db, s->err))
		return false;
	error_clear(s->err);
	if (!PQsendQueryParams(
		    db->conn, sql, (int)param_count, NULL, params, NULL, NULL, s->binary))
		return db_server_error(db, NULL, s->err);
	PQsetSingleRowMode(db->conn);
	while ((result = PQgetResult(db->conn))) {
		stream_result(s, result);
		PQclear(result);
	}
	return !s->failed;
}

bool
db_query_each(struct db *db, const char *sql, const char *const *params, size_t param_count,
	db_row_fn *each, void *self, struct error *err)
{
	struct stream s = { .db = db, .each = each, .self = self, .err = err };

	return stream_query(&s, sql, params, param_count);
}

bool
db_query_each_binary(struct db *db, const char *sql, const char *const *params, size_t param_count,
	db_row_fn *each, void *self, struct error *err)
{
	struct stream s = { .db = db, .each = each, .self = self, .err = err, .binary = true };

	return stream_query(&s, sql, params, param_count);
}

/* --- transactions ---------------------------------------------------------------------------- */

bool
db_begin(struct db *db, struct error *err)
{
	return db_exec(db, "BEGIN", err);
}

bool
db_begin_long(struct db *db, struct error *err)
{
	return db_exec(db, sql_file_find("db/begin_long")->text, err);
}

bool
db_begin_snapshot(struct db *db, struct error *err)
{
	return db_exec(db, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", err);
}

bool
db_commit(struct db *db, struct error *err)
{
	struct db_result *r = db_query(db, "COMMIT", NULL, 0, err);
	bool ok;

	if (!r)
		return false;
	ok = strcmp(PQcmdStatus(r->result), "COMMIT") == 0;
	db_result_free(r);
	if (!ok)
		error_set(err, ERROR_DATABASE,
			"the transaction was rolled back: one of its statements had failed");
	return ok;
}

void
db_rollback(struct db *db)
{
	if (db->copier)
		db->drop_copier(db->copier);
	if (PQstatus(db->conn) != CONNECTION_OK)
		return;
	if (PQtransactionStatus(db->conn) != PQTRANS_IDLE)
		PQclear(PQexec(db->conn, "ROLLBACK"));
}

static bool
set_timeout(struct db *db, const char *name, int64_t timeout_ms, struct error *err)
{
	char digits[24];
	const char *params[] = { name, digits };

	if (PQtransactionStatus(db->conn) == PQTRANS_IDLE)
		return error_set(err, ERROR_INTERNAL, "a timeout was set outside of a transaction");
	number_format_int64(timeout_ms, digits);
	return db_done(db_query(db, "SELECT pg_catalog.set_config($1, $2, true)", params, 2, err));
}

bool
db_set_timeout(struct db *db, int64_t timeout_ms, struct error *err)
{
	return set_timeout(db, "statement_timeout", timeout_ms, err);
}

bool
db_set_lock_timeout(struct db *db, int64_t timeout_ms, struct error *err)
{
	return set_timeout(db, "lock_timeout", timeout_ms, err);
}
