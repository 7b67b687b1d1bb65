/*
 * A connection to the depot's database: the only public face of libpq.
 *
 * A connection belongs to one thread at a time. The first db_open of a process
 * comes before its threads: it takes PG variables out of the environment that
 * would lead away from a URI's host. Unqualified names resolve in
 * schema profdepot, text is UTF-8, dates are ISO; server errors arrive with
 * SQLSTATE, message, DETAIL and HINT, never with a password.
 */
#ifndef PROFDEPOT_DB_CONNECTION_H
#define PROFDEPOT_DB_CONNECTION_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct db;
struct db_result;

enum db_role {
	DB_ROLE_OWNER,  /* may change the schema */
	DB_ROLE_LOADER, /* may add and remove rows */
	DB_ROLE_READER, /* SELECT only; transactions are read only by default */
};

/*
 * Where to connect and as whom.
 *
 * uri: a libpq URI or "key=value ..." string, or "private" for the private
 * cluster whatever the environment says; NULL: PROFDEPOT_DB, else libpq's own
 * environment when one of PGHOST, PGHOSTADDR, PGPORT, PGSERVICE, PGDATABASE is
 * set, else the private cluster, which is made and started when needed.
 *
 * role: in the private cluster the login itself. Elsewhere the login is the
 * URI's; a reader then becomes profdepot_reader where the login may.
 */
struct db_target {
	const char *uri;
	enum db_role role;
	bool verbose; /* show the server's notices too, not only its warnings */
	/* The option that gave the uri of a database that is no depot but is read
	 * from: no role is taken there, and an older server or another encoding
	 * will do. NULL: the depot. */
	const char *foreign;
};

enum db_place_kind {
	DB_PLACE_PRIVATE,
	DB_PLACE_SERVER
};

struct db_place {
	enum db_place_kind kind;
	const char *uri;  /* NULL: libpq's own environment, or the private cluster */
	const char *from; /* what decided: "--db", "PROFDEPOT_DB", "PGHOST", ..., "default" */
	bool is_foreign;  /* no depot: db_target.foreign */
};

/* Decides without connecting. ERROR_USAGE when uri is none. */
bool db_resolve(const char *uri, struct db_place *place, struct error *err);

/* NULL on error: ERROR_DATABASE, or ERROR_USAGE for a malformed uri. Says
 * nothing about whether a depot is there: see db/migrate.h. */
struct db *db_open(const struct db_target *target, struct error *err);
void db_close(struct db *db); /* NULL does nothing */

bool db_is_private(const struct db *db);

/* Is the server still there, as far as can be told without asking it? Between statements only. */
bool db_is_alive(struct db *db);

int db_server_version(const struct db *db); /* 150020 for 15.20 */

/* "database D at host H, port P as U", for messages; lives as long as db. */
const char *db_place_text(const struct db *db);

/* "profdepot", "profdepot_loader", "profdepot_reader" */
const char *db_role_name(enum db_role role);

/* The role that the session became after its login, NULL when it stayed. */
const char *db_session_role(const struct db *db);

/* Runs one or many statements without parameters, results dropped. Stops at
 * the first error; outside of a transaction all of them are one. */
bool db_exec(struct db *db, const char *sql, struct error *err);

/* One statement with text parameters $1.. (NULL is the SQL NULL). The whole
 * result is in memory until db_result_free. NULL on error. */
struct db_result *db_query(struct db *db, const char *sql, const char *const *params,
	size_t param_count, struct error *err);

size_t db_result_rows(const struct db_result *r);
size_t db_result_columns(const struct db_result *r);

/* Borrowed from the result; .data == NULL is the SQL NULL. */
struct text db_result_value(const struct db_result *r, size_t row, size_t column);
/* An integer; `otherwise` if the value is NULL or beyond 64 bits. */
int64_t db_result_int64(const struct db_result *r, size_t row, size_t column, int64_t otherwise);
bool db_result_bool(const struct db_result *r, size_t row, size_t column); /* false for NULL */
const char *db_result_column_name(const struct db_result *r, size_t column);
uint32_t db_result_column_type(const struct db_result *r, size_t column); /* type OID */

/* Rows that the statement wrote or selected. */
int64_t db_result_affected(const struct db_result *r);
void db_result_free(struct db_result *r); /* NULL does nothing */

/*
 * Called with one row at a time, as row 0 of `row`, borrowed for the call.
 * False stops the query: with err set it failed, otherwise it had enough.
 * Must not use the connection.
 */
typedef bool db_row_fn(void *self, const struct db_result *row, struct error *err);

/*
 * As db_query, but rows stream past without being held. True when all rows
 * were seen or the callback had enough. A query that is stopped inside a
 * transaction is cancelled: the transaction can then only be rolled back.
 */
bool db_query_each(struct db *db, const char *sql, const char *const *params, size_t param_count,
	db_row_fn *each, void *self, struct error *err);

/* The same, with values as their types send them in binary: arrays of numbers
 * come several times faster. */
bool db_query_each_binary(struct db *db, const char *sql, const char *const *params,
	size_t param_count, db_row_fn *each, void *self, struct error *err);

bool db_begin(struct db *db, struct error *err);

/* The same, and the answer to a query without parameters, in one turn to the server and back;
 * `sql` is "BEGIN; SELECT ...". Where it fails db_rollback is due. */
struct db_result *db_begin_query(struct db *db, const char *sql, struct error *err);

/* Repeatable read, read only: one picture of the depot for several queries. */
bool db_begin_snapshot(struct db *db, struct error *err);

/* ERROR_DATABASE also when the server rolled back instead. */
bool db_commit(struct db *db, struct error *err);

/* Also ends a COPY that runs. Nothing to tell: a lost connection rolls back. */
void db_rollback(struct db *db);

/* statement_timeout for the rest of the running transaction; 0: none. */
bool db_set_timeout(struct db *db, int64_t timeout_ms, struct error *err);

#endif
