/* Shows, changes and removes result sets. */
#include "store/result_sets.h"

#include "base/number.h"
#include "checksums.h"
#include "db/sql_array.h"
#include "store_private.h"

#include <stdio.h>
#include <string.h>

enum {
	IDS_MAX_BYTES = 1024 * 1024,
};

bool
result_set_not_found(int64_t inst_id, struct error *err)
{
	error_set(err, ERROR_NOT_FOUND, "there is no result set %lld", (long long)inst_id);
	return error_hint(err, "\"profdepot list\" shows the result sets");
}

bool
result_set_caption(struct db *db, struct arena *a, int64_t inst_id, struct text *id,
	struct text *caption, struct error *err)
{
	const char *digits = arena_printf(a, "%lld", (long long)inst_id);
	struct db_result *r = db_query(db,
		"SELECT i.caption FROM profdepot.instances i WHERE i.inst_id = $1::bigint", &digits,
		1, err);
	bool found = r && db_result_rows(r) > 0;

	*id = text_from(digits);
	if (found)
		*caption = arena_text(a, db_result_value(r, 0, 0));
	db_result_free(r);
	return found || (r && result_set_not_found(inst_id, err));
}

/* --- show ------------------------------------------------------------------------------------ */

/* Returns the row counts by relation: the stored ones if the result set is closed. Otherwise, counts its rows. */
static struct db_result *
counts_of(struct db *db, int64_t inst_id, struct error *err)
{
	struct db_result *stored = store_query_set(db, "store/show_counts", inst_id, err);

	if (!stored || db_result_rows(stored))
		return stored;
	db_result_free(stored);
	return store_query_set(db, "store/show_open_counts", inst_id, err);
}

bool
result_set_show(struct db *db, int64_t inst_id, struct result_set_details *d, struct error *err)
{
	static const char *const files[] = { "store/show_labels", "store/show_coverage",
		"store/show_metrics", "store/show_verdicts", "store/show_issues" };
	struct db_result **parts[] = { &d->labels, &d->coverage, &d->metrics, &d->verdicts,
		&d->issues };

	*d = (struct result_set_details){ NULL };
	d->row = STORE_QUERY(db, "show_result_set", SQL_STORE_SHOW_RESULT_SET,
		err, [SQL_STORE_SHOW_RESULT_SET_INST_ID] = INT64_TEXT(inst_id),
		[SQL_STORE_SHOW_RESULT_SET_TIME_ZONE] = db_time_zone(db));
	if (!d->row)
		return false;
	if (db_result_rows(d->row) == 0) {
		result_set_details_release(d);
		return result_set_not_found(inst_id, err);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		*parts[i] = store_query_set(db, files[i], inst_id, err);
		if (!*parts[i]) {
			result_set_details_release(d);
			return false;
		}
	}
	d->counts = counts_of(db, inst_id, err);
	if (!d->counts)
		result_set_details_release(d);
	return d->counts != NULL;
}

void
result_set_details_release(struct result_set_details *d)
{
	db_result_free(d->row);
	db_result_free(d->labels);
	db_result_free(d->coverage);
	db_result_free(d->counts);
	db_result_free(d->metrics);
	db_result_free(d->verdicts);
	db_result_free(d->issues);
	*d = (struct result_set_details){ NULL };
}

bool
result_set_count_rows(struct db *db, int64_t inst_id, int64_t *rows, struct error *err)
{
	struct db_result *r = counts_of(db, inst_id, err);

	if (!r)
		return false;
	*rows = 0;
	for (size_t i = 0; i < db_result_rows(r); i++) {
		struct text relation = db_result_value(r, i, 0);

		if (!text_equal(relation, TEXT_LITERAL("stacks")) &&
			!text_equal(relation, TEXT_LITERAL("metrics")))
			*rows += db_result_int64(r, i, 1, 0);
	}
	db_result_free(r);
	return true;
}

/* --- change ---------------------------------------------------------------------------------- */

static bool
lock(struct db *db, int64_t inst_id, bool *found, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/lock_result_set", inst_id, err);

	*found = r && db_result_rows(r) > 0;
	return db_done(r);
}

static bool
set_label(struct db *db, const char *inst_id, const struct label *label, struct error *err)
{
	struct arena a = ARENA_INIT;
	bool ok = db_done(STORE_QUERY(db, "set_label", SQL_STORE_SET_LABEL,
		err, [SQL_STORE_SET_LABEL_INST_ID] = inst_id,
		[SQL_STORE_SET_LABEL_KEY] = arena_strndup(&a, label->key.data, label->key.size),
		[SQL_STORE_SET_LABEL_VALUE] =
			arena_strndup(&a, label->value.data, label->value.size)));

	arena_release(&a);
	return ok;
}

/* Streams and history read the application from the ledger, too. */
static bool
set_application(struct db *db, const char *inst_id, const char *application, struct error *err)
{
	return db_done(STORE_QUERY(db, "set_application", SQL_STORE_SET_APPLICATION,
		       err, [SQL_STORE_SET_APPLICATION_INST_ID] = inst_id,
		       [SQL_STORE_SET_APPLICATION_APPLICATION] = application)) &&
	       db_done(STORE_QUERY(db, "move_application", SQL_STORE_MOVE_APPLICATION,
		       err, [SQL_STORE_MOVE_APPLICATION_INST_ID] = inst_id,
		       [SQL_STORE_MOVE_APPLICATION_APPLICATION] = application));
}

static bool
change_one(
	struct db *db, int64_t inst_id, const struct result_set_change *change, struct error *err)
{
	const char *digits = INT64_TEXT(inst_id);
	bool found;

	if (!lock(db, inst_id, &found, err))
		return false;
	if (!found)
		return result_set_not_found(inst_id, err);
	for (size_t i = 0; i < change->removed_keys.count; i++)
		if (!db_done(STORE_QUERY(db, "remove_label", SQL_STORE_REMOVE_LABEL,
			    err, [SQL_STORE_REMOVE_LABEL_INST_ID] = digits,
			    [SQL_STORE_REMOVE_LABEL_KEY] = change->removed_keys.items[i])))
			return false;
	for (size_t i = 0; i < change->label_count; i++)
		if (!set_label(db, digits, &change->labels[i], err))
			return false;
	if (change->removed_keys.count + change->label_count &&
		!(db_done(store_query_set(db, "store/move_run", inst_id, err)) &&
			db_done(store_query_set(db, "store/stream_place", inst_id, err))))
		return false;
	if (change->caption && !db_done(STORE_QUERY(db, "set_caption", SQL_STORE_SET_CAPTION,
				       err, [SQL_STORE_SET_CAPTION_INST_ID] = digits,
				       [SQL_STORE_SET_CAPTION_CAPTION] = change->caption)))
		return false;
	if (change->application && !set_application(db, digits, change->application, err))
		return false;
	return checksum_renew(db, inst_id, REL_LABELS, err) &&
	       checksum_renew(db, inst_id, REL_INSTANCES, err);
}

static bool
prepare_moves(struct db *db, const int64_t *inst_ids, size_t count, const char *application,
	struct error *err)
{
	struct strbuf ids;
	bool ok;

	strbuf_init(&ids, IDS_MAX_BYTES);
	ok = db_done(STORE_QUERY(db, "prepare_moves", SQL_STORE_PREPARE_MOVES,
		err, [SQL_STORE_PREPARE_MOVES_INST_IDS] = store_ids(&ids, inst_ids, count),
		[SQL_STORE_PREPARE_MOVES_APPLICATION] = application));
	strbuf_release(&ids);
	return ok;
}

bool
result_sets_change(struct db *db, const int64_t *inst_ids, size_t count,
	const struct result_set_change *change, struct error *err)
{
	if (change->application && strlen(change->application) > RUN_NAME_MAX_BYTES) {
		error_set(err, ERROR_USAGE, "the name of the application exceeds %d bytes",
			(int)RUN_NAME_MAX_BYTES);
		return error_hint(err, "choose a shorter name");
	}
	/* The ledger records a change only for published runs. */
	if (!db_exec(db, "SELECT profdepot.ledger_publish()", err) || !db_begin(db, err))
		return false;
	if (change->application && !prepare_moves(db, inst_ids, count, change->application, err)) {
		store_blame_user(err);
		db_rollback(db);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!change_one(db, inst_ids[i], change, err)) {
			store_blame_user(err);
			db_rollback(db);
			return false;
		}
	}
	return db_commit(db, err);
}

/* --- remove ---------------------------------------------------------------------------------- */

/* One statement per relation. The names need no quotes, because they are constants. */
static const char *const deletes[] = {
#define DELETE_ROW(id, name) "DELETE FROM profdepot." #name " WHERE inst_id = ANY ($1::bigint[])",
	RELATION_TABLE(DELETE_ROW)
#undef DELETE_ROW
};

enum rows_to_delete {
	ROWS_ALL,
	ROWS_SMALL,
	ROWS_LARGE
};

/* Deletes the rows of the result sets from the relations that `which` selects. The order of the relations is
 * the reverse of the order in which a load writes them. */
static bool
delete_rows(struct db *db, enum rows_to_delete which, const int64_t *inst_ids, size_t count,
	struct error *err)
{
	struct strbuf ids;
	const char *params[1];
	bool ok = true;

	strbuf_init(&ids, IDS_MAX_BYTES);
	params[0] = store_ids(&ids, inst_ids, count);
	for (size_t i = sizeof(deletes) / sizeof(deletes[0]); ok && i-- > 0;) {
		const enum relation r = (enum relation)i;

		if (!relation_is_history(r) &&
			(which == ROWS_ALL || (which == ROWS_LARGE) == relation_is_large(r)))
			ok = db_done(db_query(db, deletes[i], params, 1, err));
	}
	strbuf_release(&ids);
	return ok;
}

/* Result sets that are removed together. The ranges that contain the result sets in `dropped` are dropped.
 * The rows of the result sets in `others` are deleted. */
struct divided {
	int64_t *dropped, *others;
	size_t dropped_count, other_count;
};

static bool
contains(const int64_t *ids, size_t count, int64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static bool
divide(struct db *db, struct arena *a, const int64_t *inst_ids, size_t count, struct divided *d,
	struct error *err)
{
	struct db_result *r = store_query_sets(db, "store/partition_remove", inst_ids, count, err);

	if (!r)
		return false;
	d->dropped = arena_alloc_array(a, count, sizeof(*d->dropped));
	d->others = arena_alloc_array(a, count, sizeof(*d->others));
	for (size_t i = 0; i < db_result_rows(r); i++)
		d->dropped[d->dropped_count++] = db_result_int64(r, i, 0, 0);
	for (size_t i = 0; i < count; i++)
		if (!contains(d->dropped, d->dropped_count, inst_ids[i]))
			d->others[d->other_count++] = inst_ids[i];
	db_result_free(r);
	return true;
}

static bool
delete_divided(struct db *db, const struct divided *d, struct error *err)
{
	return (!d->other_count || delete_rows(db, ROWS_ALL, d->others, d->other_count, err)) &&
	       (!d->dropped_count ||
		       delete_rows(db, ROWS_SMALL, d->dropped, d->dropped_count, err));
}

/* Drops the ranges after the removal is committed, because a dropped table is also missing in earlier snapshots. If
 * the ranges' tables are in use, deletes their rows instead, one result set at a time. */
static bool
drop_ranges(struct db *db, const struct divided *d, struct error *err)
{
	struct db_result *r;
	bool complete;
	bool ok = true;

	if (!d->dropped_count)
		return true;
	r = db_query(db, "SELECT profdepot.partition_drop()", NULL, 0, err);
	if (!r)
		return false;
	complete = db_result_bool(r, 0, 0);
	db_result_free(r);
	for (size_t i = 0; ok && !complete && i < d->dropped_count; i++)
		ok = delete_rows(db, ROWS_LARGE, &d->dropped[i], 1, err);
	return ok;
}

static bool
forget_run(struct db *db, int64_t inst_id, bool *known, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/forget_run", inst_id, err);

	*known = r && text_equal(db_result_value(r, 0, 0), TEXT_LITERAL("t"));
	return db_done(r);
}

static bool
forget_runs(struct db *db, const int64_t *inst_ids, size_t count, bool *removed, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		bool known;

		if (!forget_run(db, inst_ids[i], &known, err))
			return false;
		removed[i] |= known;
	}
	return true;
}

/* Locks the result sets in the given order. All callers pass the newest one first, so that two commands cannot
 * wait for each other. */
static bool
lock_all(struct db *db, const int64_t *inst_ids, size_t count, bool *found, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (!lock(db, inst_ids[i], &found[i], err))
			return false;
	return true;
}

bool
result_sets_remove(struct db *db, const int64_t *inst_ids, size_t count, bool forget, bool *removed,
	struct error *err)
{
	struct arena a = ARENA_INIT;
	struct divided d = { NULL };
	bool ok;

	/* The runs must be in the history before their facts are removed. */
	if (!db_exec(db, "SELECT profdepot.ledger_publish()", err) || !db_begin(db, err))
		return false;
	ok = lock_all(db, inst_ids, count, removed, err) &&
	     divide(db, &a, inst_ids, count, &d, err) && delete_divided(db, &d, err) &&
	     (!forget || forget_runs(db, inst_ids, count, removed, err)) && db_commit(db, err);
	if (!ok)
		db_rollback(db);
	ok = ok && drop_ranges(db, &d, err);
	arena_release(&a);
	return ok;
}

bool
result_set_is_open(struct db *db, int64_t inst_id, bool *open, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/state", inst_id, err);

	if (!r)
		return false;
	if (db_result_rows(r) == 0) {
		db_result_free(r);
		return result_set_not_found(inst_id, err);
	}
	*open = text_equal(db_result_value(r, 0, 0), TEXT_LITERAL("open"));
	db_result_free(r);
	return true;
}

struct db_result *
result_sets_open_counts(struct db *db, const int64_t *inst_ids, size_t count, struct error *err)
{
	return store_query_sets(db, "store/open_counts", inst_ids, count, err);
}

struct db_result *
result_sets_contents(struct db *db, const int64_t *inst_ids, size_t count, struct error *err)
{
	return store_query_sets(db, "store/set_contents", inst_ids, count, err);
}
