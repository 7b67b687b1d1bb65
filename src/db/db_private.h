/* Shared only by the files of the db layer. */
#ifndef PROFDEPOT_SRC_DB_PRIVATE_H
#define PROFDEPOT_SRC_DB_PRIVATE_H

#include "db/connection.h"

#include <libpq-fe.h>

struct copier;

struct db {
	PGconn *conn;
	struct copier *copier; /* the running COPY, which blocks other statements; or NULL */
	void (*drop_copier)(struct copier *c); /* ends the running COPY; unsent rows are dropped */
	bool is_private;
	bool verbose;
	enum db_role role;        /* the role that the caller asked for */
	const char *session_role; /* NULL if the session kept the login role */
	char place[512];
};

struct db_result {
	PGresult *result;
};

static inline PGconn *
db_conn(struct db *db)
{
	return db->conn;
}

/* Sets err from a failed result (NULL: from the connection). Returns false. */
bool db_server_error(const struct db *db, const PGresult *result, struct error *err);

/* Fails with ERROR_INTERNAL while a COPY runs, with ERROR_DATABASE if the connection is lost. */
bool db_ready(struct db *db, struct error *err);

/* libpq's message on one line, without the last full stop or line end. */
void db_flatten_message(const char *message, char *out, size_t size);

/* Connects to the place; the caller owns the connection. If the place is the private cluster, makes
 * and starts it. */
PGconn *db_connect_place(const struct db_place *place, enum db_role role, struct error *err);

#endif
