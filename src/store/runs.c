/* Reads the runs of result sets, and stores verdicts on budgets. */
#include "store/runs.h"

#include "base/number.h"
#include "base/pair_map.h"
#include "store_private.h"

static void
add_coverage(struct run *run, struct arena *a, const struct db_result *r, size_t row)
{
	enum coverage_what what;
	struct coverage c;

	if (!coverage_what_parse(db_result_value(r, row, 2), &what) ||
		!coverage_degree_parse(db_result_value(r, row, 3), &c.degree))
		return;
	c.source = arena_text(a, db_result_value(r, row, 4));
	run->coverage[what] = c;
}

/* Sets all members to unknown. */
static void
forget(struct run *run)
{
	*run = (struct run){ .finished = -1 };
	for (int i = 0; i < COVERAGE_WHATS; i++)
		run->coverage[i].degree = COVERAGE_UNKNOWN;
}

static void
take_row(struct run *run, struct arena *a, const struct db_result *r, size_t row)
{
	struct text finished = db_result_value(r, row, 1);

	if (text_is_null(run->key))
		run->key = arena_text(a, db_result_value(r, row, 0));
	if (finished.data)
		run->finished = text_equal(finished, TEXT_LITERAL("t"));
	add_coverage(run, a, r, row);
}

bool
run_find(struct db *db, struct arena *a, int64_t inst_id, struct run *run, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/find_run", inst_id, err);

	forget(run);
	for (size_t i = 0; r && i < db_result_rows(r); i++)
		take_row(run, a, r, i);
	return db_done(r);
}

bool
runs_find(struct db *db, struct arena *a, const int64_t *inst_ids, size_t count, struct run *runs,
	struct error *err)
{
	struct db_result *r = store_query_sets(db, "store/find_runs", inst_ids, count, err);
	struct pair_map places = { 0 };

	for (size_t i = 0; i < count; i++) {
		forget(&runs[i]);
		pair_map_add(&places, inst_ids[i], 0, (uint32_t)i, NULL);
	}
	for (size_t i = 0; r && i < db_result_rows(r); i++) {
		uint32_t at = pair_map_get(&places, db_result_int64(r, i, 5, 0), 0);

		if (at != PAIR_MAP_NONE)
			take_row(&runs[at], a, r, i);
	}
	pair_map_release(&places);
	return db_done(r);
}

static bool
store_verdicts(struct db *db, int64_t inst_id, const struct verdict *verdicts, size_t count,
	struct error *err)
{
	struct db_result *held = store_query_set(db, "store/lock_result_set", inst_id, err);
	bool exists = held && db_result_rows(held) > 0;
	bool ok = db_done(held) &&
		  (!exists || db_done(store_query_set(db, "store/remove_verdicts", inst_id, err)));

	for (size_t i = 0; ok && exists && i < count; i++)
		ok = db_done(STORE_QUERY(db, "add_verdict", SQL_STORE_ADD_VERDICT,
			err, [SQL_STORE_ADD_VERDICT_INST_ID] = INT64_TEXT(inst_id),
			[SQL_STORE_ADD_VERDICT_BUDGET_NO] = INT64_TEXT((int64_t)i + 1),
			[SQL_STORE_ADD_VERDICT_BUDGET] = verdicts[i].budget,
			[SQL_STORE_ADD_VERDICT_VERDICT] = verdicts[i].verdict,
			[SQL_STORE_ADD_VERDICT_REASON] = verdicts[i].reason));
	return ok;
}

bool
verdicts_store(struct db *db, const int64_t *inst_ids, size_t inst_id_count,
	const struct verdict *verdicts, size_t count, struct error *err)
{
	if (!db_begin(db, err))
		return false;
	for (size_t i = 0; i < inst_id_count; i++)
		if (!store_verdicts(db, inst_ids[i], verdicts, count, err)) {
			db_rollback(db);
			return false;
		}
	return db_commit(db, err);
}

struct db_result *
streams_list(struct db *db, struct error *err)
{
	return STORE_QUERY(db, "list_streams", SQL_STORE_LIST_STREAMS,
		err, [SQL_STORE_LIST_STREAMS_MAX_COUNT] = INT64_TEXT(STREAM_MAX_COUNT));
}

bool
stream_labels_set(struct db *db, const char *keys, struct error *err)
{
	return db_done(STORE_QUERY(db, "set_stream_labels", SQL_STORE_SET_STREAM_LABELS,
		err, [SQL_STORE_SET_STREAM_LABELS_LABELS] = keys));
}

bool
stream_parent_set(struct db *db, const char *labels, struct error *err)
{
	return db_done(STORE_QUERY(db, "set_stream_parent", SQL_STORE_SET_STREAM_PARENT,
		err, [SQL_STORE_SET_STREAM_PARENT_LABELS] = labels));
}
