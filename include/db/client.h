/*
 * Passing a connection to other programs: as a URI, or to psql.
 */
#ifndef PROFDEPOT_DB_CLIENT_H
#define PROFDEPOT_DB_CLIENT_H

#include "base/arena.h"
#include "db/connection.h"

/*
 * A URI for the database and role of `db`; unqualified names resolve in the depot. It never holds a
 * password: libpq reads it from PGPASSWORD or its password file. In the arena.
 */
const char *client_uri(const struct db *db, struct arena *a);

/*
 * Closes `db` and becomes psql with these arguments (without the program's name) and the same
 * connection. The environment passes the connection, because everybody can read a command line.
 * Returns only on error.
 */
bool client_become_psql(struct db *db, const char *const *args, size_t count, struct error *err);

#endif
