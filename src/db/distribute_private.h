/* Shared by the files that distribute a depot. */
#ifndef PROFDEPOT_SRC_DB_DISTRIBUTE_PRIVATE_H
#define PROFDEPOT_SRC_DB_DISTRIBUTE_PRIVATE_H

#include "db/distribute.h"

#include <stdarg.h>

/* Reports a step to the plan's callback. */
__attribute__((format(printf, 2, 3))) void distribute_step(
	const struct distribute_plan *plan, const char *format, ...);

/* distribute_extension.c. Whether Citus is in this database. */
bool distribute_has_citus(struct db *db, bool *has, struct error *err);

/* Creates the extension if it is missing. */
bool distribute_extension(struct db *db, const struct distribute_plan *plan, struct error *err);

/* Connects to each of the plan's further servers. Fails if one of them lacks the database, or if its address or the
 * coordinator's address is a UNIX socket. */
bool distribute_check_servers(struct db *db, const struct distribute_plan *plan, struct error *err);

/* Creates the extension on the plan's further servers and adds them to the cluster. */
bool distribute_add_servers(struct db *db, const struct distribute_plan *plan, struct error *err);

/* Sets the planner's options on all shards, see src/db/sql/citus_statistics.sql. */
bool distribute_statistics(struct db *db, struct error *err);

#endif
