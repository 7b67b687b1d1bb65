/* Compares the copier's values with the server's own parsing (needs PROFDEPOT_DB). */
#include "db/connection.h"
#include "db/copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct copy_relation relations[] = {
	{ "copy_trial", "k, n, b, t, a, d", 6 },
	{ "copy_trial", "k, f, d", 3 },
};

static int
setup(void **state)
{
	const struct db_target target = { .role = DB_ROLE_OWNER };
	struct error err = ERROR_INIT;
	struct db *db = db_open(&target, &err);

	if (!db ||
		!db_exec(db,
			"CREATE SCHEMA IF NOT EXISTS profdepot; CREATE TABLE profdepot.copy_trial "
			"(k integer, n numeric, b boolean, t timestamptz, a integer[], d numeric[], f boolean[]); "
			"SET timezone = 'UTC'",
			&err))
		fail_msg("%s", err.message);
	*state = db;
	return 0;
}

static int
teardown(void **state)
{
	struct error err = ERROR_INIT;

	db_exec(*state, "DROP TABLE profdepot.copy_trial", &err);
	db_close(*state);
	return 0;
}

static void
settle(struct copier *c)
{
	struct error err = ERROR_INIT;

	if (!copier_settle(c, &err))
		fail_msg("%s", err.message);
	copier_free(c);
}

static void
put_nulls(struct copier *c, int count)
{
	while (count-- > 0)
		copier_null(c);
}

/* Sets all columns after the first `filled` columns to NULL, and ends the row. */
static void
end_row(struct copier *c, int filled)
{
	struct error err = ERROR_INIT;

	put_nulls(c, relations[0].column_count - filled);
	assert_true(copier_row_end(c, &err));
}

/* Checks that in each row k, the column `what` is expected[k]. */
static void
assert_column(struct db *db, const char *what, const char *const *expected, size_t count)
{
	char sql[200];
	struct error err = ERROR_INIT;
	struct db_result *r;

	snprintf(sql, sizeof(sql), "SELECT %s FROM profdepot.copy_trial ORDER BY k", what);
	r = db_query(db, sql, NULL, 0, &err);
	if (!r)
		fail_msg("%s", err.message);
	assert_int_equal(db_result_rows(r), count);
	for (size_t i = 0; i < count; i++) {
		struct text got = db_result_value(r, i, 0);

		if (!text_equal(got, text_from(expected[i])))
			fail_msg("%s row %zu: %.*s is not %s", what, i, (int)got.size,
				got.data ? got.data : "NULL", expected[i]);
	}
	db_result_free(r);
}

/* A decimal that the copier sends must equal the numeric that the server parses from the same
 * text. They are compared as text, which shows both value and scale. */
static void
test_decimals(void **state)
{
	static const char *const texts[] = { "0", "-0", "0.0", "-0.000", "1", "-1", "9999", "10000",
		"10001", "99990000", "1.5", "1.05", "1.005", "1.0005", "1.00005", "0.1", "0.01",
		"0.001", "0.0001", "0.00001", "-0.000012345678901234", "123456789.987654321",
		"10000.0001", "100000000.00000001", "0.000000000000000001", "0.100000000000000000",
		"9223372036854775807", "-9223372036854775808", "9.223372036854775807",
		"9223372036854775808", "-18446744073709551616", "0.0000000000000000000",
		"123456789012345678901234567890.123456789012345678901234567890", "1e3", "1.50e1",
		"1.50E+1", "15e-1", "1e19", "1e20", "1e21", "1e22", "1e23", "-1.25e-30",
		"123.456e-20", "123.456e20", "1e-1000", "1.5e999", "-9e999",
		"0.00000000000000000000000000000000000000012e45", "0e50", "0.00e1", "1234567e-19",
		"10000000000000000000000000e-21" };
	struct copier *c = copier_new(*state, relations, 1);
	const char *expected[COUNT(texts)];
	char check[200];
	struct db_result *r;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct decimal d;

		assert_int_equal(decimal_parse(text_from(texts[i]), &d), DECIMAL_OK);
		copier_row(c, 0);
		copier_int32(c, (int32_t)i);
		copier_decimal(c, d);
		end_row(c, 2);
		expected[i] = texts[i];
	}
	settle(c);
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *params[] = { expected[i] };

		snprintf(check, sizeof(check),
			"SELECT n::text, $1::numeric::text, n = $1::numeric "
			"FROM profdepot.copy_trial WHERE k = %zu",
			i);
		r = db_query(*state, check, params, 1, &err);
		if (!r)
			fail_msg("%s", err.message);
		if (!text_equal(db_result_value(r, 0, 0), db_result_value(r, 0, 1)) ||
			db_result_value(r, 0, 2).data[0] != 't')
			fail_msg("%s came back as %.200s", texts[i], db_result_value(r, 0, 0).data);
		db_result_free(r);
	}
}

static void
test_decimals_of_every_scale(void **state)
{
	struct copier *c = copier_new(*state, relations, 1);
	static const char *const agree[] = { "760" };
	uint64_t x = 88172645463325252;

	for (int32_t i = 0; i < 760; i++) {
		struct decimal d = { .kind = DECIMAL_COMPACT, .scale = (uint8_t)(i % 19) };
		char text[32];

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		d.mantissa = (int64_t)x >> (i % 61);
		snprintf(text, sizeof(text), "%llde-%d", (long long)d.mantissa, d.scale);
		copier_row(c, 0);
		copier_int32(c, i);
		copier_decimal(c, d);
		put_nulls(c, 3);
		{
			const struct decimal same = { .kind = DECIMAL_TEXT,
				.text = text_from(text) };

			copier_decimal_array(c, &same, 1);
		}
		end_row(c, 6);
	}
	settle(c);
	{
		struct error err = ERROR_INIT;
		struct db_result *r = db_query(*state,
			"SELECT count(*) FILTER (WHERE n::text = d[1]::text) "
			"FROM profdepot.copy_trial",
			NULL, 0, &err);

		assert_non_null(r);
		assert_true(text_equal(db_result_value(r, 0, 0), text_from(agree[0])));
		db_result_free(r);
	}
}

static void
test_fixed(void **state)
{
	static const char *const texts[] = { "0", "1", "-1.5",
		"123456789012345678901.000000000000000001", "-0.000000000000000001", "1000000",
		"0.1", "12345678901234567890.12345" };
	struct copier *c = copier_new(*state, relations, 1);

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct decimal d;

		assert_int_equal(decimal_parse(text_from(texts[i]), &d), DECIMAL_OK);
		copier_row(c, 0);
		copier_int32(c, (int32_t)i);
		copier_fixed(c, decimal_to_fixed(d));
		end_row(c, 2);
	}
	copier_row(c, 0);
	copier_int32(c, 100);
	copier_wide(c, -25);
	end_row(c, 2);
	settle(c);
	assert_column(*state, "n::text",
		(const char *const[]){ texts[0], texts[1], texts[2], texts[3], texts[4], texts[5],
			texts[6], texts[7], "-25" },
		9);
}

static void
test_bool_and_time(void **state)
{
	static const int64_t times[] = { 0, 946684800000000, -1, 1700000000123456,
		INT64_C(-210866803200000000), INT64_MIN };
	static const char *const expected[] = { "1970-01-01 00:00:00+00", "2000-01-01 00:00:00+00",
		"1969-12-31 23:59:59.999999+00", "2023-11-14 22:13:20.123456+00",
		"4714-11-24 00:00:00+00 BC", NULL };
	static const char *const bools[] = { "f", "t", "f", "t", "f", "t" };
	struct copier *c = copier_new(*state, relations, 1);

	for (size_t i = 0; i < COUNT(times); i++) {
		copier_row(c, 0);
		copier_int32(c, (int32_t)i);
		copier_null(c);
		copier_flag(c, i % 2);
		copier_timestamp(c, times[i]);
		end_row(c, 4);
	}
	settle(c);
	assert_column(*state, "t::text", expected, COUNT(expected));
	assert_column(*state, "b", bools, COUNT(bools));
}

static void
test_time_out_of_range(void **state)
{
	static const int64_t times[] = { INT64_MIN + 1, INT64_C(-210866803200000001) };

	for (size_t i = 0; i < COUNT(times); i++) {
		struct copier *c = copier_new(*state, relations, 1);
		struct error err = ERROR_INIT;

		copier_row(c, 0);
		copier_int32(c, 1);
		put_nulls(c, 2);
		copier_timestamp(c, times[i]);
		put_nulls(c, 2);
		assert_false(copier_row_end(c, &err) && copier_settle(c, &err));
		assert_int_equal(err.code, ERROR_LIMIT);
		copier_free(c);
	}
}

static void
test_arrays(void **state)
{
	static const int32_t ints[] = { 0, -1, INT32_MAX, INT32_MIN };
	const struct decimal decimals[] = { decimal_from_int64(-7), { .kind = DECIMAL_NULL },
		{ .mantissa = 150, .scale = 2, .kind = DECIMAL_COMPACT },
		{ .kind = DECIMAL_TEXT, .text = TEXT_LITERAL("2e-20") } };
	struct copier *c = copier_new(*state, relations, 1);

	for (int32_t i = 0; i < 3; i++) {
		copier_row(c, 0);
		copier_int32(c, i);
		put_nulls(c, 3);
		copier_int32_array(c, i == 2 ? NULL : ints, i ? 0 : COUNT(ints));
		copier_decimal_array(c, i == 2 ? NULL : decimals, i ? 0 : COUNT(decimals));
		end_row(c, 6);
	}
	settle(c);
	assert_column(*state, "a::text",
		(const char *const[]){ "{0,-1,2147483647,-2147483648}", "{}", NULL }, 3);
	assert_column(*state, "d::text",
		(const char *const[]){ "{-7,NULL,1.50,0.00000000000000000002}", "{}", NULL }, 3);
}

static void
test_arrays_of_sums(void **state)
{
	static const bool flags[] = { true, false, false };
	const wide_int sums[] = { fixed_from_wide(-7), 1, 0 };
	struct error err = ERROR_INIT;
	struct copier *c = copier_new(*state, relations, 2);

	for (int32_t i = 0; i < 3; i++) {
		copier_row(c, 1);
		copier_int32(c, i);
		copier_bool_array(c, i == 2 ? NULL : flags, i ? 0 : COUNT(flags));
		copier_fixed_array(c, i == 2 ? NULL : sums, i ? 0 : COUNT(sums));
		assert_true(copier_row_end(c, &err));
	}
	settle(c);
	assert_column(*state, "f::text", (const char *const[]){ "{t,f,f}", "{}", NULL }, 3);
	assert_column(*state, "d::text",
		(const char *const[]){ "{-7,0.000000000000000001,0}", "{}", NULL }, 3);
}

enum {
	MANY_INTS = 4096,
	BIG_ROWS = 300, /* each row has 32 KiB; all rows together fill 10 buffers */
};

/* Adds BIG_ROWS rows; the last row contains the number `last`. Sets *told to the index of the row for which the copier
 * reports a failure, or to BIG_ROWS if it reports none. */
static void
put_big_rows(struct copier *c, int32_t last, int32_t *told, struct error *err)
{
	static int32_t ints[MANY_INTS];
	int32_t i = 0;

	for (; i < BIG_ROWS; i++) {
		copier_row(c, 0);
		copier_int32(c, i == BIG_ROWS - 1 ? last : i);
		put_nulls(c, 3);
		ints[0] = i;
		copier_int32_array(c, ints, MANY_INTS);
		copier_null(c);
		if (!copier_row_end(c, err))
			break;
	}
	*told = i;
}

static void
assert_answer(struct db *db, const char *sql, const char *expected)
{
	struct error err = ERROR_INIT;
	struct db_result *r = db_query(db, sql, NULL, 0, &err);

	if (!r)
		fail_msg("%s", err.message);
	assert_string_equal(db_result_value(r, 0, 0).data, expected);
	db_result_free(r);
}

static void
test_full_buffers(void **state)
{
	struct error err = ERROR_INIT;
	struct copier *c = copier_new(*state, relations, 2);
	int32_t told;

	put_big_rows(c, BIG_ROWS - 1, &told, &err);
	assert_int_equal(told, BIG_ROWS);
	assert_false(db_exec(*state, "SELECT 1", &err));
	assert_int_equal(err.code, ERROR_INTERNAL);
	error_clear(&err);
	assert_true(copier_rest(c, &err));
	assert_answer(*state, "SELECT count(*) BETWEEN 200 AND 300 FROM profdepot.copy_trial", "t");
	copier_row(c, 1);
	copier_int32(c, BIG_ROWS);
	put_nulls(c, 2);
	assert_true(copier_row_end(c, &err));
	settle(c);
	assert_answer(*state,
		"SELECT count(*) || ' ' || sum(k) || ' ' || sum(a[1]) || ' ' || sum(cardinality(a)) "
		"FROM profdepot.copy_trial",
		"301 45150 44850 1228800");
}

/* The server reports an error while later rows are produced. The copier must return this error for
 * one of these rows, or at the end. */
static void
test_failure_in_a_full_buffer(void **state)
{
	struct error err = ERROR_INIT;
	struct copier *c = copier_new(*state, relations, 2);
	int32_t told;

	assert_true(db_exec(*state,
		"ALTER TABLE profdepot.copy_trial ADD CONSTRAINT low CHECK (k < 40); BEGIN", &err));
	put_big_rows(c, 0, &told, &err);
	assert_true(told > 40);
	assert_true(told < BIG_ROWS || !copier_settle(c, &err));
	assert_int_equal(err.code, ERROR_DATABASE);
	assert_string_equal(err.sqlstate, "23514");
	error_clear(&err);
	assert_false(copier_settle(c, &err));
	assert_string_equal(err.sqlstate, "23514");
	db_rollback(*state);
	copier_free(c);
	assert_answer(*state, "SELECT count(*) FROM profdepot.copy_trial", "0");
}

static void
test_rollback_while_rows_wait(void **state)
{
	struct error err = ERROR_INIT;
	struct copier *c = copier_new(*state, relations, 2);
	int32_t told;

	assert_true(db_exec(*state, "BEGIN", &err));
	put_big_rows(c, 0, &told, &err);
	db_rollback(*state);
	assert_answer(*state, "SELECT count(*) FROM profdepot.copy_trial", "0");
	/* The rollback dropped rows that the copier was sending or had in its buffer. The copier
	 * must report this. */
	assert_false(copier_settle(c, &err));
	copier_free(c);
	assert_answer(*state, "SELECT count(*) FROM profdepot.copy_trial", "0");
}

static void
test_lost_connection(void **state)
{
	const struct db_target target = { .role = DB_ROLE_OWNER };
	struct error err = ERROR_INIT;
	struct db *db = db_open(&target, &err);
	struct copier *c = copier_new(db, relations, 2);
	int32_t told;

	assert_non_null(db);
	put_big_rows(c, 0, &told, &err);
	assert_true(copier_rest(c, &err));
	assert_true(db_exec(*state,
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
		"WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'COPY%'",
		&err));
	put_big_rows(c, 0, &told, &err);
	assert_false(copier_settle(c, &err));
	assert_int_equal(err.code, ERROR_DATABASE);
	db_rollback(db);
	copier_free(c);
	db_close(db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_decimals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_decimals_of_every_scale, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fixed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bool_and_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_time_out_of_range, setup, teardown),
		cmocka_unit_test_setup_teardown(test_arrays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_arrays_of_sums, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_buffers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failure_in_a_full_buffer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rollback_while_rows_wait, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost_connection, setup, teardown),
	};

	return cmocka_run_group_tests_name("db copy", tests, NULL, NULL);
}
