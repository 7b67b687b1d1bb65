/* Tests the db layer's query functions on a real server (needs PROFDEPOT_DB). */
#include "db/connection.h"

#include "db/db_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct db *
open_db(enum db_role role)
{
	const struct db_target target = { .role = role };
	struct error err = ERROR_INIT;
	struct db *db = db_open(&target, &err);

	if (!db)
		fail_msg("%s", err.message);
	return db;
}

static int
setup(void **state)
{
	*state = open_db(DB_ROLE_OWNER);
	return 0;
}

static int
teardown(void **state)
{
	db_close(*state);
	return 0;
}

static void
exec_ok(struct db *db, const char *sql)
{
	struct error err = ERROR_INIT;

	if (!db_exec(db, sql, &err))
		fail_msg("%s: %s", sql, err.message);
}

static void
test_values(void **state)
{
	const char *params[] = { "it's", NULL };
	struct error err = ERROR_INIT;
	struct db_result *r = db_query(
		*state, "SELECT $1::text AS a, $2::text AS b, ''::text, 7", params, 2, &err);

	assert_non_null(r);
	assert_int_equal(db_result_rows(r), 1);
	assert_int_equal(db_result_columns(r), 4);
	assert_string_equal(db_result_column_name(r, 0), "a");
	assert_int_equal(db_result_column_type(r, 3), 23);
	assert_true(text_equal(db_result_value(r, 0, 0), TEXT_LITERAL("it's")));
	assert_true(text_is_null(db_result_value(r, 0, 1)));
	assert_false(text_is_null(db_result_value(r, 0, 2)));
	assert_true(text_is_empty(db_result_value(r, 0, 2)));
	db_result_free(r);
	db_result_free(NULL);
}

static void
test_server_error(void **state)
{
	struct error err = ERROR_INIT;

	assert_null(db_query(*state, "SELECT 1/0", NULL, 0, &err));
	assert_int_equal(err.code, ERROR_DATABASE);
	assert_string_equal(err.sqlstate, "22012");
	assert_string_equal(err.message, "division by zero");
	assert_false(db_exec(*state,
		"DO $$BEGIN RAISE 'main' USING DETAIL = 'more', HINT = 'do this'; END$$", &err));
	assert_string_equal(err.message, "main: more");
	assert_string_equal(err.hint, "do this");
	exec_ok(*state, "SELECT 1");
}

static void
test_session(void **state)
{
	static const char *const settings[][2] = {
		{ "search_path", "profdepot, pg_temp" },
		{ "client_encoding", "UTF8" },
		{ "DateStyle", "ISO, DMY" },
		{ "application_name", "profdepot" },
		{ "default_transaction_read_only", "off" },
	};
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		struct db_result *r =
			db_query(*state, "SELECT current_setting($1)", &settings[i][0], 1, &err);

		assert_non_null(r);
		if (i == 2) /* DateStyle also contains the server's order of day and month */
			assert_memory_equal(db_result_value(r, 0, 0).data, "ISO", 3);
		else
			assert_string_equal(db_result_value(r, 0, 0).data, settings[i][1]);
		db_result_free(r);
	}
}

static void
test_reader_is_read_only(void **state)
{
	struct db *db = open_db(DB_ROLE_READER);
	struct error err = ERROR_INIT;

	(void)state;
	assert_false(db_exec(db, "CREATE TABLE public.nothing (n int)", &err));
	assert_string_equal(err.sqlstate, "25006");
	db_close(db);
}

struct seen {
	int rows;
	int stop_after;
	bool fail;
};

static bool
see(void *self, const struct db_result *row, struct error *err)
{
	struct seen *s = self;

	assert_int_equal(db_result_rows(row), 1);
	s->rows++;
	if (s->rows < s->stop_after)
		return true;
	return s->fail && error_set(err, ERROR_INPUT, "enough");
}

static void
test_each(void **state)
{
	static const char sql[] = "SELECT n FROM generate_series(1, $1::int) n";
	const char *params[] = { "1000" };
	struct seen s = { 0, 2000, false };
	struct error err = ERROR_INIT;

	assert_true(db_query_each(*state, sql, params, 1, see, &s, &err));
	assert_int_equal(s.rows, 1000);
	params[0] = "0";
	s.rows = 0;
	assert_true(db_query_each(*state, sql, params, 1, see, &s, &err));
	assert_int_equal(s.rows, 0);
}

static void
test_each_stops(void **state)
{
	static const char sql[] = "SELECT n FROM generate_series(1, 100000000) n";
	struct seen s = { 0, 10, false };
	struct error err = ERROR_INIT;

	assert_true(db_query_each(*state, sql, NULL, 0, see, &s, &err));
	assert_int_equal(s.rows, 10);
	exec_ok(*state, "SELECT 1");
	s = (struct seen){ 0, 10, true };
	assert_false(db_query_each(*state, sql, NULL, 0, see, &s, &err));
	assert_int_equal(err.code, ERROR_INPUT);
	assert_string_equal(err.message, "enough");
	exec_ok(*state, "SELECT 1");
}

static void
test_each_fails(void **state)
{
	struct seen s = { 0, 1000, false };
	struct error err = ERROR_INIT;

	assert_false(db_query_each(
		*state, "SELECT 1/(5 - n) FROM generate_series(1, 9) n", NULL, 0, see, &s, &err));
	assert_string_equal(err.sqlstate, "22012");
	assert_false(db_query_each(*state, "SELEC", NULL, 0, see, &s, &err));
	assert_string_equal(err.sqlstate, "42601");
	exec_ok(*state, "SELECT 1");
}

static void
test_transactions(void **state)
{
	struct error err = ERROR_INIT;

	assert_true(db_begin(*state, &err));
	assert_true(db_commit(*state, &err));
	assert_true(db_begin(*state, &err));
	assert_false(db_exec(*state, "SELECT 1/0", &err));
	assert_false(db_commit(*state, &err));
	assert_int_equal(err.code, ERROR_DATABASE);
	db_rollback(*state);
	db_rollback(*state);
	assert_true(db_begin_snapshot(*state, &err));
	assert_false(db_exec(*state, "CREATE TABLE public.nothing (n int)", &err));
	db_rollback(*state);
}

static void
test_timeout(void **state)
{
	struct error err = ERROR_INIT;

	assert_false(db_set_timeout(*state, 50, &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
	assert_true(db_begin(*state, &err));
	assert_true(db_set_timeout(*state, 50, &err));
	assert_false(db_exec(*state, "SELECT pg_sleep(5)", &err));
	assert_string_equal(err.sqlstate, "57014");
	db_rollback(*state);
	exec_ok(*state, "SELECT pg_sleep(0.1)");
}

static void
test_copy_is_refused(void **state)
{
	struct db *db = *state;
	struct error err = ERROR_INIT;

	exec_ok(db, "CREATE TEMP TABLE c (n int)");
	assert_false(db_exec(db, "COPY c FROM STDIN", &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
	assert_false(
		db_exec(db, "COPY (SELECT n FROM generate_series(1, 100000) n) TO STDOUT", &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
	assert_null(db_query(db, "COPY c TO STDOUT", NULL, 0, &err));
	exec_ok(db, "SELECT 1");
}

/* If Citus loses an intermediate result, the statement succeeds, although rows are missing. Citus reports this only as
 * a warning with the code CIINF. */
static void
test_lost_rows(void **state)
{
	struct db *db = *state;
	struct error err = ERROR_INIT;

	assert_false(db_exec(
		db, "DO $$ BEGIN RAISE WARNING 'no file' USING ERRCODE = 'CIINF'; END $$", &err));
	assert_int_equal(err.code, ERROR_DATABASE);
	assert_non_null(strstr(err.message, "lost a part of the answer"));
	exec_ok(db, "SELECT 1");
	exec_ok(db, "DO $$ BEGIN RAISE WARNING 'another'; END $$");
}

static void
test_connection_lost(void **state)
{
	struct db *db = *state;
	struct error err = ERROR_INIT;

	assert_false(db_exec(db, "SELECT pg_terminate_backend(pg_backend_pid())", &err));
	assert_int_equal(err.code, ERROR_DATABASE);
	assert_non_null(strstr(err.message, "the server closed the connection"));
	assert_false(db_exec(db, "SELECT 1", &err));
	assert_non_null(strstr(err.message, "the server closed the connection"));
	db_rollback(db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_server_error, setup, teardown),
		cmocka_unit_test_setup_teardown(test_session, setup, teardown),
		cmocka_unit_test(test_reader_is_read_only),
		cmocka_unit_test_setup_teardown(test_each, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_stops, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(test_transactions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_timeout, setup, teardown),
		cmocka_unit_test_setup_teardown(test_copy_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_connection_lost, setup, teardown),
	};

	return cmocka_run_group_tests_name("db query", tests, NULL, NULL);
}
