#include "load_trial.h"

#include "base/clock.h"
#include "store/result_sets.h"
#include "store/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

int
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

int
teardown(void **state)
{
	struct trial *t = *state;

	load_free(t->load);
	db_close(t->db);
	arena_release(&t->arena);
	free(t);
	return 0;
}

void
ok(struct trial *t, bool done)
{
	if (!done)
		fail_msg("%s", t->err.message);
}

void
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

void
commit(struct trial *t)
{
	bool again;

	ok(t, t->sink->end(t->sink, &t->err));
	ok(t, load_commit(t->load, &again, &t->err));
	assert_false(again);
	t->inst_id = load_outcome(t->load, 0)->inst_id;
}

struct decimal
number(const char *s)
{
	struct decimal d;

	if (!s)
		return (struct decimal){ .kind = DECIMAL_NULL };
	assert_int_equal(decimal_parse(text_from(s), &d), DECIMAL_OK);
	return d;
}

metric_number
metric(struct trial *t, enum metric_family family, const char *name, const char *unit)
{
	const struct metric_row row = { family, text_from(name), text_from(unit), text_from(name) };
	metric_number m;

	ok(t, t->sink->metric(t->sink, 0, &row, &m, &t->err));
	return m;
}

void
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

void
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

stack_number
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

void
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

void
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

path_number
path(struct trial *t, path_number parent, int64_t routine)
{
	path_number p;

	ok(t, t->sink->path(t->sink, 0, parent, routine, &p, &t->err));
	return p;
}

struct span_row
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

char *
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

void
assert_answer(struct trial *t, const char *sql, const char *expected)
{
	assert_string_equal(answer(t, sql), expected);
}

const char tree_sql[] = "SELECT metric_no, node, parent, depth, routine_id, self, total, folded "
			"FROM profdepot.call_tree WHERE inst_id = $1 ORDER BY 1, 2";
const char routines_sql[] = "SELECT metric_no, routine_id, self, total "
			    "FROM profdepot.routine_totals WHERE inst_id = $1 ORDER BY 1, 2";
const char totals_sql[] = "SELECT metric, class, stack_id, count, value "
			  "FROM profdepot.stack_totals WHERE inst_id = $1 ORDER BY 1, 2, 3";
const char metrics_sql[] = "SELECT metric_no, name, family, unit "
			   "FROM profdepot.metrics WHERE inst_id = $1 ORDER BY 1";
const char counts_sql[] =
	"SELECT relation, row_count, id_sum, value_sum FROM profdepot.result_set_counts "
	"WHERE inst_id = $1 AND relation IN ('metrics', 'tracks', 'samples', 'spans') ORDER BY 1";

void
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

void
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
