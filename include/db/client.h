/* Passes a connection to other programs: as a URI, or to psql. */
#ifndef PROFDEPOT_DB_CLIENT_H
#define PROFDEPOT_DB_CLIENT_H

#include "base/arena.h"
#include "db/connection.h"

/*
 * Returns a URI, in the arena, for the database and role of `db`. Unqualified names resolve in the
 * depot. The URI never contains a password; libpq reads it from PGPASSWORD or its password file.
 */
const char *client_uri(const struct db *db, struct arena *a);

/* Sets *count to the number of connections that this login can use now. The open connection `db` is
 * one of them; the login can still open the others. */
bool client_free_connections(struct db *db, int64_t *count, struct error *err);

/* Determines whether the session's login has no rights beyond those of profdepot_reader, and stores the answer in
 * *only. The role to which the session has changed does not matter, because a statement can change it back. */
bool client_only_reads(struct db *db, bool *only, struct error *err);

/*
 * Closes `db` and replaces this process by psql, which connects to the same database. `args` are
 * psql's arguments without the program name. The connection parameters are passed in the
 * environment, because every user can read a command line. Returns only on failure.
 */
bool client_become_psql(struct db *db, const char *const *args, size_t count, struct error *err);

#endif
