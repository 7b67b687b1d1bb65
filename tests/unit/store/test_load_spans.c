/* Tests that spans are stored (needs PROFDEPOT_DB). */
#include "load_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_frames(void **state)
{
	struct trial *t = *state;
	path_number a;
	path_number ab;
	path_number aba;

	begin(t);
	routines(t, 2);
	metric(t, METRIC_OF_SPANS, "time", "seconds");
	track(t, 1, 1);
	a = path(t, 0, 1);
	ab = path(t, a, 2);
	aba = path(t, ab, 1);
	assert_int_equal(path(t, a, 2), ab);
	/* calls are emitted in the order in which they end */
	frame(t, 3, 2, aba, 1, "1.25", "1.5");
	frame(t, 2, 1, ab, 2, "1", "2.0");
	frame(t, 4, 1, ab, 2, "3", "3.125");
	frame(t, 1, MODEL_NULL, a, 1, "0", "10");
	/* calls without an end, without a routine, and with large numbers */
	frame(t, 5, 1, ab, 2, "5", NULL);
	frame(t, 6, MODEL_NULL, path(t, 0, MODEL_NULL), MODEL_NULL, "20", "21");
	frame(t, INT64_C(9000000000), 1, path(t, a, INT64_C(5000000000)), INT64_C(5000000000), "9",
		"9.5");
	commit(t);
	assert_answer(t,
		"SELECT id, parent_id, track_id, kind, name, routine_id, start, duration "
		"FROM profdepot.spans WHERE inst_id = $1 ORDER BY id",
		"1||1|frame|a|1|0.000|10.000\n2|1|1|frame|b|2|1.000|1.000\n"
		"3|2|1|frame|a|1|1.250|0.250\n4|1|1|frame|b|2|3.000|0.125\n"
		"5|1|1|frame|b|2|5.000|\n6||1|frame|||20|1\n"
		"9000000000|1|1|frame||5000000000|9|0.5");
	assert_answer(t,
		"SELECT block_no, track_id, base_id, time_unit, ids, parents, routine_ids, starts, "
		"stops, exact_starts FROM profdepot.span_blocks WHERE inst_id = $1",
		"1|1|3|0.001|{0,-1,1,-2,2}|{1,1,3,0,4}|{1,2,2,1,2}|{1250,1000,3000,0,5000}|"
		"{1500,2000,3125,10000,NULL}|");
	assert_answer(t, tree_sql,
		"1|0||0||0|11|f\n1|1|0|1|1|8.375|10|f\n1|2|1|2|2|0.875|1.125|f\n"
		"1|3|2|3|1|0.25|0.25|f\n1|4|1|2|5000000000|0.5|0.5|f\n1|5|0|1||1|1|f");
	assert_answer(
		t, routines_sql, "1|-1|1|1\n1|1|8.625|10\n1|2|0.875|1.125\n1|5000000000|0.5|0.5");
	assert_answer(t, counts_sql,
		"metrics|1|1|0\nsamples|0|0|0\nspans|7|9000000021|12.875\ntracks|1|1|0");
	assert_kept(t);
}

/* Tests times that do not fit into 64 bits in any unit. */
static void
test_exact_frames(void **state)
{
	struct trial *t = *state;

	begin(t);
	routines(t, 1);
	metric(t, METRIC_OF_SPANS, "time", "none");
	track(t, 1, 1);
	frame(t, 1, MODEL_NULL, path(t, 0, 1), 1, "0.000000000000000001", "1000");
	frame(t, 2, MODEL_NULL, path(t, 0, 1), 1, "1000.00000000000000000004",
		"1000.00000000000000000005");
	frame(t, 3, MODEL_NULL, path(t, 0, 1), 1, NULL, "1e19");
	commit(t);
	assert_answer(t,
		"SELECT time_unit, starts, stops, exact_starts, exact_stops "
		"FROM profdepot.span_blocks WHERE inst_id = $1",
		"|||{0.000000000000000001,1000.00000000000000000004,NULL}|"
		"{1000,1000.00000000000000000005,10000000000000000000}");
	assert_answer(t,
		"SELECT id, start, duration FROM profdepot.spans WHERE inst_id = $1 ORDER BY 1",
		"1|0.000000000000000001|999.999999999999999999\n"
		"2|1000.00000000000000000004|0.00000000000000000001\n3||");
	assert_answer(t, routines_sql, "1|1|999.999999999999999999|999.999999999999999999");
	assert_kept(t);
}

static void
test_spans(void **state)
{
	struct trial *t = *state;
	struct span_row row = { .id = 10,
		.parent_id = MODEL_NULL,
		.track = 1,
		.metric = 1,
		.kind = "step",
		.name = text_from("GET /"),
		.routine_id = 1,
		.start = number("0.0"),
		.duration = number("12.50"),
		.errored = -1 };
	path_number a;

	begin(t);
	routines(t, 2);
	metric(t, METRIC_OF_SPANS, "ms", "milliseconds");
	track(t, 1, 1);
	row.path = a = path(t, 0, 1);
	ok(t, t->sink->span(t->sink, 0, &row, &t->err));
	/* this span is not a call, so the call tree omits it: its child becomes a child of span 10 */
	row.id = 11;
	row.parent_id = 10;
	row.kind = "mark";
	row.name = text_from("m");
	row.routine_id = MODEL_NULL;
	row.path = 0;
	row.duration = number(NULL);
	ok(t, t->sink->span(t->sink, 0, &row, &t->err));
	/* this span's ID is lower than its parent's */
	row.id = 5;
	row.parent_id = 11;
	row.kind = "call";
	row.name = TEXT_NULL;
	row.routine_id = 2;
	row.path = path(t, a, 2);
	row.stack = stack(t, "ba");
	row.start = number("1e0");
	row.duration = number("3");
	row.first_fetch = number("2.25");
	row.source_id = text_from("s");
	row.category = text_from("sql");
	row.execute_type = text_from("Reader");
	row.command = text_from("SELECT 1");
	row.errored = 1;
	row.attributes = text_from("{}");
	ok(t, t->sink->span(t->sink, 0, &row, &t->err));
	commit(t);
	assert_answer(t,
		"SELECT id, parent_id, track_id, kind, name, routine_id, stack_id, start, duration, "
		"first_fetch, source_id, category, execute_type, command, errored, attributes "
		"FROM profdepot.spans WHERE inst_id = $1 ORDER BY id",
		"5|11|1|call||2|1|1|3|2.25|s|sql|Reader|SELECT 1|t|{}\n"
		"10||1|step|GET /|1||0.0|12.50|||||||\n11|10|1|mark|m|||0.0||||||||");
	assert_answer(t, tree_sql, "1|0||0||0|12.5|f\n1|1|0|1|1|9.5|12.5|f\n1|2|1|2|2|3|3|f");
	assert_kept(t);
}

/* Thousands of tracks, full and partial blocks, and a call tree with too many nodes. */
static void
test_many(void **state)
{
	struct trial *t = *state;

	begin(t);
	routines(t, 3);
	metric(t, METRIC_OF_SPANS, "ns", "nanoseconds");
	for (int32_t i = 1; i <= 3000; i++)
		track(t, i, 1);
	for (int64_t i = 1; i <= 100000; i++) {
		const struct frame_row row = { .id = i,
			.parent_id = MODEL_NULL,
			.track = (int32_t)(i < 50000 ? 1 : 1 + i * 7919 % 3000),
			.metric = 1,
			.routine_id = i,
			.path = path(t, path(t, 0, i % 3), i),
			.start = decimal_from_int64(i),
			.stop = decimal_from_int64(2 * i) };

		ok(t, t->sink->frame(t->sink, 0, &row, &t->err));
	}
	commit(t);
	assert_answer(t,
		"SELECT count(*), count(DISTINCT id), sum(duration), count(DISTINCT track_id) "
		"FROM profdepot.spans WHERE inst_id = $1",
		"100000|100000|5000050000|3000");
	assert_answer(t,
		"SELECT count(*), bool_and(pg_column_size(b.*) < 8160) FROM profdepot.span_blocks b "
		"WHERE inst_id = $1 AND cardinality(ids) = 276",
		"181|t");
	assert_answer(t,
		"SELECT count(*), sum(self), max(total), count(*) FILTER (WHERE folded) "
		"FROM profdepot.call_tree WHERE inst_id = $1",
		"65536|5000050000|5000050000|3");
	assert_verified(t);
}

/* The digest must depend only on the rows, not on their order or the depot. */
static void
test_digest(void **state)
{
	struct trial *t = *state;
	struct hash128 digests[3];

	for (int i = 0; i < 3; i++) {
		struct db *db = t->db;

		if (i == 2)
			t->db = NULL;
		begin(t);
		t->db = db;
		routines(t, 2);
		metric(t, METRIC_OF_SPANS, "ms", "milliseconds");
		track(t, 1, 1);
		for (int64_t k = 0; k < 2; k++) {
			int64_t id = 1 + (i == 1 ? 1 - k : k);

			frame(t, id, MODEL_NULL, path(t, 0, id), id, "1.5", "2");
		}
		ok(t, t->sink->end(t->sink, &t->err));
		digests[i] = load_outcome(t->load, 0)->digest;
		load_abandon(t->load);
	}
	assert_true(hash128_equal(digests[0], digests[1]));
	assert_true(hash128_equal(digests[0], digests[2]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_frames, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exact_frames, setup, teardown),
		cmocka_unit_test_setup_teardown(test_spans, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_digest, setup, teardown),
	};

	return cmocka_run_group_tests_name("load_spans", tests, NULL, NULL);
}
