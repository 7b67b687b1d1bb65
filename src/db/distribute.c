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
distribute_is_partial(struct db *db, bool *partial, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/citus_partial")->text, NULL, 0, err);

	*partial = r && db_result_bool(r, 0, 0);
	return db_done(r);
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

/* One row of src/db/sql/distribution.sql. */
struct relation {
	const char *name, *place;
	int64_t bytes;        /* see distribution.sql */
	size_t number, count; /* its position among all relations, from 1 */
};

static struct relation
relation_of(const struct db_result *all, size_t row)
{
	return (struct relation){
		.name = db_result_value(all, row, 0).data,
		.place = db_result_value(all, row, 1).data,
		.bytes = db_result_int64(all, row, 2, 0),
		.number = row + 1,
		.count = db_result_rows(all),
	};
}

/* The table that is placed last, see src/db/sql/citus_partial.sql. */
static bool
is_last(const struct relation *r)
{
	return strcmp(r->name, "schema_migrations") == 0;
}

/* Sizes below 0.1 MB are not shown, because their copies take no noticeable time. */
static void
step_with_size(const struct distribute_plan *plan, const struct relation *r, const char *text)
{
	if (r->bytes >= 100000)
		distribute_step(plan, "%s (%.1f MB)", text, (double)r->bytes / 1e6);
	else
		distribute_step(plan, "%s", text);
}

static bool
place_table(struct db *db, const struct distribute_plan *plan, const struct relation *r,
	struct error *err)
{
	char step[150];
	char sql[300];

	if (strcmp(r->place, "reference") == 0) {
		snprintf(step, sizeof(step), "copy %s to every server", r->name);
		snprintf(
			sql, sizeof(sql), "SELECT create_reference_table('profdepot.%s')", r->name);
	} else if (strcmp(r->place, "coordinator") == 0) {
		snprintf(step, sizeof(step), "keep %s on the coordinator", r->name);
		snprintf(sql, sizeof(sql),
			"SELECT citus_add_local_table_to_metadata('profdepot.%s')", r->name);
	} else if (strcmp(r->name, "instances") == 0) {
		snprintf(step, sizeof(step), "distribute instances over %lld shards",
			(long long)plan->shards);
		snprintf(sql, sizeof(sql),
			"SELECT create_distributed_table('profdepot.instances', 'inst_id', "
			"shard_count := %lld)",
			(long long)plan->shards);
	} else {
		snprintf(step, sizeof(step), "distribute %s", r->name);
		snprintf(sql, sizeof(sql),
			"SELECT create_distributed_table('profdepot.%s', 'inst_id', "
			"colocate_with := 'profdepot.instances')",
			r->name);
	}
	step_with_size(plan, r, step);
	if (plan->dry_run)
		return true;
	return distribute_copy(db, plan,
		       &(struct distribute_copy){ .sql = sql,
			       .relation = r->name,
			       .bytes = r->bytes,
			       .number = r->number,
			       .count = r->count },
		       err) ||
	       error_prefix(err, "%s", r->name);
}

/* Removes the rows that create_distributed_table leaves in the local table. */
static bool
free_rows(struct db *db, const struct distribute_plan *plan, const char *name, struct error *err)
{
	char sql[300];

	snprintf(sql, sizeof(sql),
		"SELECT truncate_local_data_after_distributing_table('profdepot.%s')", name);
	return plan->dry_run || db_exec(db, sql, err);
}

/* Removes the rows that an interrupted command has left. */
static bool
free_left_rows(struct db *db, const struct distribute_plan *plan, const struct placed *p,
	struct error *err)
{
	for (size_t i = 0; p->rows && i < db_result_rows(p->rows); i++) {
		const char *name = db_result_value(p->rows, i, 0).data;

		if (!db_result_bool(p->rows, i, 1))
			continue;
		distribute_step(plan, "free the local copy of %s", name);
		if (!free_rows(db, plan, name, err))
			return false;
	}
	return true;
}

/* A transaction that places relations. It saves the comments, because Citus removes some. */
static bool
begin_placing(struct db *db, struct error *err)
{
	return db_begin_long(db, err) &&
	       db_exec(db, sql_file_find("db/citus_comments_keep")->text, err);
}

static bool
end_placing(struct db *db, struct error *err)
{
	return db_exec(db, sql_file_find("db/citus_comments_restore")->text, err) &&
	       db_commit(db, err);
}

/* Places a relation in the open transaction, or begins one. Ends the transaction if the relation has rows. Therefore an
 * interrupted command keeps the relations that it has finished, and does not wait for a commit after each empty one. */
static bool
place_one(struct db *db, const struct distribute_plan *plan, const struct relation *r, bool *open,
	struct error *err)
{
	if (!plan->dry_run && !*open && !begin_placing(db, err))
		return false;
	*open = true;
	if (!place_table(db, plan, r, err))
		return false;
	if (r->bytes == 0 || plan->dry_run)
		return true;
	*open = false;
	return end_placing(db, err) &&
	       (strcmp(r->place, "distributed") != 0 || free_rows(db, plan, r->name, err));
}

/* Places either the last relation or all others. */
static bool
place(struct db *db, const struct distribute_plan *plan, const struct placed *p, bool last,
	struct error *err)
{
	struct db_result *all = db_query(db, sql_file_find("db/distribution")->text, NULL, 0, err);
	bool ok = all != NULL;
	bool open = false;

	for (size_t i = 0; ok && i < db_result_rows(all); i++) {
		const struct relation r = relation_of(all, i);

		if (is_last(&r) == last && !is_placed(p, text_from(r.name)))
			ok = place_one(db, plan, &r, &open, err);
	}
	db_result_free(all);
	if (ok && open && !plan->dry_run)
		ok = end_placing(db, err);
	if (!ok)
		db_rollback(db);
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

/* The last relation is placed when everything else is done, see distribute_is_partial. */
static bool
distribute_locked(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct placed p = { NULL };
	bool ok = distribute_check_servers(db, plan, err) && distribute_extension(db, plan, err) &&
		  distribute_add_servers(db, plan, err) && read_placed(db, &p, err) &&
		  free_left_rows(db, plan, &p, err) && place(db, plan, &p, false, err) &&
		  share_the_rest(db, plan, err) && place(db, plan, &p, true, err);

	db_result_free(p.rows);
	return ok;
}

/* Takes the migration lock, so that no other program changes the schema. The server releases the lock
 * when the connection ends. */
bool
distribute_depot(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	return (plan->dry_run ||
		       db_exec(db, "SELECT pg_catalog.pg_advisory_lock(" MIGRATE_LOCK ")", err)) &&
	       distribute_locked(db, plan, err);
}
