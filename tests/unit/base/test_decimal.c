#include "base/decimal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct decimal
parsed(const char *s)
{
	struct decimal d;

	assert_int_equal(decimal_parse(text_from(s), &d), DECIMAL_OK);
	return d;
}

static void
test_parse_compact(void **state)
{
	static const struct {
		const char *text;
		int64_t mantissa;
		int scale;
	} cases[] = {
		{ "0", 0, 0 },
		{ "-0", 0, 0 },
		{ "-0.00", 0, 2 },
		{ "7", 7, 0 },
		{ "-12.50", -1250, 2 },
		{ "0.000000000000000001", 1, 18 },
		{ "9223372036854775807", INT64_MAX, 0 },
		{ "-9223372036854775808", INT64_MIN, 0 },
		{ "-9.223372036854775808", INT64_MIN, 18 },
		/* exponents are applied; the scale is that of PostgreSQL's numeric */
		{ "1e3", 1000, 0 },
		{ "1.50E1", 150, 1 },
		{ "15e-1", 15, 1 },
		{ "1.5e+18", 1500000000000000000, 0 },
		{ "0e999999999999999999999", 0, 0 },
		{ "0.000000000000000000000000005e20", 5, 7 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct decimal d = parsed(cases[i].text);

		assert_int_equal(d.kind, DECIMAL_COMPACT);
		assert_int_equal(d.mantissa, cases[i].mantissa);
		assert_int_equal(d.scale, cases[i].scale);
	}
}

static void
test_parse_text(void **state)
{
	static const char *const cases[] = {
		"9223372036854775808",
		"-9223372036854775809",
		"0.1234567890123456789",
		"1e19",
		"1e999",
		"-1.5e-999",
		"123456789012345678901234567890.5",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct decimal d = parsed(cases[i]);

		assert_int_equal(d.kind, DECIMAL_TEXT);
		assert_true(text_equal(d.text, text_from(cases[i])));
	}
}

static void
test_parse_refuses(void **state)
{
	static const char *const bad[] = { "", "-", "+1", "01", "-01", ".5", "5.", "1e", "1e+",
		"1.e5", "0x10", "1 ", " 1", "NaN", "Infinity", "1_000", "1e5.5", "--1", "1,5" };
	static const char *const range[] = { "1e1000", "-1e1000", "10e999", "1e-1001", "1.5e-1000",
		"1e99999999999999999999999", "1e-99999999999999999999999", "0e-1001" };
	struct decimal d;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(decimal_parse(text_from(bad[i]), &d), DECIMAL_NOT_A_NUMBER);
	for (size_t i = 0; i < COUNT(range); i++) {
		assert_int_equal(decimal_parse(text_from(range[i]), &d), DECIMAL_RANGE);
		assert_int_equal(d.kind, DECIMAL_NULL);
	}
}

static void
test_verbatim(void **state)
{
	static const struct {
		const char *text;
		bool verbatim;
	} cases[] = {
		{ "0", true },
		{ "0.000", true },
		{ "-0", false },
		{ "-0.0", false },
		{ "-0.10", true },
		{ "1e0", false },
		{ "1E5", false },
		{ "123456789012345678901234567890.50", true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(decimal_is_verbatim(text_from(cases[i].text)), cases[i].verbatim);
}

static void
test_arithmetic(void **state)
{
	struct decimal d = { 0 };

	(void)state;
	assert_true(decimal_subtract(parsed("10.5"), parsed("0.25"), &d));
	assert_int_equal(d.mantissa, 1025);
	assert_int_equal(d.scale, 2);
	assert_true(decimal_add(parsed("-0.5"), parsed("0.50"), &d));
	assert_int_equal(d.mantissa, 0);
	assert_int_equal(d.scale, 2);
	assert_true(
		decimal_subtract(parsed("9223372036854775807"), parsed("9223372036854775807"), &d));
	assert_int_equal(d.mantissa, 0);
	assert_false(decimal_add(parsed("9223372036854775807"), parsed("1"), &d));
	assert_false(decimal_subtract(parsed("1000000000000000000"), parsed("0.1"), &d));
	assert_false(decimal_add(parsed("1e19"), parsed("1"), &d));
	assert_false(decimal_add(parsed("1"), (struct decimal){ 0 }, &d));
}

static void
test_compare(void **state)
{
	static const struct {
		const char *a, *b;
		int order;
	} cases[] = {
		{ "1", "1.000", 0 },
		{ "-1", "0.5", -1 },
		{ "922337203685477580.7", "922337203685477580", 1 },
		{ "9223372036854775807", "0.000000000000000001", 1 },
		{ "1e300", "1e299", 1 },
		{ "-1e300", "5", -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(
			decimal_compare(parsed(cases[i].a), parsed(cases[i].b)), cases[i].order);
		assert_int_equal(
			decimal_compare(parsed(cases[i].b), parsed(cases[i].a)), -cases[i].order);
	}
	assert_int_equal(decimal_compare((struct decimal){ 0 }, parsed("-5")), -1);
	assert_int_equal(decimal_compare((struct decimal){ 0 }, (struct decimal){ 0 }), 0);
}

/* Compares the bits of two doubles, because == does not distinguish 0 and -0. */
static void
assert_double(double got, double expected)
{
	assert_memory_equal(&got, &expected, sizeof(got));
}

/* strtod rounds correctly, so the results must equal those of strtod at every scale. */
static void
test_to_double(void **state)
{
	uint64_t x = 88172645463325252;

	(void)state;
	assert_double(decimal_to_double((struct decimal){ 0 }), 0);
	assert_double(decimal_to_double(parsed("1e300")), 1e300);
	assert_double(decimal_to_double(parsed("-123456789012345678901234567890.5")),
		-123456789012345678901234567890.5);
	assert_double(decimal_to_double(parsed("-9223372036854775808")), -9223372036854775808.0);
	for (int i = 0; i < 20000; i++) {
		struct decimal d = { .kind = DECIMAL_COMPACT };
		char text[64];

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		d.mantissa = (int64_t)x >> (i % 40);
		d.scale = (uint8_t)(i % 19);
		snprintf(text, sizeof(text), "%llde-%d", (long long)d.mantissa, d.scale);
		assert_double(decimal_to_double(d), strtod(text, NULL));
	}
}

static void
test_fixed(void **state)
{
	static const struct {
		const char *text, *fixed;
	} cases[] = {
		{ "0", "0" },
		{ "-1.50", "-1.5" },
		{ "100", "100" },
		{ "0.000000000000000001", "0.000000000000000001" },
		{ "-9223372036854775808", "-9223372036854775808" },
		/* rounded at the 18th digit, half away from zero */
		{ "0.0000000000000000014", "0.000000000000000001" },
		{ "0.0000000000000000015", "0.000000000000000002" },
		{ "-1.9999999999999999995", "-2" },
		{ "5e-19", "0.000000000000000001" },
		{ "5e-20", "0" },
		{ "9e-900", "0" },
		{ "12345678901234567890.5", "12345678901234567890.5" },
		{ "1e20", "100000000000000000000" },
		/* a value out of range becomes the nearest value in the range */
		{ "1e21", "170141183460469231731.687303715884105727" },
		{ "171e18", "170141183460469231731.687303715884105727" },
		{ "-1e999", "-170141183460469231731.687303715884105728" },
	};
	char out[DECIMAL_FIXED_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(fixed_format(decimal_to_fixed(parsed(cases[i].text)), out),
			strlen(cases[i].fixed));
		assert_string_equal(out, cases[i].fixed);
	}
	assert_true(decimal_to_fixed((struct decimal){ 0 }) == 0);
}

static void
test_text(void **state)
{
	static const struct {
		const char *text;
		int power;
		const char *want;
	} cases[] = { { "0", 0, "0" }, { "-0.50", 0, "-0.50" }, { "7", 0, "7" },
		{ "12.5", 3, "12500" }, { "0.00", 3, "0" }, { "0.00", 1, "0.0" },
		{ "5", -3, "0.005" }, { "1234", -3, "1.234" },
		{ "-9223372036854775808", 9, "-9223372036854775808000000000" },
		{ "0.000000000000000001", -9, "0.000000000000000000000000001" },
		{ "12345678901234567890.5", 0, "12345678901234567890.5" } };
	char out[DECIMAL_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct text got = decimal_text(parsed(cases[i].text), cases[i].power, out);

		assert_true(text_equal(got, text_from(cases[i].want)));
	}
	assert_true(text_equal(decimal_text((struct decimal){ 0 }, 0, out), TEXT_LITERAL("0")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse_compact),
		cmocka_unit_test(test_parse_text),
		cmocka_unit_test(test_parse_refuses),
		cmocka_unit_test(test_verbatim),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_to_double),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
