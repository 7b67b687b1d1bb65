/*
 * The roles profdepot_loader and profdepot_reader.
 */
#ifndef PROFDEPOT_SRC_ROLES_PRIVATE_H
#define PROFDEPOT_SRC_ROLES_PRIVATE_H

#include "db/connection.h"

/* Makes the roles when this login may and they are not there, and grants them
 * their rights in this depot. May be repeated. *missing: not both exist. */
bool roles_ensure(struct db *db, bool *missing, struct error *err);

#endif
