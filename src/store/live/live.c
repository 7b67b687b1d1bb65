/* Transactions on open result sets, the sets' statistics, and named batches. */
#include "live_private.h"
#include "store/store_private.h"

#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

enum {
	SCRATCH_MAX_BYTES = 64 * 1024 * 1024,
	ANALYZE_FIRST_ROWS = 1000,
	ANALYZE_EVERY_SECONDS = 5,
};

struct live *
live_new(void)
{
	struct live *l = xcalloc(1, sizeof(*l));

	strbuf_init(&l->scratch, SCRATCH_MAX_BYTES);
	l->sha = sha256_new();
	return l;
}

static void
drop_sets(struct live *l)
{
	for (size_t i = 0; i < l->slot_count; i++)
		live_set_free(l->slots[i]);
	l->slot_count = 0;
	pair_map_release(&l->set_by_key);
}

void
live_free(struct live *l)
{
	if (!l)
		return;
	live_rollback(l);
	drop_sets(l);
	free(l->slots);
	free(l->ids);
	copier_free(l->copier);
	strbuf_release(&l->scratch);
	sha256_free(l->sha);
	free(l);
}

void
live_day(char out[LIVE_DAY_BYTES])
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(out, LIVE_DAY_BYTES, "%Y-%m-%d", &tm);
}

/* Begins a transaction, with several statements in one round trip. Statements that are sent together cannot have
 * parameters, so their text contains the values. This is safe, because the values are numbers and the hexadecimal
 * digits of a uuid. Commits do not wait for the disk. Instead, live_progress_flush waits for it while the next
 * transactions run. With Citus, commits do wait for the disk. If they did not, a crash of the coordinator
 * could lose its part of a transaction. The parts of the other servers would remain, because they are always
 * flushed at COMMIT, and the events would be stored twice. */
static bool
begin(struct live *l, struct live_progress *p, struct error *err)
{
	char sql[500];
	struct db_result *r;
	bool held;

	snprintf(sql, sizeof(sql),
		"BEGIN; SELECT pg_catalog.set_config('synchronous_commit', 'off', true) WHERE NOT EXISTS "
		"(SELECT FROM pg_catalog.pg_extension e WHERE e.extname = 'citus'); "
		"UPDATE profdepot.posted_progress SET groups = %lld, changed_at = now() "
		"WHERE server = '%s' AND groups = %lld RETURNING groups",
		(long long)++p->last, p->server, (long long)p->groups);
	r = db_begin_query(l->db, sql, err);
	if (!r)
		return false;
	held = db_result_rows(r) > 0;
	l->number = (int64_t)(random_number() >> 1) | 1;
	db_result_free(r);
	return held || error_set(err, ERROR_DATABASE,
			       "the most recently stored events are no longer in the database");
}

static bool
read_last(struct live *l, struct error *err)
{
	int64_t last;

	if (l->last_known)
		return true;
	if (!store_int64(db_query(l->db, store_sql("store/live_last"), NULL, 0, err), 0, &last))
		return false;
	if (last > l->last_sample)
		l->last_sample = last;
	l->last_known = true;
	return true;
}

bool
live_begin(
	struct live *l, struct db *db, const char *day, struct live_progress *p, struct error *err)
{
	if (strcmp(day, l->day) != 0)
		drop_sets(l);
	snprintf(l->day, sizeof(l->day), "%s", day);
	l->db = db;
	l->progress = p;
	if (!begin(l, p, err) || !read_last(l, err)) {
		live_rollback(l);
		return false;
	}
	if (!l->copier)
		l->copier = copier_new(db, store_relations, RELATIONS_WRITTEN);
	return true;
}

/* Records that ANALYZE may be due. Without ANALYZE, the planner may expect too few rows in a growing set. */
static void
note_rows(struct live *l, struct live_set *set)
{
	if (set->rows_since < ANALYZE_FIRST_ROWS || set->rows_since < set->rows_analyzed)
		return;
	set->rows_analyzed += set->rows_since;
	set->rows_since = 0;
	l->analyze_set = set->inst_id;
}

bool
live_commit(struct live *l, struct error *err)
{
	if (!live_flush_samples(l, err) || !copier_settle(l->copier, err) || !db_commit(l->db, err))
		return false;
	l->db = NULL;
	l->progress->groups = l->progress->last;
	for (size_t i = 0; i < l->slot_count; i++) {
		struct live_set *set = l->slots[i];

		if (set->touched)
			set->number = l->number;
		set->touched = false;
		note_rows(l, set);
	}
	return true;
}

static void
drop_copier(struct live *l)
{
	copier_free(l->copier);
	l->copier = NULL;
}

/* Rolls back the transaction, and frees the copier, which cannot be used again after a failure. */
void
live_rollback(struct live *l)
{
	if (!l->db)
		return;
	db_rollback(l->db);
	l->db = NULL;
	sample_block_clear(&l->block);
	drop_copier(l);
	for (size_t i = 0; i < l->slot_count; i++) {
		if (!l->slots[i]->touched)
			continue;
		live_set_clear(l->slots[i]);
		l->slots[i]->touched = false;
	}
}

/* Frees everything that depends on the connection. This includes the copier, which several
 * transactions use. */
void
live_disconnect(struct live *l)
{
	live_rollback(l);
	drop_copier(l);
	drop_sets(l);
	l->last_known = false;
	l->last_sample = 0;
}

bool
live_analyze(struct live *l, struct db *db, struct error *err)
{
	double now = clock_seconds();
	int64_t inst_id;

	if (!l->analyze_set || now - l->analyzed < ANALYZE_EVERY_SECONDS)
		return true;
	inst_id = l->analyze_set;
	l->analyze_set = 0;
	l->analyzed = now;
	return db_done(STORE_QUERY(db, "analyze", SQL_STORE_ANALYZE,
		err, [SQL_STORE_ANALYZE_INST_ID] = INT64_TEXT(inst_id),
		[SQL_STORE_ANALYZE_RELATIONS] =
			"{sample_blocks,sample_rows,span_rows,tracks,stacks,"
			"resource_profiler_meta_routines}"));
}

/* Returns whether a UUID in text form has these 32 hexadecimal digits. */
static bool
is_digest(struct text uuid, const char *hex)
{
	size_t n = 0;

	for (size_t i = 0; i < uuid.size; i++)
		if (uuid.data[i] != '-' && uuid.data[i] != hex[n++])
			return false;
	return n == 32;
}

/* Finds out whether the batch is still in the depot: *there is true if the depot has any of the batch's result
 * sets, or if the batch had no rows. */
static bool
is_still_there(struct live *l, const char *inst_ids, bool *there, struct error *err)
{
	int64_t count;

	*there = strcmp(inst_ids, "{}") == 0;
	if (*there)
		return true;
	if (!store_int64(STORE_QUERY(l->db, "live_batch_stored", SQL_STORE_LIVE_BATCH_STORED,
				 err, [SQL_STORE_LIVE_BATCH_STORED_INST_IDS] = inst_ids),
		    0, &count))
		return false;
	*there = count > 0;
	return true;
}

bool
live_named_find(struct live *l, const char *name, struct hash128 digest, enum live_named *found,
	struct error *err)
{
	struct db_result *r = live_named_query(l, name, err);
	char hex[HASH128_HEX_BYTES];
	bool there = true;

	if (!r || (db_result_rows(r) &&
			  !is_still_there(l, db_result_value(r, 0, 1).data, &there, err))) {
		db_result_free(r);
		return false;
	}
	hash128_hex(digest, hex);
	if (db_result_rows(r) == 0)
		*found = LIVE_NEW;
	else if (!there)
		*found = LIVE_AGAIN;
	else
		*found = is_digest(db_result_value(r, 0, 0), hex) ? LIVE_KNOWN : LIVE_DIFFERS;
	db_result_free(r);
	return true;
}

bool
live_named_add(struct live *l, const char *name, struct hash128 digest, bool again,
	const int64_t *inst_ids, size_t count, struct error *err)
{
	char hex[HASH128_HEX_BYTES];
	struct db_result *r;
	bool mine;

	hash128_hex(digest, hex);
	strbuf_reset(&l->scratch);
	r = STORE_QUERY(l->db, "live_batch_add", SQL_STORE_LIVE_BATCH_ADD, err,
		[SQL_STORE_LIVE_BATCH_ADD_NAME] = name, [SQL_STORE_LIVE_BATCH_ADD_DIGEST] = hex,
		[SQL_STORE_LIVE_BATCH_ADD_INST_IDS] = store_ids(&l->scratch, inst_ids, count),
		[SQL_STORE_LIVE_BATCH_ADD_AGAIN] = again ? "t" : "f");
	mine = r && db_result_rows(r) > 0;
	db_result_free(r);
	if (r && !mine)
		return error_set(err, ERROR_DATABASE, "another server is storing this batch");
	return mine;
}

bool
live_named_expire(struct db *db, struct error *err)
{
	return db_exec(db, store_sql("store/live_batch_expire"), err);
}
