/*
 * Creates the depot's schema in an empty database, or upgrades an older depot
 * to this program's version.
 *
 * A new depot gets schema/ as it is now, and a row of schema_migrations for
 * each migration; an older one gets the migrations that it lacks, each in a
 * transaction of its own. Two programs that do so at once take turns.
 */
#ifndef PROFDEPOT_DB_MIGRATE_H
#define PROFDEPOT_DB_MIGRATE_H

#include "db/connection.h"

enum migrate_state {
	MIGRATE_ABSENT, /* no depot in this database */
	MIGRATE_OLDER,  /* migrations of this program are missing */
	MIGRATE_CURRENT,
	MIGRATE_NEWER, /* it has migrations that this program does not know */
};

struct migrate_info {
	enum migrate_state state;
	int version;         /* of the depot: its highest migration, 0 when absent */
	int program_version; /* highest migration of this program */
};

/* Also ERROR_DATABASE if an applied migration has another checksum here, or if
 * the database has a schema profdepot that is not a depot. */
bool migrate_inspect(struct db *db, struct migrate_info *info, struct error *err);

struct migrate_report {
	int from; /* version before; 0 if the depot was created */
	int to;
	bool roles_missing; /* this login could not create them: only the owner can use the depot */
};

/* Brings the depot to this program's version and grants the roles their
 * rights; both may be repeated. The login must be able to create in the
 * database, or own the schema. */
bool migrate_apply(struct db *db, struct migrate_report *report, struct error *err);

/*
 * db_open for callers that need a depot. In the private cluster, creates or
 * migrates it if needed; on any other server, refuses a missing or older depot
 * with a hint. Refuses a newer one everywhere.
 */
struct db *migrate_open(const struct db_target *target, struct error *err);

/* "absent", "older", "current", "newer" */
const char *migrate_state_name(enum migrate_state state);

#endif
