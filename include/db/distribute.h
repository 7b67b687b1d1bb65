/*
 * Turns a depot on a server with Citus into a distributed depot, which uses several servers. All rows of one
 * result set are on the same server. src/db/sql/distribution.sql lists the tables and their places.
 */
#ifndef PROFDEPOT_DB_DISTRIBUTE_H
#define PROFDEPOT_DB_DISTRIBUTE_H

#include "db/connection.h"

struct distribute_plan {
	int64_t shards;             /* into how many parts the result sets are divided; >= 1 */
	const char *const *workers; /* URIs of further servers */
	size_t worker_count;
	bool dry_run;  /* only reports the steps */
	bool progress; /* show the progress of copies even if standard error is not a terminal */
	/* Called before each step with a text such as "distribute stacks". */
	void (*step)(void *self, const char *text);
	void *self;
};

/*
 * Adds the servers and distributes the tables. Skips steps that are already done, so the function can be
 * called again after a failure, after a migration, or with more servers. Each table that has rows is distributed in a
 * transaction of its own; an interrupted call keeps the tables that it has finished. Until the function has finished,
 * the depot is MIGRATE_PARTIAL and migrate_open rejects it; connections that are already open can use it, but
 * Citus refuses some of their queries. Shows the progress of long copies on standard error, see base/progress.h. The
 * login must own the depot; it must be a superuser to create the extension or add servers.
 */
bool distribute_depot(struct db *db, const struct distribute_plan *plan, struct error *err);

/* Determines whether the depot is distributed. */
bool distribute_inspect(struct db *db, bool *distributed, struct error *err);

/* The servers of a distributed depot: name, port, whether it is the coordinator, shards, bytes. */
struct db_result *distribute_servers(struct db *db, struct error *err);

/* Moves shards until the servers hold similar amounts. Loads and reports continue meanwhile. Reports
 * each move to `step`, and if there is no move for a while, the transactions for which the moves wait. */
bool distribute_rebalance(
	struct db *db, void (*step)(void *self, const char *text), void *self, struct error *err);

#endif
