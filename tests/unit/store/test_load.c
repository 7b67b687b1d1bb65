/* Tests that objects, errors and their stacks are stored, and that invalid rows are refused (needs PROFDEPOT_DB). */
#include "load_trial.h"
#include "store/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_objects_and_errors(void **state)
{
	struct trial *t = *state;
	struct object_row o = { .id = 1,
		.parent_id = -1,
		.rec_id = 1,
		.number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = number_from_int64(100),
		.class_id = MODEL_NULL,
		.get_number = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.block_count = 3,
		.stack_first_id = 50 };
	struct error_row e = { .id = 1,
		.parent_id = MODEL_NULL,
		.rec_id = 1,
		.number = 1,
		.error_code = 5,
		.kind = 2,
		.stack_first_id = 90 };

	begin(t);
	routines(t, 2);
	metric(t, METRIC_OF_SAMPLES, "weight", "none");
	track(t, 1, 1);
	sample(t, 1, stack(t, "a"), NULL, "1");
	o.stack = stack(t, "ab");
	ok(t, t->sink->object(t->sink, 0, &o, &t->err));
	o.id = 2;
	o.stack = 0;
	o.block_count = 1;
	ok(t, t->sink->object(t->sink, 0, &o, &t->err));
	e.stack = stack(t, "?b");
	ok(t, t->sink->error(t->sink, 0, &e, &t->err));
	commit(t);
	assert_answer(t, metrics_sql,
		"1|weight|samples|none\n2|live_size|objects|bytes\n3|live_count|objects|count\n"
		"4|errors|errors|count");
	assert_answer(t, tree_sql,
		"1|0||0||0|1|f\n1|1|0|1|1|1|1|f\n"
		"2|0||0||100|200|f\n2|1|0|1|2|0|100|f\n2|2|1|2|1|100|100|f\n"
		"3|0||0||1|4|f\n3|1|0|1|2|0|3|f\n3|2|1|2|1|3|3|f\n"
		"4|0||0||0|1|f\n4|1|0|1|2|0|1|f\n4|2|1|2||1|1|f");
	assert_kept(t);
}

static void
tell_detectors(struct trial *t)
{
	const struct thread_row thread = { .id = 3,
		.parent_id = -1,
		.rec_id = 9,
		.size = MODEL_NULL,
		.os_thread_id = 77,
		.name = text_from("worker") };
	const struct object_row o = { .id = 1,
		.parent_id = -1,
		.rec_id = 1,
		.number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = number_from_int64(72),
		.class_id = MODEL_NULL,
		.get_number = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.block_count = 3,
		.stack_first_id = MODEL_NULL,
		.leak_kind = text_from("definite"),
		.attributes = text_from("{\"indirect_bytes\":144}") };
	struct error_row e = { .id = 1,
		.parent_id = 3,
		.rec_id = 1,
		.number = 1,
		.error_code = MODEL_NULL,
		.kind = 1,
		.name = text_from("InvalidRead"),
		.stack_first_id = 1,
		.count = 40,
		.attributes = text_from("{\"address\":\"0x10\"}") };
	struct further_stack_row f = { .owner = OWNER_ERROR,
		.owner_id = 1,
		.position = 1,
		.role = text_from("freed_at"),
		.description = text_from("Block was freed at"),
		.thread_id = 9 };
	const struct suppression_row u = { .id = 1,
		.name = text_from("known"),
		.syntax = text_from("valgrind"),
		.count = 12,
		.bytes = MODEL_NULL,
		.blocks = MODEL_NULL };

	begin(t);
	routines(t, 2);
	ok(t, t->sink->thread(t->sink, 0, &thread, &t->err));
	ok(t, t->sink->object(t->sink, 0, &o, &t->err));
	e.stack = stack(t, "ab");
	ok(t, t->sink->error(t->sink, 0, &e, &t->err));
	f.stack = stack(t, "b");
	ok(t, t->sink->further_stack(t->sink, 0, &f, &t->err));
	f.position = 2;
	f.role = text_from("allocated_at");
	f.description = TEXT_NULL;
	f.thread_id = MODEL_NULL;
	f.stack = 0;
	ok(t, t->sink->further_stack(t->sink, 0, &f, &t->err));
	f.owner = OWNER_THREAD;
	f.owner_id = 3;
	f.position = 1;
	f.stack = stack(t, "ab");
	ok(t, t->sink->further_stack(t->sink, 0, &f, &t->err));
	ok(t, t->sink->suppression(t->sink, 0, &u, &t->err));
}

/* Findings of detectors: counts greater than one, kinds, further stacks, suppressions. */
static void
test_detectors(void **state)
{
	struct trial *t = *state;

	tell_detectors(t);
	commit(t);
	assert_answer(t,
		"SELECT owner, owner_id, position, role, description, thread_id, stack_id "
		"FROM profdepot.further_stacks WHERE inst_id = $1 ORDER BY 1, 2, 3",
		"error|1|1|freed_at|Block was freed at|9|2\nerror|1|2|allocated_at|||\n"
		"thread|3|1|allocated_at|||1");
	assert_answer(t,
		"SELECT owner, stack_position, role, position, routine_id "
		"FROM profdepot.further_stack_frames WHERE inst_id = $1 ORDER BY 1, 2, 4",
		"error|1|freed_at|0|2\nthread|1|allocated_at|0|1\nthread|1|allocated_at|1|2");
	assert_answer(t,
		"SELECT s.id, s.name, s.syntax, s.kind, s.count, s.bytes, t.name, o.leak_kind, "
		"o.attributes, e.count, e.attributes "
		"FROM profdepot.result_set_suppressions s "
		"JOIN profdepot.resource_profiler_threads t USING (inst_id) "
		"JOIN profdepot.resource_profiler_objects o USING (inst_id) "
		"JOIN profdepot.resource_profiler_errors e USING (inst_id) WHERE s.inst_id = $1",
		"1|known|valgrind||12||worker|definite|{\"indirect_bytes\":144}|40|"
		"{\"address\":\"0x10\"}");
	assert_answer(t, totals_sql, "errors|1|1|40|40\nlive|-1|0|3|72");
	assert_answer(t, tree_sql,
		"1|0||0||72|72|f\n2|0||0||3|3|f\n3|0||0||0|40|f\n3|1|0|1|2|0|40|f\n3|2|1|2|1|40|40|f");
	assert_kept(t);
	answer(t, "DELETE FROM profdepot.resource_profiler_errors WHERE inst_id = $1 RETURNING 1");
	{
		struct db_result *r = result_set_verify(t->db, t->inst_id, true, &t->err);
		bool found = false;

		ok(t, r != NULL);
		for (size_t i = 0; i < db_result_rows(r); i++)
			found |= text_equal(
				db_result_value(r, i, 0), TEXT_LITERAL("further_stacks"));
		assert_true(found);
		db_result_free(r);
	}
}

/* The hash of a row without detector columns must not change: existing digests depend on it. */
static void
test_digest_stays(void **state)
{
	struct trial *t = *state;
	const struct thread_row thread = { .id = 3, .rec_id = 9, .size = 5, .os_thread_id = 77 };
	struct object_row o = { .id = 1, .rec_id = 1, .class_id = 4, .block_count = 1 };
	struct error_row e = { .id = 1, .parent_id = 3, .rec_id = 1, .kind = 1 };
	char hex[HASH128_HEX_BYTES];

	begin(t);
	ok(t, t->sink->metadata(t->sink, 0, "attributes", text_from("{\"a\":1}"), &t->err));
	routines(t, 2);
	ok(t, t->sink->thread(t->sink, 0, &thread, &t->err));
	o.stack = e.stack = stack(t, "ab");
	ok(t, t->sink->object(t->sink, 0, &o, &t->err));
	ok(t, t->sink->error(t->sink, 0, &e, &t->err));
	hash128_hex(load_outcome(t->load, 0)->digest, hex);
	assert_string_equal(hex, "81ca6f79a91107be636c82259c433267");
	load_abandon(t->load);
}

/* Invalid rows from a reader must cause an error, and must not be stored. */
static void
test_refusals(void **state)
{
	struct trial *t = *state;
	const struct decimal huge = number("2e20");
	const struct metric_row twice = { METRIC_OF_SPANS, text_from("ms"), text_from("none"),
		TEXT_NULL };
	const struct metric_row live = { METRIC_OF_SPANS, text_from("errors"), text_from("none"),
		TEXT_NULL };
	const struct track_row again = { .id = 1, .kind = "thread", .metric = 1 };
	const struct track_row zero = { .id = 0, .kind = "thread", .metric = 1 };
	struct sample_row row = { .track = 1, .metric = 1, .values = &huge, .value_count = 1 };
	struct span_row span = step(2);
	metric_number m;

	begin(t);
	metric(t, METRIC_OF_SPANS, "ms", "milliseconds");
	metric(t, METRIC_OF_SPANS, "other", "milliseconds");
	track(t, 1, 1);
	assert_false(t->sink->metric(t->sink, 0, &twice, &m, &t->err));
	assert_false(t->sink->metric(t->sink, 0, &live, &m, &t->err));
	assert_false(t->sink->track(t->sink, 0, &again, &t->err));
	assert_false(t->sink->track(t->sink, 0, &zero, &t->err));
	assert_false(t->sink->sample(t->sink, 0, &row, &t->err));
	assert_int_equal(t->err.code, ERROR_LIMIT);
	row.value_count = 3;
	assert_false(t->sink->sample(t->sink, 0, &row, &t->err));
	/* a span of metric 2 is refused, because its track has metric 1 */
	assert_false(t->sink->span(t->sink, 0, &span, &t->err) && t->sink->end(t->sink, &t->err));
	begin(t);
	metric(t, METRIC_OF_SPANS, "ms", "milliseconds");
	span.metric = 1;
	assert_true(t->sink->span(t->sink, 0, &span, &t->err));
	assert_false(t->sink->span(t->sink, 0, &span, &t->err));
	assert_int_equal(t->err.code, ERROR_INPUT);
	assert_false(t->sink->end(t->sink, &t->err));
}

static void
test_ids_twice(void **state)
{
	struct trial *t = *state;
	struct span_row span = step(1);
	bool again;

	begin(t);
	metric(t, METRIC_OF_SPANS, "ms", "milliseconds");
	track(t, 1, 1);
	for (int64_t i = 0; i < 4; i++) {
		span.id = i % 2;
		ok(t, t->sink->span(t->sink, 0, &span, &t->err));
	}
	assert_false(t->sink->end(t->sink, &t->err) && load_commit(t->load, &again, &t->err));
	assert_int_equal(t->err.code, ERROR_INPUT);
	assert_non_null(strstr(t->err.message, "repeats"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_objects_and_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_detectors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_digest_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ids_twice, setup, teardown),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
