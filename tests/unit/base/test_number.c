#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
test_number_parse(void **state)
{
	static const struct {
		const char *text;
		enum number_result result;
		const char *written; /* the text that number_format writes */
	} cases[] = {
		/* numbers with a sign, with blanks at the ends, with leading zeros */
		{ "0", NUMBER_OK, "0" },
		{ "12", NUMBER_OK, "12" },
		{ "-1", NUMBER_OK, "-1" },
		{ "+7", NUMBER_OK, "7" },
		{ " 12\t", NUMBER_OK, "12" },
		{ "007", NUMBER_OK, "7" },
		/* zero is never negative */
		{ "-0", NUMBER_OK, "0" },
		/* some exporters write a dot or comma, after which only zeros are allowed */
		{ "12.0", NUMBER_OK, "12" },
		{ "12,0", NUMBER_OK, "12" },
		{ "-12.000", NUMBER_OK, "-12" },
		{ "12.5", NUMBER_FRACTION, NULL },
		{ "12,01", NUMBER_FRACTION, NULL },
		/* digits on only one side of a point, two points, letters */
		{ "12.", NUMBER_NOT_A_NUMBER, NULL },
		{ ".5", NUMBER_NOT_A_NUMBER, NULL },
		{ "1.2.3", NUMBER_NOT_A_NUMBER, NULL },
		{ "1.0x", NUMBER_NOT_A_NUMBER, NULL },
		{ "12a", NUMBER_NOT_A_NUMBER, NULL },
		{ "1 2", NUMBER_NOT_A_NUMBER, NULL },
		{ "0x10", NUMBER_NOT_A_NUMBER, NULL },
		{ "1e3", NUMBER_NOT_A_NUMBER, NULL },
		/* empty */
		{ "", NUMBER_NOT_A_NUMBER, NULL },
		{ " ", NUMBER_NOT_A_NUMBER, NULL },
		{ "-", NUMBER_NOT_A_NUMBER, NULL },
		{ "--1", NUMBER_NOT_A_NUMBER, NULL },
		/* the ends of the range, and the numbers next to them */
		{ "9223372036854775807", NUMBER_OK, "9223372036854775807" },
		{ "18446744073709551615", NUMBER_OK, "18446744073709551615" },
		{ "18446744073709551616", NUMBER_RANGE, NULL },
		{ "-9223372036854775808", NUMBER_OK, "-9223372036854775808" },
		{ "-9223372036854775809", NUMBER_RANGE, NULL },
		{ "99999999999999999999999999", NUMBER_RANGE, NULL },
		/* a long text that is not a number, and many leading zeros */
		{ "99999999999999999999999999x", NUMBER_NOT_A_NUMBER, NULL },
		{ "00000000000000000000000000001", NUMBER_OK, "1" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct number n = { .magnitude = 77 };
		char out[24];

		assert_int_equal(number_parse(text_from(cases[i].text), &n), cases[i].result);
		if (cases[i].written) {
			assert_int_equal(number_format(n, out), strlen(cases[i].written));
			assert_string_equal(out, cases[i].written);
			assert_false(n.null);
		} else {
			assert_int_equal(n.magnitude, 77); /* unchanged */
		}
	}
}

static void
test_number_int64(void **state)
{
	static const struct {
		const char *text;
		bool fits;
		int64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-1", true, -1 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "-9223372036854775808", true, INT64_MIN },
		/* the first number that does not fit, and the largest 64-bit number */
		{ "9223372036854775808", false, 0 },
		{ "18446744073709551615", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct number n;
		int64_t v = 0;
		char out[24];

		assert_int_equal(number_parse(text_from(cases[i].text), &n), NUMBER_OK);
		assert_int_equal(number_to_int64(n, &v), cases[i].fits);
		if (!cases[i].fits)
			continue;
		assert_true(v == cases[i].value);
		assert_int_equal(number_compare(number_from_int64(v), n), 0);
		number_format_int64(v, out);
		assert_string_equal(out, cases[i].text);
	}
}

static void
test_number_order(void **state)
{
	/* In ascending order; NULL sorts first. */
	static const struct number order[] = {
		{ .null = true },
		{ .magnitude = (uint64_t)INT64_MAX + 1, .negative = true },
		{ .magnitude = 2, .negative = true },
		{ .magnitude = 1, .negative = true },
		{ .magnitude = 0 },
		{ .magnitude = 1 },
		{ .magnitude = UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(order); i++)
		for (size_t j = 0; j < COUNT(order); j++)
			assert_int_equal(number_compare(order[i], order[j]), (i > j) - (i < j));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number_parse),
		cmocka_unit_test(test_number_int64),
		cmocka_unit_test(test_number_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
