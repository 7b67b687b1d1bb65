/* Database connections. They are opened when they are first needed, and reopened after they are lost. */
#ifndef PROFDEPOT_SERVICE_CONNECTIONS_H
#define PROFDEPOT_SERVICE_CONNECTIONS_H

#include "db/connection.h"

/* The database's address and the number of open connections. All threads share it. */
struct db_pool {
	const char *uri; /* same syntax as db_target.uri */
	_Atomic int64_t open;
};

/* If *db is not alive, replaces it with a new connection. Returns *db; NULL on error. The caller owns
 * *db. */
struct db *pool_connect(struct db_pool *p, struct db **db, enum db_role role, struct error *err);
/* Closes *db, if open, and sets it to NULL. */
void pool_close(struct db_pool *p, struct db **db);

/* The connections of one thread. */
struct connections {
	struct db_pool *pool;
	struct db *reader, *loader;
};

#endif
