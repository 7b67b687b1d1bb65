/* Tests that the rows received by the sink are stored in the depot (needs PROFDEPOT_DB). */
#include "base/clock.h"
#include "db/connection.h"
#include "store/load/load.h"
#include "store/result_sets.h"
#include "store/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The current load, and the result set that it created. */
struct trial {
	struct db *db;
	struct arena arena;
	struct load *load;
	struct sink *sink;
	struct error err;
	int64_t inst_id;
};

static int
setup(void **state)
{
	const struct db_target target = { .role = DB_ROLE_OWNER };
	struct trial *t = calloc(1, sizeof(*t));

	t->arena = ARENA_INIT;
	t->db = db_open(&target, &t->err);
	if (!t->db)
		fail_msg("%s", t->err.message);
	*state = t;
	return 0;
}

static int
teardown(void **state)
{
	struct trial *t = *state;

	load_free(t->load);
	db_close(t->db);
	arena_release(&t->arena);
	free(t);
	return 0;
}

static void
ok(struct trial *t, bool done)
{
	if (!done)
		fail_msg("%s", t->err.message);
}

static void
begin(struct trial *t)
{
	static const uint8_t digest[SHA256_BYTES] = { 0 };
	const struct load_config config = {
		.format = "test",
		.source_name = "test",
		.input_digest = digest,
		.max_issues = -1,
		.again = true,
		.started = clock_seconds(),
	};
	const struct set_row row = { .source_inst_id = MODEL_NULL };
	uint32_t set;
	bool wanted;

	load_free(t->load);
	t->load = load_new(&t->arena, t->db, &config, &t->err);
	ok(t, t->load != NULL);
	t->sink = load_sink(t->load);
	ok(t, t->sink->set(t->sink, &row, &set, &wanted, &t->err));
	assert_true(wanted);
}

static void
commit(struct trial *t)
{
	bool again;

	ok(t, t->sink->end(t->sink, &t->err));
	ok(t, load_commit(t->load, &again, &t->err));
	assert_false(again);
	t->inst_id = load_outcome(t->load, 0)->inst_id;
}

static struct decimal
number(const char *s)
{
	struct decimal d;

	if (!s)
		return (struct decimal){ .kind = DECIMAL_NULL };
	assert_int_equal(decimal_parse(text_from(s), &d), DECIMAL_OK);
	return d;
}

static metric_number
metric(struct trial *t, enum metric_family family, const char *name, const char *unit)
{
	const struct metric_row row = { family, text_from(name), text_from(unit), text_from(name) };
	metric_number m;

	ok(t, t->sink->metric(t->sink, 0, &row, &m, &t->err));
	return m;
}

static void
track(struct trial *t, int32_t id, metric_number m)
{
	const struct track_row row = { .id = id,
		.kind = "thread",
		.metric = m,
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL };

	ok(t, t->sink->track(t->sink, 0, &row, &t->err));
}

/* Emits the routines 1, 2, ... with the names a, b, ... */
static void
routines(struct trial *t, int64_t count)
{
	for (int64_t i = 1; i <= count; i++) {
		const char name = (char)('a' + i - 1);
		const struct routine_row row = { .id = i,
			.parent_id = MODEL_NULL,
			.rec_id = i,
			.hit_count = MODEL_NULL,
			.compiler = MODEL_NULL,
			.profile_lines = MODEL_NULL,
			.source_line = MODEL_NULL,
			.token = MODEL_NULL,
			.address = NUMBER_NULL,
			.routine_name = { &name, 1 } };

		ok(t, t->sink->routine(t->sink, 0, &row, &t->err));
	}
}

/* Emits a stack; in "abc", a is the innermost frame. */
static stack_number
stack(struct trial *t, const char *names)
{
	int64_t ids[16];
	const struct stack_row row = { .count = strlen(names), .routine_ids = ids };
	stack_number n;

	for (size_t i = 0; i < row.count; i++)
		/* cppcheck-suppress unreadVariable ; `row` points to this array */
		ids[i] = names[i] == '?' ? MODEL_NULL : names[i] - 'a' + 1;
	ok(t, t->sink->stack(t->sink, 0, &row, &n, &t->err));
	return n;
}

static void
sample(struct trial *t, int32_t track_id, stack_number st, const char *at, const char *value)
{
	const struct decimal v = number(value);
	const struct sample_row row = { .track = track_id,
		.stack = st,
		.at = number(at),
		.metric = 1,
		.values = &v,
		.value_count = 1 };

	ok(t, t->sink->sample(t->sink, 0, &row, &t->err));
}

static path_number
path(struct trial *t, path_number parent, int64_t routine)
{
	path_number p;

	ok(t, t->sink->path(t->sink, 0, parent, routine, &p, &t->err));
	return p;
}

/* Runs a query in which $1 is the inst_id, and returns all rows and columns as one text. */
static char *
answer(struct trial *t, const char *sql)
{
	char digits[24];
	const char *params[] = { digits };
	size_t size = 0;
	const size_t room = (size_t)64 * 1024;
	char *text = arena_alloc(&t->arena, room);
	struct db_result *r;

	number_format_int64(t->inst_id, digits);
	r = db_query(t->db, sql, params, 1, &t->err);
	if (!r)
		fail_msg("%s: %s", sql, t->err.message);
	text[0] = '\0';
	for (size_t i = 0; i < db_result_rows(r); i++)
		for (size_t k = 0; k < db_result_columns(r); k++) {
			struct text v = db_result_value(r, i, k);

			size += (size_t)snprintf(text + size, room - size, "%s%.*s",
				k ? "|" : (i ? "\n" : ""), (int)v.size, v.data ? v.data : "");
		}
	db_result_free(r);
	return text;
}

static void
assert_answer(struct trial *t, const char *sql, const char *expected)
{
	assert_string_equal(answer(t, sql), expected);
}

static const char tree_sql[] =
	"SELECT metric_no, node, parent, depth, routine_id, self, total, folded "
	"FROM profdepot.call_tree WHERE inst_id = $1 ORDER BY 1, 2";
static const char routines_sql[] = "SELECT metric_no, routine_id, self, total "
				   "FROM profdepot.routine_totals WHERE inst_id = $1 ORDER BY 1, 2";
static const char totals_sql[] = "SELECT metric, class, stack_id, count, value "
				 "FROM profdepot.stack_totals WHERE inst_id = $1 ORDER BY 1, 2, 3";
static const char metrics_sql[] = "SELECT metric_no, name, family, unit "
				  "FROM profdepot.metrics WHERE inst_id = $1 ORDER BY 1";
static const char counts_sql[] =
	"SELECT relation, row_count, id_sum, value_sum FROM profdepot.result_set_counts "
	"WHERE inst_id = $1 AND relation IN ('metrics', 'tracks', 'samples', 'spans') ORDER BY 1";

static void
assert_verified(struct trial *t)
{
	struct db_result *r = result_set_verify(t->db, t->inst_id, true, &t->err);

	ok(t, r != NULL);
	if (db_result_rows(r))
		fail_msg("verify: %s: recorded %s, found %s",
			db_result_value(r, 0, VERIFY_DIFFERENCE).data,
			db_result_value(r, 0, VERIFY_RECORDED).data,
			db_result_value(r, 0, VERIFY_FOUND).data);
	db_result_free(r);
}

/* Checks that the depot is consistent, and that reindex writes the same rows again. */
static void
assert_kept(struct trial *t)
{
	static const char *const made[] = { tree_sql, routines_sql, totals_sql, metrics_sql,
		counts_sql };
	const char *before[COUNT(made)];

	assert_verified(t);
	for (size_t i = 0; i < COUNT(made); i++)
		before[i] = answer(t, made[i]);
	ok(t, result_set_reindex(t->db, t->inst_id, &t->err));
	for (size_t i = 0; i < COUNT(made); i++)
		assert_answer(t, made[i], before[i]);
}

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
frame(struct trial *t, int64_t id, int64_t parent, path_number p, int64_t routine,
	const char *start, const char *stop)
{
	const struct frame_row row = { .id = id,
		.parent_id = parent,
		.track = 1,
		.metric = 1,
		.routine_id = routine,
		.path = p,
		.start = number(start),
		.stop = number(stop) };

	ok(t, t->sink->frame(t->sink, 0, &row, &t->err));
}

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

/* A span on track 1. */
static struct span_row
step(metric_number m)
{
	return (struct span_row){ .id = 1,
		.parent_id = MODEL_NULL,
		.track = 1,
		.metric = m,
		.kind = "step",
		.routine_id = MODEL_NULL,
		.errored = -1 };
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
		cmocka_unit_test_setup_teardown(test_samples, setup, teardown),
		cmocka_unit_test_setup_teardown(test_several_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_frames, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exact_frames, setup, teardown),
		cmocka_unit_test_setup_teardown(test_spans, setup, teardown),
		cmocka_unit_test_setup_teardown(test_objects_and_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_detectors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_digest_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_sample_blocks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_alternating_tracks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ids_twice, setup, teardown),
		cmocka_unit_test_setup_teardown(test_digest, setup, teardown),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
