/* Tests the ODBC rowset with an SQLite database that odbc.sh creates ($ODBC_TEST). */
#include "base/arena.h"
#include "input/odbc/odbc_rowset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	ROWS = 3000
};

static struct odbc_rowset *
open_rowset(const struct odbc_options *options)
{
	struct error err = ERROR_INIT;
	struct odbc_rowset *s = odbc_rowset_new(getenv("ODBC_TEST"), options, &err);

	if (!s)
		fail_msg("%s", err.message);
	return s;
}

static struct row_reader *
open_table(struct odbc_rowset *s, const char *name)
{
	struct rowset *r = odbc_rowset_interface(s);
	struct error err = ERROR_INIT;
	struct row_reader *reader = r->open(r, (size_t)rowset_find(r, name), &err);

	if (!reader)
		fail_msg("%s", err.message);
	return reader;
}

static void
check_text(struct text got, const char *want)
{
	if (!text_equal(got, text_from(want)))
		fail_msg("\"%.*s\" instead of \"%s\"", (int)got.size, got.data, want);
}

static void
check_row(struct row_reader *reader, int i)
{
	struct error err = ERROR_INIT;
	struct arena a = ARENA_INIT;
	struct row row;

	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	assert_int_equal(row.count, 3);
	assert_int_equal(row.line, i);
	check_text(row.fields[0], arena_printf(&a, "%d", i));
	check_text(row.fields[1], arena_printf(&a, "caption %d", i));
	check_text(row.fields[2], arena_printf(&a, "%d%s", i / 2, i % 2 ? ".5" : ""));
	check_text(
		row.raw, arena_printf(&a, "%d\tcaption %d\t%d%s", i, i, i / 2, i % 2 ? ".5" : ""));
	arena_release(&a);
}

static void
check_end(struct row_reader *reader)
{
	struct error err = ERROR_INIT;
	struct row row;

	assert_int_equal(reader->next(reader, &row, &err), ROW_END);
	assert_int_equal(reader->next(reader, &row, &err), ROW_END);
	assert_int_equal(err.code, ERROR_NONE);
	reader->close(reader);
}

static void
check_texts(struct odbc_rowset *s)
{
	struct row_reader *reader = open_table(s, "QUOTED \"PROFDEPOT_");
	struct error err = ERROR_INIT;
	struct row row;

	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	assert_true(text_is_null(row.fields[0]));
	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	assert_false(text_is_null(row.fields[0]));
	check_text(row.fields[0], "");
	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	check_text(row.fields[0], "é€𝄞");
	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	assert_int_equal(row.fields[0].size, 6000 * strlen("Ж𝄞"));
	for (size_t i = 0; i < 6000; i++)
		assert_memory_equal(row.fields[0].data + i * 6, "Ж𝄞", 6);
	check_end(reader);
}

/* Two readers read the same table alternately. If the driver allows only one statement at a time,
 * the first reader stores its remaining rows in a file. */
static void
test_side_by_side(void **state)
{
	(void)state;
	for (int one = 0; one < 2; one++) {
		const struct odbc_options options = { .one_statement = one == 1 };
		struct odbc_rowset *s = open_rowset(&options);
		struct row_reader *first = open_table(s, "INSTANCES");
		struct row_reader *second;
		struct row_reader *empty;

		for (int i = 1; i <= 10; i++)
			check_row(first, i);
		second = open_table(s, "INSTANCES");
		check_row(second, 1);
		check_row(first, 11);
		empty = open_table(s, "PROFDEPOT_EMPTY");
		check_end(empty);
		for (int i = 12; i <= ROWS; i++) {
			check_row(first, i);
			check_row(second, i - 10);
		}
		check_end(first);
		check_texts(s);
		for (int i = ROWS - 9; i <= ROWS; i++)
			check_row(second, i);
		check_end(second);
		odbc_rowset_free(s);
	}
}

static void
test_limits(void **state)
{
	const struct odbc_options options = { .max_field_bytes = 1000 };
	struct odbc_rowset *s = open_rowset(&options);
	struct row_reader *reader = open_table(s, "QUOTED \"PROFDEPOT_");
	struct error err = ERROR_INIT;
	struct row row;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	assert_int_equal(reader->next(reader, &row, &err), ROW_ERROR);
	assert_int_equal(err.code, ERROR_LIMIT);
	assert_non_null(strstr(err.message, "row 4: column A has more than 1000 bytes"));
	assert_null(strstr(err.message, "hidden"));
	reader->close(reader);
	odbc_rowset_free(s);
}

static void
test_chosen(void **state)
{
	static const int64_t chosen[] = { 7, 2999 };
	const struct odbc_options options = { .inst_ids = chosen, .inst_id_count = 2 };
	struct odbc_rowset *s = open_rowset(&options);
	struct row_reader *reader = open_table(s, "INSTANCES");
	struct rowset *r = odbc_rowset_interface(s);
	struct error err = ERROR_INIT;
	struct row row;

	(void)state;
	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	check_text(row.fields[0], "7");
	assert_int_equal(reader->next(reader, &row, &err), ROW_READ);
	check_text(row.fields[0], "2999");
	check_end(reader);
	assert_null(r->open(r, (size_t)rowset_find(r, "PROFDEPOT_EMPTY"), &err));
	assert_non_null(strstr(err.message, "PROFDEPOT_EMPTY has no column INST_ID"));
	odbc_rowset_free(s);
}

static void
check_name(const char *string, const char *want)
{
	struct arena a = ARENA_INIT;

	assert_string_equal(odbc_display_name(&a, string), want);
	arena_release(&a);
}

static void
test_names(void **state)
{
	(void)state;
	check_name("DSN=aqtime;UID=me;PWD=you", "aqtime");
	check_name("driver={SQL Server;x}}y};SERVER=h;Database=d;pwd={;Database=z}",
		"SQL Server;x}y/d@h");
	check_name("Driver=/a/b/lib.so;DBQ=C:\\data\\r.mdb", "lib.so/r.mdb");
	check_name("Database=only;", "odbc/only");
	check_name("", "odbc");
	check_name(";;=;{;PWD", "odbc");
	check_name("DSN={open", "open");
	check_name("DSN=\xff", "?");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_chosen),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
