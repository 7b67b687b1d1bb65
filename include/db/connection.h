/*
 * A connection to the depot's database. Other layers reach libpq only through this header.
 *
 * A connection belongs to one thread at a time. A process must call db_open before it starts
 * threads, because the first call removes variables such as PGHOST, which would override a URI's
 * host. Unqualified names resolve in schema profdepot, text is UTF-8, and dates are in ISO format.
 * Server errors contain SQLSTATE, message, DETAIL and HINT, but never a password.
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
	DB_ROLE_READER, /* may only read; transactions are read-only by default */
};

/*
 * Where to connect and as whom.
 *
 * uri: a libpq URI or "key=value ..." string, or "private" for the private cluster. NULL means
 * PROFDEPOT_DB if it is set; otherwise libpq's environment if PGHOST, PGHOSTADDR, PGPORT, PGSERVICE
 * or PGDATABASE is set; otherwise the private cluster, which is created and started if needed.
 *
 * role: in the private cluster, the login role. On other servers the URI names the login role, and
 * a reader becomes profdepot_reader if the login role is a member of profdepot_reader. If the server
 * is a worker of a distributed depot, owners and loaders connect to the coordinator instead, so that
 * the locks of all writers are on one server.
 */
struct db_target {
	const char *uri;
	enum db_role role;
	bool verbose; /* print the server's notices in addition to its warnings */
	bool stays;   /* an owner or loader stays on this server, even if it is a worker */
	/* NULL for a depot. For another program's database, the name of the option that contains
	 * its URI; used in messages. profdepot never writes to such a database. The session keeps the
	 * login role, and older servers and other encodings are accepted. */
	const char *foreign;
};

enum db_place_kind {
	DB_PLACE_PRIVATE,
	DB_PLACE_SERVER
};

struct db_place {
	enum db_place_kind kind;
	const char *uri;  /* NULL for the private cluster, and if libpq's variables are used */
	const char *from; /* where the URI comes from: "--db", "PROFDEPOT_DB", ..., "default" */
	bool is_foreign;  /* see db_target.foreign */
};

/* Determines where to connect, without connecting. Fails with ERROR_USAGE if uri is invalid. */
bool db_resolve(const char *uri, struct db_place *place, struct error *err);

/* Connects. Returns NULL on ERROR_DATABASE, or on ERROR_USAGE for a malformed uri. Does not check
 * whether the database contains a depot; migrate_open does. */
struct db *db_open(const struct db_target *target, struct error *err);
void db_close(struct db *db); /* NULL is allowed */
bool db_is_private(const struct db *db);

/* Returns whether the connection is alive. Sends no query, so the answer can be out of date. Call
 * it only between statements. */
bool db_is_alive(struct db *db);

/* Connects again after the connection was lost; starts a private server again. Tries for 15 s. */
bool db_reconnect(struct db *db, struct error *err);

int db_server_version(const struct db *db); /* 150020 for 15.20 */
/* Both texts are valid as long as db is. The first is "database D at host H, port P, as U", for
 * messages; the second is the session's time zone, such as "Europe/Berlin". */
const char *db_place_text(const struct db *db);
const char *db_time_zone(const struct db *db);

/* "profdepot", "profdepot_loader", "profdepot_reader" */
const char *db_role_name(enum db_role role);

/* The role to which the session changed after its login; NULL if it kept the login role. */
const char *db_session_role(const struct db *db);

/* Runs one or more statements without parameters and discards their results. Stops at the first
 * error. If no transaction is open, the statements run as one transaction. */
bool db_exec(struct db *db, const char *sql, struct error *err);

/* Runs one statement with texts as its parameters $1, $2 and so on; a NULL pointer is SQL NULL. The
 * whole result is in memory until db_result_free. Returns NULL on error. */
struct db_result *db_query(struct db *db, const char *sql, const char *const *params,
	size_t param_count, struct error *err);

size_t db_result_rows(const struct db_result *r);
size_t db_result_columns(const struct db_result *r);

/* The value, borrowed from the result; .data == NULL is the SQL NULL. */
struct text db_result_value(const struct db_result *r, size_t row, size_t column);
/* The value as an integer; `otherwise` if it is NULL or does not fit into 64 bits. */
int64_t db_result_int64(const struct db_result *r, size_t row, size_t column, int64_t otherwise);
bool db_result_bool(const struct db_result *r, size_t row, size_t column); /* false for NULL */
const char *db_result_column_name(const struct db_result *r, size_t column);
uint32_t db_result_column_type(const struct db_result *r, size_t column); /* type OID */
#define DB_TYPE_BOOL 16

void db_result_free(struct db_result *r); /* NULL is allowed */
/* Frees the result. Returns false if r is NULL, which means that the query failed. */
bool db_done(struct db_result *r);

/* Called for each row of a query. `row` has a single row, number 0, and is borrowed for the call.
 * The callback returns false to stop the query: it sets err if it has failed, and leaves err unset
 * if it needs no more rows. It must not use the connection. */
typedef bool db_row_fn(void *self, const struct db_result *row, struct error *err);

/* Like db_query, but passes each row to the callback instead of keeping it. Returns true if all
 * rows were passed or the callback needed no more rows. A query that is stopped inside a
 * transaction is cancelled: the transaction can then only be rolled back. */
bool db_query_each(struct db *db, const char *sql, const char *const *params, size_t param_count,
	db_row_fn *each, void *self, struct error *err);

/* Like db_query_each, but requests binary values: arrays of numbers are read much faster. */
bool db_query_each_binary(struct db *db, const char *sql, const char *const *params,
	size_t param_count, db_row_fn *each, void *self, struct error *err);

bool db_begin(struct db *db, struct error *err);
bool db_begin_long(struct db *db, struct error *err); /* timeouts do not apply */

/* Begins a transaction and runs a query without parameters in one round trip. `sql` is "BEGIN;
 * SELECT ...". If the function fails, call db_rollback. */
struct db_result *db_begin_query(struct db *db, const char *sql, struct error *err);

/* Begins a repeatable-read, read-only transaction, in which all queries see the same state of the
 * depot. */
bool db_begin_snapshot(struct db *db, struct error *err);
/* Commits. Also fails with ERROR_DATABASE if the server rolled back instead. */
bool db_commit(struct db *db, struct error *err);

/* Rolls back, and ends a running COPY. Cannot fail, because the server rolls back if the connection
 * is lost. */
void db_rollback(struct db *db);

/* These set statement_timeout and lock_timeout for the rest of the transaction; 0: no limit. */
bool db_set_timeout(struct db *db, int64_t timeout_ms, struct error *err);
bool db_set_lock_timeout(struct db *db, int64_t timeout_ms, struct error *err);

#endif
