/* Reads the runs of result sets. */
#include "store/runs.h"

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

bool
run_find(struct db *db, struct arena *a, int64_t inst_id, struct run *run, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/find_run", inst_id, err);

	*run = (struct run){ .finished = -1 };
	for (int i = 0; i < COVERAGE_WHATS; i++)
		run->coverage[i].degree = COVERAGE_UNKNOWN;
	if (!r)
		return false;
	if (db_result_rows(r)) {
		struct text finished = db_result_value(r, 0, 1);

		run->key = arena_text(a, db_result_value(r, 0, 0));
		if (finished.data)
			run->finished = text_equal(finished, TEXT_LITERAL("t"));
	}
	for (size_t i = 0; i < db_result_rows(r); i++)
		add_coverage(run, a, r, i);
	db_result_free(r);
	return true;
}

struct db_result *
streams_list(struct db *db, struct error *err)
{
	return db_query(db, store_sql("store/list_streams"), NULL, 0, err);
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
