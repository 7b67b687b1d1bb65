/* Tests that samples are stored (needs PROFDEPOT_DB). */
#include "load_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_samples(void **state)
{
	struct trial *t = *state;
	stack_number ab;
	stack_number cb;

	begin(t);
	routines(t, 3);
	assert_int_equal(metric(t, METRIC_OF_SAMPLES, "weight", "milliseconds"), 1);
	track(t, 1, 1);
	track(t, 2, 1);
	ab = stack(t, "ab");
	cb = stack(t, "cb");
	sample(t, 1, ab, NULL, "1.50");
	sample(t, 1, cb, NULL, "2");
	sample(t, 2, ab, "0.5", "-1");
	sample(t, 2, 0, "0.75", "0.0000000000000000004");
	sample(t, 2, 0, NULL, "100000000000000000000000e-23");
	commit(t);
	assert_answer(t,
		"SELECT id, track_id, stack_id, at, weight, weights FROM profdepot.samples "
		"WHERE inst_id = $1 ORDER BY id",
		"1|1|1||1.50|\n2|1|2||2.00|\n3|2|1|0.50|-1|\n4|2||0.75|0.0000000000000000004|\n"
		"5|2|||1.00000000000000000000000|");
	assert_answer(t,
		"SELECT first_id, track_id, stack_ids, time_unit, times, exact_times, value_unit, "
		"weights, exact_weights FROM profdepot.sample_blocks WHERE inst_id = $1 ORDER BY 1",
		"1|1|{1,2}||||0.01|{150,200}|\n"
		"3|2|{1,0,0}|0.01|{50,75,NULL}||||"
		"{-1,0.0000000000000000004,1.00000000000000000000000}");
	assert_answer(
		t, totals_sql, "weight|1|1|1|1.5\nweight|1|2|1|2\nweight|2|0|2|1\nweight|2|1|1|-1");
	assert_answer(t, tree_sql,
		"1|0||0||1|3.5|f\n1|1|0|1|2|0|2.5|f\n1|2|1|2|3|2|2|f\n1|3|1|2|1|0.5|0.5|f");
	assert_answer(t, routines_sql, "1|1|0.5|0.5\n1|2|0|2.5\n1|3|2|2");
	assert_answer(t, metrics_sql, "1|weight|samples|milliseconds");
	assert_answer(t, counts_sql, "metrics|1|1|0\nsamples|5|15|3.5\nspans|0|0|0\ntracks|2|3|0");
	assert_answer(t,
		"SELECT metric_no, track_id, stack_id, count, value FROM profdepot.sample_totals "
		"WHERE inst_id = $1 ORDER BY 1, 2, 3",
		"1|1|1|1|1.5\n1|1|2|1|2\n1|2|0|2|1\n1|2|1|1|-1");
	assert_kept(t);
	answer(t, "SELECT profdepot.open_result_set($1)");
	assert_answer(t, tree_sql, "");
	assert_answer(t,
		"SELECT metric_no, track_id, stack_id, count, value FROM profdepot.sample_totals "
		"WHERE inst_id = $1 ORDER BY 1, 2, 3",
		"1|1|1|1|1.5\n1|1|2|1|2\n1|2|0|2|1\n1|2|1|1|-1");
}

static void
test_several_values(void **state)
{
	struct trial *t = *state;
	const struct decimal values[] = { number("3"), number("0.5") };
	struct sample_row row = {
		.track = 1, .at = number(NULL), .metric = 1, .values = values, .value_count = 2
	};

	begin(t);
	routines(t, 2);
	metric(t, METRIC_OF_SAMPLES, "samples", "count");
	metric(t, METRIC_OF_SAMPLES, "cpu", "seconds");
	track(t, 1, 1);
	row.stack = stack(t, "ab");
	ok(t, t->sink->sample(t->sink, 0, &row, &t->err));
	row.attributes = text_from("{\"x\": 1}");
	ok(t, t->sink->sample(t->sink, 0, &row, &t->err));
	sample(t, 1, row.stack, "7", "10");
	commit(t);
	assert_answer(t,
		"SELECT id, stack_id, at, weight, weights, attributes FROM profdepot.samples "
		"WHERE inst_id = $1 ORDER BY id",
		"1|1||3|{3,0.5}|\n2|1||3|{3,0.5}|{\"x\": 1}\n3|1|7|10||");
	assert_answer(t, totals_sql, "cpu|1|1|2|1\nsamples|1|1|3|16");
	assert_answer(t, tree_sql,
		"1|0||0||0|16|f\n1|1|0|1|2|0|16|f\n1|2|1|2|1|16|16|f\n"
		"2|0||0||0|1|f\n2|1|0|1|2|0|1|f\n2|2|1|2|1|1|1|f");
	assert_kept(t);
}

static void
test_full_sample_blocks(void **state)
{
	struct trial *t = *state;
	stack_number a;

	begin(t);
	routines(t, 1);
	metric(t, METRIC_OF_SAMPLES, "weight", "none");
	track(t, 1, 1);
	a = stack(t, "a");
	for (int i = 0; i < 1000; i++) {
		char text[40];

		snprintf(text, sizeof(text), "%d.123456789012345", i);
		sample(t, 1, a, text, text);
	}
	commit(t);
	assert_answer(t,
		"SELECT first_id, cardinality(times), pg_column_size(b.*) < 8160 "
		"FROM profdepot.sample_blocks b WHERE inst_id = $1 ORDER BY 1",
		"1|380|t\n381|380|t\n761|240|t");
	assert_answer(t,
		"SELECT count(*), max(id), max(weight) FROM profdepot.samples WHERE inst_id = $1",
		"1000|1000|999.123456789012345");
	assert_kept(t);
}

/* Consecutive samples are on different tracks. Each of the first blocks then has samples of only one track, and each
 * later block has samples of several tracks. */
static void
test_alternating_tracks(void **state)
{
	struct trial *t = *state;
	stack_number a;

	begin(t);
	routines(t, 1);
	metric(t, METRIC_OF_SAMPLES, "weight", "none");
	track(t, 1, 1);
	track(t, 2, 1);
	track(t, 3, 1);
	a = stack(t, "a");
	for (int i = 0; i < 1000; i++) {
		char text[40];

		snprintf(text, sizeof(text), "%d.123456789012345", i);
		sample(t, 1 + i % 3, i % 5 ? a : 0, text, text);
	}
	commit(t);
	assert_answer(t,
		"SELECT count(*), sum(cardinality(stack_ids)), max(cardinality(stack_ids)), "
		"count(track_ids), bool_and(pg_column_size(b.*) < 8160), max(first_id) "
		"FROM profdepot.sample_blocks b WHERE inst_id = $1",
		"20|1000|320|4|t|977");
	assert_answer(t,
		"SELECT count(*), count(*) FILTER (WHERE track_id = 1 + (id - 1) % 3 "
		"AND stack_id IS NOT DISTINCT FROM CASE WHEN (id - 1) % 5 > 0 THEN 1 END "
		"AND weight = id - 1 + 0.123456789012345 AND at = weight) "
		"FROM profdepot.samples WHERE inst_id = $1",
		"1000|1000");
	assert_answer(t,
		"SELECT track_id, sum(count), sum(value) = (SELECT sum(s.weight) "
		"FROM profdepot.samples s WHERE s.inst_id = $1 AND s.track_id = t.track_id) "
		"FROM profdepot.sample_totals t WHERE inst_id = $1 GROUP BY 1 ORDER BY 1",
		"1|334|t\n2|333|t\n3|333|t");
	assert_kept(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_samples, setup, teardown),
		cmocka_unit_test_setup_teardown(test_several_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_sample_blocks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_alternating_tracks, setup, teardown),
	};

	return cmocka_run_group_tests_name("load_samples", tests, NULL, NULL);
}
