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

/* Whether the depot is distributed only in part, because distribute_depot runs or was interrupted. Requires Citus. */
bool distribute_is_partial(struct db *db, bool *partial, struct error *err);

/* A statement that copies a relation to the servers. */
struct distribute_copy {
	const char *sql, *relation;
	int64_t bytes;        /* of the relation's rows; 0 if it has none */
	size_t number, count; /* the relation is number `number` of `count` */
};

/* distribute_progress.c. Runs the statement and shows its progress, see struct distribute_plan. */
bool distribute_copy(struct db *db, const struct distribute_plan *plan,
	const struct distribute_copy *copy, struct error *err);

/* Sets the planner's options on all shards, see src/db/sql/citus_statistics.sql. */
bool distribute_statistics(struct db *db, struct error *err);

#endif
