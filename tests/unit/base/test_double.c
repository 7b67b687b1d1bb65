#include "base/double.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8" };

/* Numbers must have the form in which Node.js prints them. */
static void
test_format(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -1, "-1" },
		{ 10, "10" },
		{ 0.1, "0.1" },
		{ -0.25, "-0.25" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 2.0 / 3, "0.6666666666666666" },
		{ 123456.789, "123456.789" },
		{ 1e20, "100000000000000000000" },
		{ 123456789012345680000.0, "123456789012345680000" },
		{ 1e21, "1e+21" },
		{ 1.5e21, "1.5e+21" },
		{ -1.5e300, "-1.5e+300" },
		{ 0.000001, "0.000001" },
		{ 0.00000123, "0.00000123" },
		{ 0.0000001, "1e-7" },
		{ 1.5e-7, "1.5e-7" },
		{ 9007199254740993.0, "9007199254740992" },
		{ 9223372036854775808.0, "9223372036854776000" },
		{ 5e-324, "5e-324" },
		{ 1.5e-323, "1.5e-323" },
		{ DBL_MIN, "2.2250738585072014e-308" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ -DBL_MAX, "-1.7976931348623157e+308" },
		{ (double)INFINITY, "Infinity" },
		{ (double)-INFINITY, "-Infinity" },
		{ (double)NAN, "NaN" },
	};
	char text[DOUBLE_TEXT_MAX];

	(void)state;
	for (size_t l = 0; l < COUNT(locales); l++) {
		setlocale(LC_ALL, locales[l]);
		for (size_t i = 0; i < COUNT(cases); i++) {
			assert_int_equal(double_format(cases[i].v, text), strlen(cases[i].text));
			assert_string_equal(text, cases[i].text);
		}
	}
	setlocale(LC_ALL, "C");
}

static void
test_parse(void **state)
{
	static const char many[] =
		"0.0000000000000000000000000000000000000000000000000000000000000000"
		"0000000000000000000000000000000000000000000000000000000012345";

	(void)state;
	for (size_t l = 0; l < COUNT(locales); l++) {
		setlocale(LC_ALL, locales[l]);
		assert_true(fabs(double_parse(TEXT_LITERAL("-1.5e3")) + 1500) <= 0);
		assert_true(fabs(double_parse(TEXT_LITERAL("0.1")) - 0.1) <= 0);
		assert_true(isinf(double_parse(TEXT_LITERAL("1e999"))));
		assert_true(double_parse(TEXT_LITERAL("-1e999")) < 0);
		assert_true(fabs(double_parse(TEXT_LITERAL("1e-999"))) <= 0);
		/* The text ends within the number, without a NUL. */
		assert_true(fabs(double_parse((struct text){ "1.2345", 3 }) - 1.2) <= 0);
		assert_true(fabs(double_parse(TEXT_LITERAL(many)) - 1.2345e-121) <= 0);
	}
	setlocale(LC_ALL, "C");
}

/* A double must survive the conversion to text and back, and no shorter text may represent it. */
static void
test_comes_back(void **state)
{
	uint64_t bits = 88172645463325252;
	char text[DOUBLE_TEXT_MAX], shorter[DOUBLE_TEXT_MAX];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		double v, back;
		int digits = 0;

		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&v, &bits, sizeof(v));
		if (!isfinite(v))
			continue;
		if (i % 3 == 0)
			v = (double)(int64_t)(bits % 2000000001) / 1000;
		back = double_parse((struct text){ text, double_format(v, text) });
		assert_memory_equal(&back, &v, sizeof(v));
		for (const char *p = text; *p && *p != 'e'; p++)
			digits += *p >= '0' && *p <= '9' && (digits > 0 || *p != '0');
		if (digits < 2 || digits > 17 || fabs(v) >= 1e17)
			continue;
		snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, v);
		back = strtod(shorter, NULL);
		if (!strchr(text, 'e') && !strchr(text, '.'))
			continue; /* a whole number may have trailing zeros */
		assert_true(back < v || back > v);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_comes_back),
	};

	return cmocka_run_group_tests_name("double", tests, NULL, NULL);
}
