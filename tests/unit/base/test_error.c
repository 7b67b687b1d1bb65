#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_error(void **state)
{
	struct error err = ERROR_INIT;
	char much[2000];

	(void)state;
	assert_false(error_set(&err, ERROR_INPUT, "line %d: bad", 7));
	assert_false(error_hint(&err, "use %s", "--encoding"));
	assert_false(error_prefix(&err, "%s", "a.csv"));
	assert_string_equal(err.message, "a.csv: line 7: bad");
	assert_string_equal(err.hint, "use --encoding");
	/* the next error clears the hint and the sqlstate */
	memcpy(err.sqlstate, "42P01", 6);
	errno = ENOENT;
	assert_false(error_set_errno(&err, ERROR_FILE, "cannot open %s", "x"));
	assert_string_equal(err.message, "cannot open x: No such file or directory");
	assert_string_equal(err.hint, "");
	assert_string_equal(err.sqlstate, "");
	/* a message that is too long is truncated between two characters */
	memset(much, 'a', sizeof(much));
	memcpy(much + sizeof(err.message) - 2, "\xD0\x9F", 3);
	error_set(&err, ERROR_INPUT, "%s", much);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 2);
	assert_int_equal(text_utf8_prefix(err.message, strlen(err.message)), strlen(err.message));
	/* a message that a prefix makes too long is also truncated between two characters */
	memcpy(much, "\xE2\x82\xAC", 3);
	for (size_t i = 3; i < 1020; i++)
		much[i] = much[i - 3];
	much[1020] = '\0';
	error_set(&err, ERROR_INPUT, "%s", much);
	error_prefix(&err, "12");
	assert_int_equal(text_utf8_prefix(err.message, strlen(err.message)), strlen(err.message));
	error_clear(&err);
	assert_int_equal(err.code, ERROR_NONE);
	assert_string_equal(err.message, "");
	/* error codes have an exit status, an HTTP status and a name */
	assert_int_equal(error_exit_status(ERROR_NONE), 0);
	assert_int_equal(error_exit_status(ERROR_USAGE), 2);
	assert_int_equal(error_exit_status(ERROR_LIMIT), 3);
	assert_int_equal(error_http_status(ERROR_NOT_FOUND), 404);
	assert_string_equal(error_code_name(ERROR_DATABASE), "database");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
