/*
 * Creates the depot's schema in an empty database, or upgrades an older depot to this program's
 * version.
 *
 * A new depot receives the current schema/, and one schema_migrations row for each migration. In an
 * older depot, each missing migration is applied in a separate transaction. If two programs migrate
 * at the same time, one waits for the other.
 */
#ifndef PROFDEPOT_DB_MIGRATE_H
#define PROFDEPOT_DB_MIGRATE_H

#include "db/connection.h"

enum migrate_state {
	MIGRATE_ABSENT, /* no depot in this database */
	MIGRATE_OLDER,  /* the depot lacks migrations that this program has */
	MIGRATE_CURRENT,
	MIGRATE_NEWER,   /* the depot has migrations that this program does not have */
	MIGRATE_PARTIAL, /* "db distribute" was interrupted, or runs now; see db/distribute.h */
};

struct migrate_info {
	enum migrate_state state;
	int version;         /* the depot's highest migration; 0 if there is no depot */
	int program_version; /* this program's highest migration */
};

/* Determines the state. Also fails with ERROR_DATABASE if this program has a different checksum for an
 * applied migration, or if the database's schema profdepot is not a depot. */
bool migrate_inspect(struct db *db, struct migrate_info *info, struct error *err);

struct migrate_report {
	int from; /* previous version; 0 if the depot was created */
	int to;
	/* The login could not create the depot's roles, so only the owner can use the depot. */
	bool roles_missing;
};

/* Upgrades the depot to this program's version and grants the roles their rights. May be repeated
 * at any time. The login role must own the schema or be able to create schemas in the database. */
bool migrate_apply(struct db *db, struct migrate_report *report, struct error *err);

/*
 * Opens a connection for callers that need a depot. In the private cluster it creates or migrates
 * the depot if needed. On other servers it rejects a missing or older depot with a hint. A newer
 * or partly distributed depot is always rejected.
 */
struct db *migrate_open(const struct db_target *target, struct error *err);

/* "absent", "older", "current", "newer", "partly distributed" */
const char *migrate_state_name(enum migrate_state state);

#endif
