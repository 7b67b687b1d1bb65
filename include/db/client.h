/* Passes a connection to other programs: as a URI, or to psql. */
#ifndef PROFDEPOT_DB_CLIENT_H
#define PROFDEPOT_DB_CLIENT_H

#include "base/arena.h"
#include "db/connection.h"

/*
 * A URI for the database and role of `db`; unqualified names resolve in the depot. It never holds a
 * password: libpq reads it from PGPASSWORD or its password file. The URI is in the arena.
 */
const char *client_uri(const struct db *db, struct arena *a);

/*
 * Closes `db` and becomes psql with these arguments (without the program name) and the same
 * connection. The connection is passed in the environment, because everybody can read a command
 * line. Returns only if this fails.
 */
bool client_become_psql(struct db *db, const char *const *args, size_t count, struct error *err);

#endif
