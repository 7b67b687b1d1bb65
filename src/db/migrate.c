/* Creates a depot's schema and applies missing migrations. */
#include "db/migrate.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/sql_file.h"
#include "db_private.h"
#include "distribute_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- migrations in the program --------------------------------------------------------------- */

static const char migrations_folder[] = "migrations/";

/* The version in a file name: "migrations/0001_initial" has version 1 and the name "initial". */
static int
file_version(const struct sql_file *f)
{
	return (int)strtol(f->name + sizeof(migrations_folder) - 1, NULL, 10);
}

static const char *
file_title(const struct sql_file *f)
{
	const char *bar = strchr(f->name, '_');

	return bar ? bar + 1 : f->name;
}

static void
file_checksum(const struct sql_file *f, char hex[2 * SHA256_BYTES + 1])
{
	struct sha256 *s = sha256_new();
	uint8_t digest[SHA256_BYTES];

	sha256_update(s, f->text, f->length);
	sha256_finish(s, digest);
	sha256_free(s);
	hex_format(digest, sizeof(digest), hex);
}

static const struct sql_file *
find_version(int version)
{
	const struct sql_file *f = sql_file_first(migrations_folder);

	for (; f && sql_file_in(f, migrations_folder); f++)
		if (file_version(f) == version)
			return f;
	return NULL;
}

static int
newest_version(void)
{
	const struct sql_file *f = sql_file_first(migrations_folder);
	int newest = 0;

	for (; f && sql_file_in(f, migrations_folder); f++)
		newest = file_version(f);
	return newest;
}

/* --- the depot's migrations ------------------------------------------------------------------ */

/* Stores in *there whether the schema has the table of migrations, and in *partial whether the depot is distributed
 * only in part. Fails if the schema has other relations but not this table. If the depot is distributed in part,
 * workers do not have this table yet. */
static bool
find_ledger(struct db *db, bool *there, bool *partial, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/depot_exists")->text, NULL, 0, err);
	bool filled;
	bool has_citus;

	if (!r)
		return false;
	*there = db_result_bool(r, 0, 0);
	filled = db_result_bool(r, 0, 1);
	has_citus = db_result_bool(r, 0, 2);
	db_result_free(r);
	*partial = false;
	if (has_citus && filled && !distribute_is_partial(db, partial, err))
		return false;
	if (*there || *partial || !filled)
		return true;
	error_set(
		err, ERROR_DATABASE, "%s: the schema profdepot is not a depot", db_place_text(db));
	return error_hint(err, "rename that schema, or use another database");
}

static bool
check_applied(const struct db *db, const struct db_result *r, size_t row, struct error *err)
{
	int version = (int)db_result_int64(r, row, 0, 0);
	const struct sql_file *f = find_version(version);
	char checksum[2 * SHA256_BYTES + 1];

	if (!f && version > newest_version())
		return true; /* the depot is newer than the program; the caller may reject it */
	if (f) {
		file_checksum(f, checksum);
		if (text_equal(db_result_value(r, row, 2), text_from(checksum)))
			return true;
	}
	error_set(err, ERROR_DATABASE, "%s: migration %d is not the one that this program knows",
		db_place_text(db), version);
	return error_hint(err,
		"a development version made this depot: export its result sets with that "
		"version, and load them into a new depot");
}

static bool
is_applied(const struct db_result *r, int version)
{
	for (size_t i = 0; i < db_result_rows(r); i++)
		if (db_result_int64(r, i, 0, 0) == version)
			return true;
	return false;
}

static struct db_result *
query_applied(struct db *db, struct error *err)
{
	struct db_result *r =
		db_query(db, sql_file_find("db/migrations_applied")->text, NULL, 0, err);

	if (r)
		return r;
	error_prefix(err, "%s", db_place_text(db));
	if (strcmp(err->sqlstate, "42501") == 0)
		error_hint(err,
			"this login may not read the depot: its owner can grant it the role "
			"profdepot_reader or profdepot_loader");
	return NULL;
}

static bool
judge(struct db *db, const struct db_result *r, struct migrate_info *info, struct error *err)
{
	const struct sql_file *f = sql_file_first(migrations_folder);

	info->state = MIGRATE_CURRENT;
	for (size_t i = 0; i < db_result_rows(r); i++) {
		if (!check_applied(db, r, i, err))
			return false;
		if (db_result_int64(r, i, 0, 0) > info->version)
			info->version = (int)db_result_int64(r, i, 0, 0);
	}
	for (; f && sql_file_in(f, migrations_folder); f++)
		if (!is_applied(r, file_version(f)))
			info->state = MIGRATE_OLDER;
	if (info->version > info->program_version)
		info->state = MIGRATE_NEWER;
	return true;
}

bool
migrate_inspect(struct db *db, struct migrate_info *info, struct error *err)
{
	struct db_result *r;
	bool there = false;
	bool partial = false;
	bool ok = true;

	*info = (struct migrate_info){ MIGRATE_ABSENT, 0, newest_version() };
	if (!find_ledger(db, &there, &partial, err))
		return false;
	if (there) {
		r = query_applied(db, err);
		ok = r && judge(db, r, info, err);
		db_result_free(r);
	}
	if (partial && info->state != MIGRATE_NEWER)
		info->state = MIGRATE_PARTIAL;
	return ok;
}

/* --- applying -------------------------------------------------------------------------------- */

static bool
run_file(struct db *db, const struct sql_file *f, struct error *err)
{
	return db_exec(db, f->text, err) || error_prefix(err, "%s.sql", f->name);
}

static bool
record(struct db *db, const struct sql_file *f, struct error *err)
{
	char version[24];
	char checksum[2 * SHA256_BYTES + 1];

	number_format_int64(file_version(f), version);
	file_checksum(f, checksum);
	return db_done(db_query(db, sql_file_find("db/migration_record")->text,
		SQL_VALUES(SQL_DB_MIGRATION_RECORD, [SQL_DB_MIGRATION_RECORD_VERSION] = version,
			[SQL_DB_MIGRATION_RECORD_NAME] = file_title(f),
			[SQL_DB_MIGRATION_RECORD_CHECKSUM] = checksum),
		SQL_DB_MIGRATION_RECORD_PARAMS, err));
}

static bool
make_schema(struct db *db, struct error *err)
{
	const struct sql_file *f = sql_file_first("schema/");

	/* Suppress the warnings of the extension citus, which warns about each view until the depot is distributed. */
	if (!db_exec(db, "SET LOCAL client_min_messages = error", err))
		return false;
	for (; f && sql_file_in(f, "schema/"); f++)
		if (!run_file(db, f, err))
			return false;
	f = sql_file_first(migrations_folder);
	for (; f && sql_file_in(f, migrations_folder); f++)
		if (!record(db, f, err))
			return false;
	return true;
}

static bool
finish(struct db *db, bool ok, struct error *err)
{
	if (ok && db_commit(db, err))
		return true;
	db_rollback(db);
	return false;
}

/* Uses one transaction for schema and rights, so that no reader finds a depot that it cannot read. */
static bool
apply_new(struct db *db, bool *roles_missing, struct error *err)
{
	return db_begin(db, err) &&
	       finish(db, make_schema(db, err) && roles_ensure(db, roles_missing, err), err);
}

static bool
apply_one(struct db *db, const struct sql_file *f, struct error *err)
{
	return db_begin(db, err) && finish(db, run_file(db, f, err) && record(db, f, err), err);
}

static bool
apply_missing(struct db *db, struct error *err)
{
	const struct sql_file *f = sql_file_first(migrations_folder);
	struct db_result *applied = query_applied(db, err);
	bool ok = applied != NULL;

	for (; ok && f && sql_file_in(f, migrations_folder); f++)
		if (!is_applied(applied, file_version(f)))
			ok = apply_one(db, f, err);
	db_result_free(applied);
	return ok;
}

static bool
refuse_newer(const struct db *db, const struct migrate_info *info, struct error *err)
{
	error_set(err, ERROR_DATABASE,
		"%s: the depot is at version %d, and this program supports versions up to %d",
		db_place_text(db), info->version, info->program_version);
	return error_hint(err, "use a newer profdepot");
}

static bool
refuse_partial(const struct db *db, struct error *err)
{
	error_set(err, ERROR_DATABASE, "%s: the depot is distributed only in part",
		db_place_text(db));
	return error_hint(err,
		"\"profdepot db distribute\" runs, or was interrupted; if it was, its owner runs it again");
}

static bool
apply_roles(struct db *db, bool *roles_missing, struct error *err)
{
	return db_begin(db, err) && finish(db, roles_ensure(db, roles_missing, err), err);
}

static bool
apply_locked(struct db *db, struct migrate_report *report, struct error *err)
{
	struct migrate_info info;

	if (!migrate_inspect(db, &info, err))
		return false;
	*report = (struct migrate_report){ info.version, info.program_version, false };
	switch (info.state) {
	case MIGRATE_ABSENT:
		return apply_new(db, &report->roles_missing, err);
	case MIGRATE_OLDER:
		return apply_missing(db, err) && apply_roles(db, &report->roles_missing, err);
	case MIGRATE_CURRENT:
		return apply_roles(db, &report->roles_missing, err);
	case MIGRATE_PARTIAL:
		return refuse_partial(db, err);
	case MIGRATE_NEWER:
		break;
	}
	return refuse_newer(db, &info, err);
}

bool
migrate_apply(struct db *db, struct migrate_report *report, struct error *err)
{
	struct error ignored = ERROR_INIT;
	bool ok;

	if (!db_exec(db, "SELECT pg_catalog.pg_advisory_lock(" MIGRATE_LOCK ")", err))
		return false;
	ok = apply_locked(db, report, err);
	db_exec(db, "SELECT pg_catalog.pg_advisory_unlock(" MIGRATE_LOCK ")", &ignored);
	return ok;
}

/* --- opening --------------------------------------------------------------------------------- */

static bool
refuse_stale(const struct db *db, const struct migrate_info *info, struct error *err)
{
	if (info->state == MIGRATE_ABSENT)
		error_set(err, ERROR_DATABASE, "%s: there is no depot", db_place_text(db));
	else
		error_set(err, ERROR_DATABASE,
			"%s: the depot is at version %d, and this program needs %d",
			db_place_text(db), info->version, info->program_version);
	return error_hint(err, "its owner runs: profdepot db migrate");
}

/* Connects again as the owner, and migrates. A loader or reader cannot change the schema. */
static bool
migrate_as_owner(const struct db_target *target, struct error *err)
{
	const struct db_target owner = {
		.uri = target->uri, .role = DB_ROLE_OWNER, .verbose = target->verbose
	};
	struct db *db = db_open(&owner, err);
	struct migrate_report report;
	bool ok = db && migrate_apply(db, &report, err);

	db_close(db);
	return ok;
}

static bool
bring_up(struct db *db, const struct db_target *target, struct error *err)
{
	struct migrate_info info;

	if (!migrate_inspect(db, &info, err))
		return false;
	if (info.state == MIGRATE_CURRENT)
		return true;
	if (info.state == MIGRATE_NEWER)
		return refuse_newer(db, &info, err);
	if (info.state == MIGRATE_PARTIAL)
		return refuse_partial(db, err);
	if (!db_is_private(db))
		return refuse_stale(db, &info, err);
	return migrate_as_owner(target, err);
}

struct db *
migrate_open(const struct db_target *target, struct error *err)
{
	struct db *db = db_open(target, err);

	if (db && bring_up(db, target, err))
		return db;
	db_close(db);
	return NULL;
}

const char *
migrate_state_name(enum migrate_state state)
{
	static const char *const names[] = { "absent", "older", "current", "newer",
		"partly distributed" };

	return names[state];
}
