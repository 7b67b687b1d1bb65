/* Tests a server that stores posted events: its transactions, and its row in posted_progress (needs PROFDEPOT_DB). */
#include "db/connection.h"
#include "store/live/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The writer of a server, the writer's connection, and a second connection. */
struct trial {
	struct db *db, *other;
	struct live *live;
	struct live_progress progress;
	struct error err;
};

static int
setup(void **state)
{
	const struct db_target target = { .role = DB_ROLE_LOADER };
	struct trial *t = calloc(1, sizeof(*t));

	t->db = db_open(&target, &t->err);
	t->other = t->db ? db_open(&target, &t->err) : NULL;
	if (!t->other)
		fail_msg("%s", t->err.message);
	t->live = live_new();
	live_progress_init(&t->progress);
	*state = t;
	return 0;
}

static int
teardown(void **state)
{
	struct trial *t = *state;

	live_free(t->live);
	db_close(t->other);
	db_close(t->db);
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
settle(struct trial *t, int64_t groups)
{
	ok(t, live_progress_settle(t->db, &t->progress, &t->err));
	assert_int_equal(t->progress.groups, groups);
}

static bool
begin(struct trial *t)
{
	char day[LIVE_DAY_BYTES];

	live_day(day);
	return live_begin(t->live, t->db, day, &t->progress, &t->err);
}

static void
store(struct trial *t)
{
	ok(t, begin(t));
	ok(t, live_commit(t->live, &t->err));
}

static void
expect_flushed(struct trial *t, int64_t groups)
{
	int64_t told = -1;

	ok(t, live_progress_flush(t->other, t->progress.server, &told, &t->err));
	assert_int_equal(told, groups);
}

/* Runs a query and returns its only value. */
static const char *
ask(struct trial *t, const char *sql)
{
	static char value[100];
	struct db_result *r = db_query(t->other, sql, NULL, 0, &t->err);

	ok(t, r != NULL);
	snprintf(value, sizeof(value), "%s", db_result_value(r, 0, 0).data);
	db_result_free(r);
	return value;
}

static void
change_row(struct trial *t, const char *change)
{
	char sql[200];

	snprintf(sql, sizeof(sql), "%s WHERE server = '%s'", change, t->progress.server);
	ok(t, db_exec(t->other, sql, &t->err));
}

static void
test_numbers(void **state)
{
	struct trial *t = *state;

	expect_flushed(t, 0);
	settle(t, 0);
	expect_flushed(t, 0);
	store(t);
	expect_flushed(t, 1);
	store(t);
	store(t);
	expect_flushed(t, 3);
	settle(t, 3);
}

/* The number of a transaction must be used only once, even if the transaction is rolled back. */
static void
test_rolled_back(void **state)
{
	struct trial *t = *state;

	settle(t, 0);
	store(t);
	ok(t, begin(t));
	assert_int_equal(t->progress.last, 2);
	live_rollback(t->live);
	expect_flushed(t, 1);
	store(t);
	expect_flushed(t, 3);
}

/* While a transaction runs, its outcome must be unknown. */
static void
test_still_running(void **state)
{
	struct trial *t = *state;
	struct live_progress same = t->progress;

	settle(t, 0);
	ok(t, begin(t));
	expect_flushed(t, 0);
	assert_false(live_progress_settle(t->other, &same, &t->err));
	assert_string_equal(t->err.sqlstate, "55P03");
	ok(t, live_commit(t->live, &t->err));
	ok(t, live_progress_settle(t->other, &same, &t->err));
	assert_int_equal(same.groups, 1);
}

/* Sets the server's row to the state after a crash that lost the last two transactions. */
static void
test_lost(void **state)
{
	struct trial *t = *state;

	settle(t, 0);
	store(t);
	store(t);
	store(t);
	change_row(t, "UPDATE profdepot.posted_progress SET groups = 1");
	assert_false(begin(t));
	assert_false(begin(t));
	expect_flushed(t, 1);
	settle(t, 1);
	assert_int_equal(t->progress.last, 5);
	store(t);
	expect_flushed(t, 6);
}

static void
test_removed(void **state)
{
	struct trial *t = *state;

	settle(t, 0);
	store(t);
	change_row(t, "DELETE FROM profdepot.posted_progress");
	assert_false(begin(t));
	expect_flushed(t, 0);
	settle(t, 0);
	store(t);
	expect_flushed(t, 3);
	ok(t, live_progress_remove(t->db, &t->progress, &t->err));
	expect_flushed(t, 0);
}

/* live_progress_flush and live_progress_settle must flush all earlier commits to the disk. */
static void
test_durable(void **state)
{
	struct trial *t = *state;
	char sql[200];

	settle(t, 0);
	for (int i = 0; i < 2; i++) {
		store(t);
		snprintf(sql, sizeof(sql), "SELECT pg_current_wal_flush_lsn() >= '%s'::pg_lsn",
			ask(t, "SELECT pg_current_wal_insert_lsn()"));
		if (i == 0)
			expect_flushed(t, 1);
		else
			settle(t, 2);
		assert_string_equal(ask(t, sql), "t");
	}
}

static void
test_two_servers(void **state)
{
	struct trial *t = *state;
	struct live_progress other;

	live_progress_init(&other);
	assert_string_not_equal(other.server, t->progress.server);
	settle(t, 0);
	ok(t, live_progress_settle(t->other, &other, &t->err));
	ok(t, begin(t));
	ok(t, live_progress_settle(t->other, &other, &t->err));
	ok(t, live_commit(t->live, &t->err));
	assert_int_equal(other.groups, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rolled_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_still_running, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost, setup, teardown),
		cmocka_unit_test_setup_teardown(test_removed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_durable, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_servers, setup, teardown),
	};

	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
