#include "base/sql_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_sorted_and_terminated(void **state)
{
	(void)state;
	for (size_t i = 1; i < sql_files_count; i++)
		assert_true(strcmp(sql_files[i - 1].name, sql_files[i].name) < 0);
	assert_null(sql_files[sql_files_count].name);
}

static void
test_length_is_that_of_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sql_files_count; i++) {
		assert_int_equal(strlen(sql_files[i].text), sql_files[i].length);
		if (sql_files[i].length)
			assert_int_equal(sql_files[i].text[sql_files[i].length - 1], '\n');
	}
}

static void
test_find_each(void **state)
{
	(void)state;
	for (size_t i = 0; i < sql_files_count; i++)
		assert_ptr_equal(sql_file_find(sql_files[i].name), &sql_files[i]);
}

static void
test_find_none(void **state)
{
	(void)state;
	assert_null(sql_file_find(""));
	assert_null(sql_file_find("schema/"));
	assert_null(sql_file_find("~"));
	assert_null(sql_file_first("no-such-folder/"));
}

static void
test_folders(void **state)
{
	const char *folder = "schema/";
	size_t walked = 0, counted = 0;

	(void)state;
	for (const struct sql_file *f = sql_file_first(folder); f && sql_file_in(f, folder); f++)
		walked++;
	for (size_t i = 0; i < sql_files_count; i++)
		counted += strncmp(sql_files[i].name, folder, strlen(folder)) == 0;
	assert_int_equal(walked, counted);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sorted_and_terminated),
		cmocka_unit_test(test_length_is_that_of_text),
		cmocka_unit_test(test_find_each),
		cmocka_unit_test(test_find_none),
		cmocka_unit_test(test_folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
