/*
 * Prepares the query of every report in a new schema. A query must have the parameters that its
 * file declares, and columns with the declared names and kinds.
 */
#include "db/connection.h"
#include "report/report_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Returns whether a column of this kind may have the SQL type with this OID. */
static bool
fits(enum table_kind kind, uint32_t type)
{
	switch (kind) {
	case TABLE_INTEGER:
		return type == 20 || type == 23 || type == 1700;
	case TABLE_DECIMAL:
		return type == 1700 || type == 701;
	case TABLE_BOOL:
		return type == 16;
	case TABLE_TIME:
		return type == 1184 || type == 25;
	case TABLE_TEXT:
	case TABLE_LABELS:
	case TABLE_FRAMES:
	case TABLE_STACKS:
	case TABLE_KINDS:
		break;
	}
	return type == 25;
}

static void
check_params(struct db *db, struct arena *a, const struct report *r, const char *sql)
{
	struct error err = ERROR_INIT;
	struct db_result *types;
	size_t expected = r->param_count + (r->order_count ? 1 : 0);

	if (!db_exec(db, arena_printf(a, "PREPARE report AS %s", sql), &err))
		fail_msg("report %s %s: %s", r->name, r->by ? r->by : "", err.message);
	types = db_query(db,
		"SELECT unnest(parameter_types)::text FROM pg_prepared_statements"
		" WHERE name = 'report'",
		NULL, 0, &err);
	assert_non_null(types);
	assert_int_equal(db_result_rows(types), expected);
	for (size_t i = 0; i < r->param_count; i++)
		assert_string_equal(db_result_value(types, i, 0).data,
			report_value_types[report_param_infos[r->params[i]].value]);
	db_result_free(types);
	assert_true(db_exec(db, "DEALLOCATE report", &err));
}

static void
check_columns(struct db *db, const struct report *r, const char *sql, size_t count)
{
	const char *values[REPORT_MAX_PARAMS + 1] = { "1" };
	struct error err = ERROR_INIT;
	struct db_result *rows;

	if (strcmp(report_value_types[report_param_infos[r->params[0]].value], "bigint[]") == 0)
		values[0] = "{1}";
	if (r->order_count)
		values[r->param_count] = "1";
	rows = db_query(db, sql, values, r->param_count + (r->order_count ? 1 : 0), &err);
	if (!rows)
		fail_msg("report %s %s: %s", r->name, r->by ? r->by : "", err.message);
	assert_int_equal(db_result_columns(rows), count);
	for (size_t i = 0; i < r->column_count; i++) {
		const bool is_routine = r->owner_has_routine && i + 1 == r->column_count;
		const enum table_kind kind = is_routine ? TABLE_INTEGER : r->columns[i].kind;

		assert_string_equal(db_result_column_name(rows, i), r->columns[i].key);
		if (!fits(kind, db_result_column_type(rows, i)))
			fail_msg("report %s: column %s is of type %u", r->name, r->columns[i].key,
				db_result_column_type(rows, i));
	}
	db_result_free(rows);
}

/* Checks the columns of a page, which end with the totals. */
static void
check_page(
	struct db *db, struct arena *a, const struct report *r, const struct report_request *page)
{
	struct error err = ERROR_INIT;
	const char *sql = report_sql(a, r, page, false, &err);
	size_t count = r->column_count;

	if (report_page_has_totals(r, page)) {
		count++;
		for (size_t i = 0; i < r->column_count; i++)
			count += r->columns[i].summed;
	}
	check_columns(db, r, sql, count);
}

static void
test_every_report(void **state)
{
	const struct db_target target = { .role = DB_ROLE_READER };
	struct error err = ERROR_INIT;
	struct arena a = ARENA_INIT;
	struct report_request q = { .sort = NULL };
	struct report_request page = { .top = 1 };
	struct db *db = db_open(&target, &err);
	const struct report *r;
	size_t i = 0;

	(void)state;
	if (!db)
		fail_msg("%s", err.message);
	while ((r = report_at(i))) {
		const char *sql = report_sql(&a, r, &q, false, &err);

		assert_non_null(sql);
		/* Call tree reports have no query; tests/cli/render/flame.sh tests them. */
		if (r->has_query) {
			check_params(db, &a, r, sql);
			check_columns(db, r, sql, r->column_count);
			check_page(db, &a, r, &page);
		}
		i++;
	}
	assert_int_equal(err.code, ERROR_NONE);
	assert_true(i > 10);
	db_close(db);
	arena_release(&a);
}

/* A parameter's code must be REPORT_ followed by its name in upper case. tools/report2c.awk assumes this. */
static void
test_param_codes(void **state)
{
	static const char *const codes[] = {
#define CODE(code, name, option, value, word, help) #code,
		REPORT_PARAM_TABLE(CODE)
#undef CODE
	};

	(void)state;
	for (int i = 0; i < REPORT_PARAMS; i++) {
		const char *name = report_param_infos[i].name;

		assert_int_equal(strlen(codes[i]), strlen("REPORT_") + strlen(name));
		assert_int_equal(strcasecmp(codes[i] + strlen("REPORT_"), name), 0);
	}
}

static void
test_requests(void **state)
{
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct report_request q = { .sort = "size:asc" };
	const struct report *r = report_find("classes", NULL, &err);

	(void)state;
	assert_non_null(r);
	assert_false(report_check(r, &q, &err));
	q.sort = "live_size";
	assert_true(report_check(r, &q, &err));
	q.sort = "live_size:up";
	assert_false(report_check(r, &q, &err));
	q.sort = "1; DROP TABLE x";
	assert_false(report_check(r, &q, &err));
	assert_null(report_sql(&a, r, &q, false, &err));
	q.sort = NULL;
	q.values[REPORT_OBJECT] = "1";
	assert_false(report_check(r, &q, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_string_equal(err.hint, "these do: stack");
	q.values[REPORT_OBJECT] = NULL;
	r = report_find("leaks", NULL, &err);
	q.values[REPORT_MIN_SIZE] = "64K";
	q.values[REPORT_MIN_COUNT] = "3";
	assert_true(report_check(r, &q, &err));
	q.values[REPORT_MIN_SIZE] = "64 apples";
	assert_false(report_check(r, &q, &err));
	q.values[REPORT_MIN_SIZE] = NULL;
	q.values[REPORT_MIN_COUNT] = "-3";
	assert_false(report_check(r, &q, &err));
	q.values[REPORT_MIN_COUNT] = "3e5";
	assert_false(report_check(r, &q, &err));
	assert_null(report_find("leeks", NULL, &err));
	assert_non_null(strstr(err.hint, "\"leaks\""));
	assert_null(report_find("classes", "own", &err));
	arena_release(&a);
}

/* A sink that stores the number of rows and the total of one column. */
struct sums {
	struct table_sink sink;
	const struct table_head *head;
	const char *column;
	uint64_t rows;
	char total[32];
};

static bool
on_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	(void)err;
	((struct sums *)s)->head = head;
	return true;
}

static bool
on_set(struct table_sink *s, const struct table_set *set, struct error *err)
{
	(void)s;
	(void)set;
	(void)err;
	return true;
}

static bool
on_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	(void)s;
	(void)cells;
	(void)err;
	return true;
}

static bool
on_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct sums *sums = (struct sums *)s;

	(void)err;
	sums->rows = foot->rows;
	for (size_t i = 0; i < sums->head->column_count; i++)
		if (strcmp(sums->head->columns[i].key, sums->column) == 0 &&
			sums->head->columns[i].summed)
			snprintf(sums->total, sizeof(sums->total), "%.*s",
				(int)foot->totals[i].text.size, foot->totals[i].text.data);
	return true;
}

static void
expect_sums(struct db *db, const char *name, const char *by, const struct report_request *q,
	uint64_t rows, const char *total)
{
	struct sums sums = { .sink = { on_begin, on_set, on_row, on_set_end, NULL },
		.column = "count" };
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	const struct report *r = report_find(name, by, &err);
	struct table_head head;

	assert_non_null(r);
	report_head(r, &head);
	assert_true(sums.sink.begin(&sums.sink, &head, &err));
	if (!report_run(db, r, q, &sums.sink, &err))
		fail_msg("report %s: %s", name, err.message);
	assert_int_equal(sums.rows, rows);
	assert_string_equal(sums.total, total);
	arena_release(&a);
}

/* Tests that reports omit excluded findings. Result set 7 comes from tests/golden/findings/set.sql. */
static void
test_exclusions(void **state)
{
	const struct db_target target = { .role = DB_ROLE_READER };
	static const int64_t objects[] = { 1, 4, 99 };
	static const int64_t errors[] = { 2, 3 };
	struct error err = ERROR_INIT;
	struct db *db = db_open(&target, &err);
	struct report_request q = { .inst_id = 7 };

	(void)state;
	assert_non_null(db);
	expect_sums(db, "leaks", "record", &q, 6, "1012");
	expect_sums(db, "errors", "record", &q, 3, "8");
	q.excluded_objects = objects;
	q.excluded_object_count = 3;
	q.excluded_errors = errors;
	q.excluded_error_count = 2;
	expect_sums(db, "leaks", "record", &q, 5, "10");
	expect_sums(db, "leaks", "lines", &q, 5, "10");
	expect_sums(db, "leaks", "class", &q, 2, "10");
	expect_sums(db, "leaks", "routine", &q, 3, "10");
	expect_sums(db, "leaks", "module", &q, 1, "10");
	expect_sums(db, "leaks", "stack", &q, 5, "10");
	expect_sums(db, "leaks", "thread", &q, 2, "10");
	expect_sums(db, "threads", NULL, &q, 3, "10");
	expect_sums(db, "objects", NULL, &q, 5, "10");
	expect_sums(db, "errors", "record", &q, 2, "5");
	expect_sums(db, "errors", "each", &q, 3, "");
	db_close(db);
}

/* Without --by, the report for detectors is selected if all result sets come from detectors. */
static void
test_detected(void **state)
{
	const struct db_target target = { .role = DB_ROLE_READER };
	static const int64_t both[] = { 7, 8 };
	struct error err = ERROR_INIT;
	struct arena a = ARENA_INIT;
	struct db *db = db_open(&target, &err);
	struct report_request q = { .inst_ids = both, .inst_id_count = 1 };
	const struct report *leaks = report_find("leaks", NULL, &err);
	const struct report *errors = report_find("errors", NULL, &err);

	(void)state;
	assert_non_null(db);
	assert_string_equal(report_for_sets(db, &a, leaks, &q, &err)->by, "record");
	assert_string_equal(report_for_sets(db, &a, errors, &q, &err)->by, "record");
	q.inst_id_count = 2;
	assert_string_equal(report_for_sets(db, &a, leaks, &q, &err)->by, "lines");
	assert_string_equal(report_for_sets(db, &a, errors, &q, &err)->by, "each");
	q.inst_id_count = 1;
	q.sort = "error_code_hex";
	assert_string_equal(report_for_sets(db, &a, errors, &q, &err)->by, "each");
	q.sort = "records";
	assert_true(report_check_any(errors, &q, &err));
	assert_string_equal(report_for_sets(db, &a, errors, &q, &err)->by, "record");
	q.inst_id_count = 2;
	assert_null(report_for_sets(db, &a, errors, &q, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_false(report_check_any(leaks, &(struct report_request){ .sort = "x" }, &err));
	db_close(db);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_report),
		cmocka_unit_test(test_param_codes),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_exclusions),
		cmocka_unit_test(test_detected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
