/* Shared only by the files of the db layer. */
#ifndef PROFDEPOT_SRC_DB_PRIVATE_H
#define PROFDEPOT_SRC_DB_PRIVATE_H

#include "db/connection.h"

#include <libpq-fe.h>

struct copier;
struct db_watch;

/* The key of the advisory lock that a program takes to change the schema: the ASCII codes of "prof", and 1. */
#define MIGRATE_LOCK "1886547814, 1"

struct db {
	PGconn *conn;
	struct copier *copier; /* the running COPY, which blocks other statements; NULL if idle */
	void (*drop_copier)(struct copier *c); /* ends the running COPY; unsent rows are dropped */
	bool is_private;
	int64_t log_from; /* size of the private server's log when the connection began */
	bool verbose;
	const struct db_watch *watch; /* of the running statement; NULL if it has none */
	bool incomplete; /* the server has warned that the answer of the running statement lacks rows */
	enum db_role role;        /* the role that the caller asked for */
	bool is_foreign;          /* see db_target.foreign */
	bool stays;               /* see db_target.stays */
	const char *session_role; /* NULL if the session kept the login role */
	char place[512];
};

struct db_result {
	PGresult *result;
	int first; /* index of row 0 in `result` */
	int rows;
};

/* Sets err from a failed result, or from the connection if result is NULL. Returns false. */
bool db_server_error(const struct db *db, const PGresult *result, struct error *err);

/* Fails with ERROR_INTERNAL if a COPY is running, or with ERROR_DATABASE if the connection is lost. */
bool db_ready(struct db *db, struct error *err);

/* Fails with ERROR_DATABASE if a pooler shares the server's sessions between transactions. Call it before
 * the session is set up. */
bool pooler_check(struct db *db, struct error *err);

/* Connects with the parameters of `conn`, including its password. If host is not NULL, connects to this host and port
 * instead. The caller frees the connection and checks its status. */
PGconn *db_connect_again(PGconn *conn, const char *host, const char *port);

/* If the server is a worker of a Citus cluster, replaces the connection by one to the cluster's coordinator, and sets
 * *moved. The caller then sets up the session again. The database must have Citus. Fails with ERROR_DATABASE if the
 * coordinator cannot be reached. */
bool coordinator_move(struct db *db, bool *moved, struct error *err);

/* Returns the variable's value; NULL if the variable is unset or empty. */
const char *db_environment(const char *name);

/* Writes libpq's message on one line, without a line end. */
void db_flatten_message(const char *message, char *out, size_t size);

/* Creates the roles profdepot_loader and profdepot_reader if they are missing and this login can
 * create roles. Grants them their rights in this depot. Can be called again at any time. *missing
 * is true if a role does not exist afterwards. */
bool roles_ensure(struct db *db, bool *missing, struct error *err);

#endif
