/*
 * Handing a connection on to other programs: as a URI, or to psql.
 */
#ifndef PROFDEPOT_DB_CLIENT_H
#define PROFDEPOT_DB_CLIENT_H

#include "base/arena.h"
#include "db/connection.h"

/*
 * A URI that leads where `db` leads, in the role that its session has, and on
 * which unqualified names resolve in the depot. Never holds a password: libpq
 * takes it from PGPASSWORD or its password file. In the arena.
 */
const char *client_uri(const struct db *db, struct arena *a);

/*
 * Becomes psql with these arguments (without the program's name), connected
 * as `db` is, which is closed. The connection goes through the environment,
 * because everybody can read a command line. Returns only on error.
 */
bool client_become_psql(struct db *db, const char *const *args, size_t count, struct error *err);

#endif
