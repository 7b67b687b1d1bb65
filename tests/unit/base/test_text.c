#include "base/char.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
test_char_classes(void **state)
{
	(void)state;
	for (int i = -128; i < 128; i++) {
		char c = (char)i;
		const char *digits = "0123456789abcdef";
		const char *hex = c ? strchr(digits, char_lower(c)) : NULL;

		assert_int_equal(char_is_digit(c), i > 0 && strchr("0123456789", i));
		assert_int_equal(char_hex_value(c), hex ? hex - digits : -1);
		assert_int_equal(char_is_space(c), i > 0 && strchr(" \t\r\n", i));
		assert_int_equal(char_is_blank(c), i > 0 && strchr(" \t", i));
	}
	assert_true(
		char_is_word('_') && char_is_word('z') && char_is_word('A') && char_is_word('0'));
	assert_false(char_is_word('-') || char_is_word('@') || char_is_word('\xC3'));
}

static void
test_utf8_prefix(void **state)
{
	static const struct {
		const char *data;
		size_t prefix;
	} cases[] = {
		/* empty; ASCII; more ASCII than fits into one word */
		{ "", 0 },
		{ "abc", 3 },
		{ "0123456789abcdef0", 17 },
		/* the first and the last character of each length in bytes */
		{ "\xC2\x80\xDF\xBF", 4 },
		{ "\xE0\xA0\x80\xEF\xBF\xBF", 6 },
		{ "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8 },
		/* the characters before and after the surrogates, and surrogates */
		{ "\xED\x9F\xBF\xEE\x80\x80", 6 },
		{ "a\xED\xA0\x80", 1 },
		{ "a\xED\xBF\xBF", 1 },
		/* overlong forms of each length */
		{ "\xC0\x80", 0 },
		{ "\xC1\xBF", 0 },
		{ "\xE0\x9F\xBF", 0 },
		{ "\xF0\x8F\xBF\xBF", 0 },
		/* beyond U+10FFFF */
		{ "\xF4\x90\x80\x80", 0 },
		{ "\xF5\x80\x80\x80", 0 },
		{ "\xFF", 0 },
		/* a lone continuation byte, a lone lead byte, truncated characters */
		{ "ab\x80", 2 },
		{ "ab\xC3(", 2 },
		{ "0123456\xE2\x82", 7 },
		{ "\xF0\x9F\x98", 0 },
		/* an invalid byte after eight ASCII bytes and a two-byte character */
		{ "01234567\xD0\x9F\xFF", 10 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(
			text_utf8_prefix(cases[i].data, strlen(cases[i].data)), cases[i].prefix);
}

static void
test_text_compare(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		int order;
		bool nocase;
	} cases[] = {
		/* NULL equals NULL and comes before the empty string */
		{ NULL, NULL, 0, true },
		{ NULL, "", -1, false },
		{ "", "a", -1, false },
		{ "abc", "abc", 0, true },
		/* a prefix sorts before the longer text, and upper case before lower case */
		{ "ab", "abc", -1, false },
		{ "ABC", "abc", -1, true },
		/* bytes are compared as unsigned; only ASCII letters are compared without case */
		{ "z", "\xC3\xA4", -1, false },
		{ "\xC3\x84", "\xC3\xA4", -1, false },
		{ "[", "{", -1, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct text a = text_from(cases[i].a);
		struct text b = text_from(cases[i].b);
		int order = text_compare(a, b);

		assert_int_equal((order > 0) - (order < 0), cases[i].order);
		order = text_compare(b, a);
		assert_int_equal((order < 0) - (order > 0), cases[i].order);
		assert_int_equal(text_equal(a, b), cases[i].order == 0);
		assert_int_equal(text_equal_nocase(a, b), cases[i].nocase);
	}
}

static void
test_text_is_digits(void **state)
{
	(void)state;
	assert_true(text_is_digits(text_from("0")));
	assert_true(text_is_digits(text_from("0123456789")));
	assert_false(text_is_digits(text_from("")));
	assert_false(text_is_digits(TEXT_NULL));
	assert_false(text_is_digits(text_from("-1")));
	assert_false(text_is_digits(text_from("12a")));
	assert_false(text_is_digits(text_from("\xD9\xA1"))); /* an Arabic digit */
}

static void
test_text_trim(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ " \t\r\n", "" },
		{ "a", "a" },
		{ " a b\t", "a b" },
		/* a no-break space does not count as a blank */
		{ "\xC2\xA0x ", "\xC2\xA0x" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_true(text_equal(text_trim(text_from(cases[i][0])), text_from(cases[i][1])));
	assert_true(text_is_null(text_trim(TEXT_NULL)));
	/* the function must not add anything to a null pointer, because even adding 0 is undefined */
	assert_true(text_is_null(text_from_at(TEXT_NULL, 0)));
	assert_true(text_is_null(text_from_at(TEXT_NULL, 7)));
	assert_true(text_equal(text_from_at(text_from("abc"), 1), text_from("bc")));
	assert_int_equal(text_from_at(text_from("abc"), 7).size, 0);
}

static void
test_text_glob(void **state)
{
	static const struct {
		const char *text;
		const char *pattern;
		bool match;
	} cases[] = {
		/* empty texts and empty patterns */
		{ "", "", true },
		{ "", "*", true },
		{ "", "?", false },
		{ "a", "", false },
		/* patterns without wildcards ignore case; brackets are ordinary characters */
		{ "TBitmap", "tbitMAP", true },
		{ "TBitmap", "TBitmaps", false },
		{ "a[b]", "A[b]", true },
		/* `*` matches any number of bytes; matching retries after a false start */
		{ "abc", "*abc*", true },
		{ "aXbXc", "a*X*c", true },
		{ "abab", "*ab", true },
		{ "mississippi", "m*iss*ip*i", true },
		{ "mississippi", "m*iss*ipx", false },
		{ "abc", "a?c", true },
		{ "ac", "a?c", false },
		{ "abc", "***", true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(
			text_glob(text_from(cases[i].text), cases[i].pattern), cases[i].match);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8_prefix),
		cmocka_unit_test(test_text_compare),
		cmocka_unit_test(test_text_is_digits),
		cmocka_unit_test(test_text_trim),
		cmocka_unit_test(test_text_glob),
		cmocka_unit_test(test_char_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
