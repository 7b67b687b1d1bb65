/*
 * A connection to the depot's database: the only public face of libpq.
 *
 * A connection belongs to one thread at a time. The first db_open of a process
 * must precede its threads: it removes PG variables from the environment that
 * would override a URI's host. Unqualified names resolve in
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
 * role: in the private cluster, the login itself. Elsewhere the URI names the
 * login; a reader then becomes profdepot_reader if the login may.
 */
struct db_target {
	const char *uri;
	enum db_role role;
	bool verbose; /* show the server's notices too, not only its warnings */
	/* The option with the uri of a foreign database, which is only read: there the session keeps
	 * its role, and older servers and other encodings are accepted. NULL for a depot. */
	const char *foreign;
};

enum db_place_kind {
	DB_PLACE_PRIVATE,
	DB_PLACE_SERVER
};

struct db_place {
	enum db_place_kind kind;
	const char *uri;  /* NULL for libpq's own environment, or the private cluster */
	const char *from; /* source of the choice: "--db", "PROFDEPOT_DB", ..., "default" */
	bool is_foreign;  /* see db_target.foreign */
};

/* Decides without connecting. ERROR_USAGE if uri is invalid. */
bool db_resolve(const char *uri, struct db_place *place, struct error *err);

/* NULL on error: ERROR_DATABASE, or ERROR_USAGE for a malformed uri. Does
 * not check for a depot: see db/migrate.h. */
struct db *db_open(const struct db_target *target, struct error *err);
void db_close(struct db *db); /* NULL does nothing */

bool db_is_private(const struct db *db);

/* Is the connection alive, as far as is known without a query? Between statements only. */
bool db_is_alive(struct db *db);

int db_server_version(const struct db *db); /* 150020 for 15.20 */

/* "database D at host H, port P as U", for messages; lives as long as db. */
const char *db_place_text(const struct db *db);

/* "profdepot", "profdepot_loader", "profdepot_reader" */
const char *db_role_name(enum db_role role);

/* The role that the session took after its login; NULL if it kept the login's. */
const char *db_session_role(const struct db *db);

/* Runs one or several statements without parameters and discards their results. Stops at
 * the first error; outside of a transaction they form one. */
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

/* Rows written or selected. */
int64_t db_result_affected(const struct db_result *r);
void db_result_free(struct db_result *r); /* NULL does nothing */

/*
 * Called with one row at a time, as row 0 of `row`, borrowed for the call.
 * Returns false to stop the query: with err set it failed, otherwise it needs no more rows.
 * Must not use the connection.
 */
typedef bool db_row_fn(void *self, const struct db_result *row, struct error *err);

/*
 * Like db_query, but passes each row to the callback instead of keeping it. True if all rows
 * were passed or the callback needed no more. A query that is stopped inside a
 * transaction is cancelled: the transaction can then only be rolled back.
 */
bool db_query_each(struct db *db, const char *sql, const char *const *params, size_t param_count,
	db_row_fn *each, void *self, struct error *err);

/* The same, with values in binary: arrays of numbers are several times faster. */
bool db_query_each_binary(struct db *db, const char *sql, const char *const *params,
	size_t param_count, db_row_fn *each, void *self, struct error *err);

bool db_begin(struct db *db, struct error *err);

/* The same with a query without parameters, in one round trip; `sql` is "BEGIN; SELECT ...". On
 * failure call db_rollback. */
struct db_result *db_begin_query(struct db *db, const char *sql, struct error *err);

/* Repeatable read, read only: several queries see the same state of the depot. */
bool db_begin_snapshot(struct db *db, struct error *err);

/* ERROR_DATABASE also if the server rolled back instead. */
bool db_commit(struct db *db, struct error *err);

/* Also ends a running COPY. Cannot fail: a lost connection rolls back. */
void db_rollback(struct db *db);

/* statement_timeout for the rest of the transaction; 0 for no limit. */
bool db_set_timeout(struct db *db, int64_t timeout_ms, struct error *err);

#endif
