/* Distributes the depot's tables over the servers of a Citus cluster. */
#include "db/distribute.h"

#include "base/sql_file.h"
#include "db_private.h"
#include "distribute_private.h"

#include <stdio.h>
#include <string.h>

/* The tables that are distributed already; NULL in a database without Citus. */
struct placed {
	struct db_result *rows;
};

static bool
is_placed(const struct placed *p, struct text relation)
{
	for (size_t i = 0; p->rows && i < db_result_rows(p->rows); i++)
		if (text_equal(db_result_value(p->rows, i, 0), relation))
			return true;
	return false;
}

static bool
read_placed(struct db *db, struct placed *p, struct error *err)
{
	bool has;

	p->rows = NULL;
	if (!distribute_has_citus(db, &has, err))
		return false;
	if (!has)
		return true;
	p->rows = db_query(db, sql_file_find("db/citus_placed")->text, NULL, 0, err);
	return p->rows != NULL;
}

bool
distribute_inspect(struct db *db, bool *distributed, struct error *err)
{
	struct placed p;

	if (!read_placed(db, &p, err))
		return false;
	*distributed = is_placed(&p, TEXT_LITERAL("instances"));
	db_result_free(p.rows);
	return true;
}

static bool
place_table(struct db *db, const struct distribute_plan *plan, const char *name, const char *place,
	struct error *err)
{
	char sql[300];

	if (strcmp(place, "reference") == 0) {
		distribute_step(plan, "copy %s to every server", name);
		snprintf(sql, sizeof(sql), "SELECT create_reference_table('profdepot.%s')", name);
	} else if (strcmp(place, "coordinator") == 0) {
		distribute_step(plan, "keep %s on the coordinator", name);
		snprintf(sql, sizeof(sql),
			"SELECT citus_add_local_table_to_metadata('profdepot.%s')", name);
	} else if (strcmp(name, "instances") == 0) {
		distribute_step(
			plan, "distribute instances over %lld shards", (long long)plan->shards);
		snprintf(sql, sizeof(sql),
			"SELECT create_distributed_table('profdepot.instances', 'inst_id', "
			"shard_count := %lld)",
			(long long)plan->shards);
	} else {
		distribute_step(plan, "distribute %s", name);
		snprintf(sql, sizeof(sql),
			"SELECT create_distributed_table('profdepot.%s', 'inst_id', "
			"colocate_with := 'profdepot.instances')",
			name);
	}
	return plan->dry_run || db_exec(db, sql, err) || error_prefix(err, "%s", name);
}

static bool
place_all(struct db *db, const struct distribute_plan *plan, const struct placed *p,
	struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/distribution")->text, NULL, 0, err);
	bool ok = r != NULL;

	for (size_t i = 0; ok && i < db_result_rows(r); i++)
		if (!is_placed(p, db_result_value(r, i, 0)))
			ok = place_table(db, plan, db_result_value(r, i, 0).data,
				db_result_value(r, i, 1).data, err);
	db_result_free(r);
	return ok;
}

/* Places the tables in one transaction, and restores the comments that Citus removes. */
static bool
place_in_transaction(struct db *db, const struct distribute_plan *plan, const struct placed *p,
	struct error *err)
{
	if (plan->dry_run)
		return place_all(db, plan, p, err);
	if (!db_begin_long(db, err))
		return false;
	if (db_exec(db, sql_file_find("db/citus_comments_keep")->text, err) &&
		place_all(db, plan, p, err) &&
		db_exec(db, sql_file_find("db/citus_comments_restore")->text, err))
		return db_commit(db, err);
	db_rollback(db);
	return false;
}

/* Removes the rows that create_distributed_table leaves in the local tables. */
static bool
free_local_rows(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct placed p;
	bool ok = read_placed(db, &p, err);
	char sql[300];

	for (size_t i = 0; ok && p.rows && i < db_result_rows(p.rows); i++) {
		const char *name = db_result_value(p.rows, i, 0).data;

		if (!db_result_bool(p.rows, i, 1))
			continue;
		distribute_step(plan, "free the local copy of %s", name);
		snprintf(sql, sizeof(sql),
			"SELECT truncate_local_data_after_distributing_table('profdepot.%s')",
			name);
		ok = plan->dry_run || db_exec(db, sql, err);
	}
	db_result_free(p.rows);
	return ok;
}

static bool
share_the_rest(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	distribute_step(plan, "share functions, roles and settings");
	return plan->dry_run ||
	       (db_done(db_query(db, sql_file_find("db/citus_functions")->text, NULL, 0, err)) &&
		       db_exec(db, sql_file_find("db/citus_settings")->text, err) &&
		       distribute_statistics(db, err));
}

/* Takes the migration lock, so that no other program changes the schema. The server releases the lock
 * when the connection ends. */
bool
distribute_depot(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct placed p = { NULL };
	bool ok =
		(plan->dry_run ||
			db_exec(db, "SELECT pg_catalog.pg_advisory_lock(" MIGRATE_LOCK ")", err)) &&
		distribute_check_servers(db, plan, err) && distribute_extension(db, plan, err) &&
		distribute_add_servers(db, plan, err) && read_placed(db, &p, err) &&
		place_in_transaction(db, plan, &p, err);

	db_result_free(p.rows);
	return ok && free_local_rows(db, plan, err) && share_the_rest(db, plan, err);
}
