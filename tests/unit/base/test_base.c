#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/json_string.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/option.h"
#include "base/strbuf.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
test_array(void **state)
{
	size_t count = 0, room = 0, zeroed_room = 0;
	int *items = NULL;
	short *zeroed = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++)
		*ARRAY_ADD(items, count, room) = i;
	assert_int_equal(count, 1000);
	assert_true(room >= 1000 && room <= 2000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	ARRAY_RESERVE(items, room, 10);
	assert_true(room >= 1000);
	ARRAY_RESERVE_ZEROED(zeroed, zeroed_room, 17);
	zeroed[16] = 1;
	ARRAY_RESERVE_ZEROED(zeroed, zeroed_room, 1000);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(zeroed[i], i == 16);
	free(items);
	free(zeroed);
}

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

static void
test_strbuf(void **state)
{
	struct strbuf b = STRBUF_INIT(10);

	(void)state;
	assert_string_equal(strbuf_str(&b), "");
	assert_int_equal(strbuf_text(&b).size, 0);
	strbuf_append_int(&b, -12);
	strbuf_append_char(&b, ' ');
	strbuf_append_text(&b, TEXT_NULL);
	strbuf_append_text(&b, TEXT_LITERAL("ab"));
	strbuf_printf(&b, "%04d", 7);
	assert_string_equal(strbuf_str(&b), "-12 ab0007");
	assert_false(b.failed);
	/* the buffer is full: adding a byte fails, `failed` stays set, the content is unchanged */
	strbuf_append_char(&b, 'x');
	assert_true(b.failed);
	strbuf_append(&b, "", 0);
	assert_null(strbuf_reserve(&b, 0));
	assert_string_equal(strbuf_str(&b), "-12 ab0007");
	strbuf_reset(&b);
	assert_false(b.failed);
	assert_string_equal(strbuf_str(&b), "");
	strbuf_printf(&b, "%s", "12345678901");
	assert_true(b.failed);
	strbuf_release(&b);
	/* the sum of the sizes would overflow */
	strbuf_init(&b, SIZE_MAX - 1);
	strbuf_append(&b, "ab", 2);
	assert_null(strbuf_reserve(&b, SIZE_MAX - 2));
	strbuf_release(&b);
}

static void
test_arena(void **state)
{
	struct arena a = ARENA_INIT;
	char *big;
	struct text t;

	(void)state;
	for (size_t size = 0; size < 5000; size += 7) {
		unsigned char *p = arena_alloc(&a, size);

		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xAA, size);
	}
	big = arena_alloc(&a, 1000000);
	big[999999] = 1;
	arena_reset(&a);
	assert_int_equal(a.total, 0);
	/* memory from a reused block is zeroed again */
	assert_int_equal(((char *)arena_alloc(&a, 16))[0], 0);
	assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
	assert_string_equal(arena_printf(&a, "%s-%d", "x", 5), "x-5");
	t = arena_text(&a, TEXT_LITERAL("a\0b"));
	assert_int_equal(t.size, 3);
	assert_memory_equal(t.data, "a\0b", 4);
	assert_true(text_is_null(arena_text(&a, TEXT_NULL)));
	arena_release(&a);
	arena_release(&a);
	arena_reset(&a);
}

static void
write_document(struct json_writer *w)
{
	json_begin_object(w);
	json_key(w, "a\"b");
	json_begin_array(w);
	json_int(w, INT64_MIN);
	json_bool(w, true);
	json_null(w);
	json_text(w, TEXT_NULL);
	json_fixed3(w, -0.0625);
	json_fixed3(w, 1.9999);
	json_raw(w, TEXT_LITERAL("1e400"));
	json_end_array(w);
	json_key(w, "empty");
	json_begin_object(w);
	json_end_object(w);
	json_key(w, "s");
	json_text(w, (struct text){ "\\\"\n\r\t\x01\0\x7F/\xD0\x9F", 11 });
	json_end_object(w);
}

static void
test_json_writer(void **state)
{
	static const char *const want[] = {
		"{\"a\\\"b\":[-9223372036854775808,true,null,null,-0.063,2.000,1e400],\"empty\":{},"
		"\"s\":\"\\\\\\\"\\n\\r\\t\\u0001\\u0000\\u007f/\xD0\x9F\"}",
		"{\n  \"a\\\"b\": [\n    -9223372036854775808,\n    true,\n    null,\n    null,\n"
		"    -0.063,\n    2.000,\n    1e400\n  ],\n  \"empty\": {},\n"
		"  \"s\": \"\\\\\\\"\\n\\r\\t\\u0001\\u0000\\u007f/\xD0\x9F\"\n}",
	};

	(void)state;
	for (int pretty = 0; pretty < 2; pretty++) {
		char *got = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&got, &size);
		struct json_writer w;

		json_writer_init(&w, out, pretty);
		write_document(&w);
		fclose(out);
		assert_string_equal(got, want[pretty]);
		free(got);
	}
}

/* Only the outermost object of an answer has the last member. */
static void
test_json_answer(void **state)
{
	char *got = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&got, &size);
	struct json_writer w;

	(void)state;
	json_writer_init_answer(&w, out, false);
	json_begin_object(&w);
	json_key_object(&w, "inner");
	json_end_object(&w);
	json_end_object(&w);
	putc(' ', out);
	json_writer_init_answer(&w, out, false);
	json_begin_array(&w);
	json_begin_object(&w);
	json_end_object(&w);
	json_end_array(&w);
	fclose(out);
	assert_string_equal(got, "{\"inner\":{},\"complete\":true} [{}]");
	free(got);
}

static void
check_json_string(struct text t, unsigned how, const char *want)
{
	struct strbuf b = STRBUF_INIT(256);

	json_append_string(&b, t, how);
	assert_string_equal(strbuf_str(&b), want);
	strbuf_release(&b);
}

static void
test_json_string(void **state)
{
	const struct text t = TEXT_LITERAL("a\"\\\n\t\x7F\x1A"
					   "D83D\x1A"
					   "0041\x1F");
	struct strbuf b = STRBUF_INIT(256);

	(void)state;
	check_json_string(TEXT_NULL, 0, "\"\"");
	check_json_string(t, 0, "\"a\\\"\\\\\\u000a\\u0009\x7F\\u001aD83D\\u001a0041\\u001f\"");
	check_json_string(t, JSON_ESCAPE_NEWLINE | JSON_ESCAPE_DEPOT,
		"\"a\\\"\\\\\\n\\u0009\x7F\\ud83d\\u001a0041\\u001f\"");
	check_json_string(
		t, JSON_ESCAPE_LETTERS, "\"a\\\"\\\\\\n\\t\\u007f\\u001aD83D\\u001a0041\\u001f\"");
	json_append_original(
		&b, TEXT_LITERAL("[\"\\u001aD83D\",\"\\\\u001aD83D\",\"\\u001a0041\"]"));
	assert_string_equal(strbuf_str(&b), "[\"\\ud83d\",\"\\\\u001aD83D\",\"\\u001a0041\"]");
	strbuf_release(&b);
}

static void
check_hex(const void *data, size_t size, const char *want)
{
	char hex[129];

	hex_format(data, size, hex);
	assert_string_equal(hex, want);
}

static void
test_hash(void **state)
{
	static const char abc[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	struct sha256 *s = sha256_new();
	uint8_t digest[SHA256_BYTES];
	char hex[HASH128_HEX_BYTES];
	struct hash128 sum = { UINT64_MAX, 1 };
	struct hash128 a = hash128("a", 1), b = hash128("b", 1);
	struct hash128 ab = a, ba = b;

	(void)state;
	/* an example of FIPS 180-4 in one piece and in two pieces, and the empty text */
	sha256_update(s, "abc", 3);
	sha256_finish(s, digest);
	check_hex(digest, sizeof(digest), abc);
	sha256_update(s, "a", 1);
	sha256_update(s, NULL, 0);
	sha256_update(s, "bc", 2);
	sha256_finish(s, digest);
	check_hex(digest, sizeof(digest), abc);
	sha256_finish(s, digest);
	check_hex(digest, sizeof(digest),
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	sha256_free(s);
	sha256_free(NULL);
	/* XXH3's value for the empty text with seed 0 */
	hash128_hex(hash128("", 0), hex);
	assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
	/* an addition carries into the high half, and the order of the terms does not matter */
	hash128_add(&sum, (struct hash128){ 1, UINT64_MAX });
	assert_true(sum.low == 0 && sum.high == 1);
	hash128_add(&ab, b);
	hash128_add(&ba, a);
	assert_true(hash128_equal(ab, ba) && !hash128_equal(a, b));
	check_hex("\x00\xFF", 2, "00ff");
}

struct options {
	bool strict;
	const char *encoding;
	const char *render;
	int64_t max_issues;
	struct option_list labels;
	bool quiet;
};

static const struct option_spec specs[] = {
	{ "strict", 's', OPTION_FLAG, NULL, "ambiguous forms are refused",
		offsetof(struct options, strict) },
	{ "encoding", 'e', OPTION_TEXT, "NAME", "code page", offsetof(struct options, encoding) },
	{ "render", 0, OPTION_CHOICE, "HOW", "output", offsetof(struct options, render),
		"text|csv|json" },
	{ "max-issues", 'm', OPTION_INT, "N", "most", offsetof(struct options, max_issues), NULL,
		-1, 100 },
	{ "label", 'l', OPTION_LIST, "K=V", "label", offsetof(struct options, labels) },
	{ NULL },
};

static const struct option_spec common_specs[] = {
	{ "quiet", 'q', OPTION_FLAG, NULL, "say less", offsetof(struct options, quiet) },
	/* a full name that is also a prefix of a longer name in another table */
	{ "enc", 0, OPTION_FLAG, NULL, "nothing", offsetof(struct options, quiet) },
	{ NULL },
};

/* Parses blank-separated arguments and describes the result. */
static const char *
parse(struct arena *a, const char *line)
{
	struct options o = { .max_issues = 10 };
	struct option_table tables[] = { { specs, &o }, { common_specs, &o }, { NULL, NULL } };
	struct option_list operands;
	struct error err = ERROR_INIT;
	char *argv[16];
	int argc = 0;
	struct strbuf out = STRBUF_INIT(1000);
	const char *got;

	for (char *p = arena_strdup(a, line); *p;) {
		size_t n = strcspn(p, " ");

		argv[argc++] = p;
		p += n;
		if (*p)
			*p++ = '\0';
	}
	if (!option_parse(tables, argc, argv, a, &operands, &err)) {
		assert_int_equal(err.code, ERROR_USAGE);
		return arena_printf(a, "%s (%s)", err.message, err.hint);
	}
	strbuf_printf(&out, "%d%d %s %s %d", o.strict, o.quiet, o.encoding ? o.encoding : "-",
		o.render ? o.render : "-", (int)o.max_issues);
	for (size_t i = 0; i < o.labels.count; i++)
		strbuf_printf(&out, " +%s", o.labels.items[i]);
	for (size_t i = 0; i < operands.count; i++)
		strbuf_printf(&out, " %s", operands.items[i]);
	got = arena_strdup(a, strbuf_str(&out));
	strbuf_release(&out);
	return got;
}

static void
test_options(void **state)
{
	static const char *const cases[][2] = {
		/* no arguments; operands keep their order among options */
		{ "", "00 - - 10" },
		{ "a --strict b -q c", "11 - - 10 a b c" },
		/* all ways to give a value to an option */
		{ "--encoding=X -m 5", "00 X - 5" },
		{ "--encoding X -m5", "00 X - 5" },
		{ "-eX --max-issues=-1", "00 X - -1" },
		/* the last value is used; a list keeps all values; values may look like options */
		{ "-m1 -m2 -l a=b --label=--c -l d", "00 - - 2 +a=b +--c +d" },
		{ "-e --strict", "00 --strict - 10" },
		/* "--" ends the options; a lone "-" is an operand */
		{ "-s -- -q - x", "10 - - 10 -q - x" },
		{ "-", "00 - - 10 -" },
		/* unique abbreviations; a full name takes precedence over longer names */
		{ "--st --enco=X --max 3 --lab y", "10 X - 3 +y" },
		{ "--enc", "01 - - 10" },
		{ "--en",
			"option --en is ambiguous (write its full name; --help lists the options)" },
		/* the value must be exactly one of the choices */
		{ "--render json", "00 - json 10" },
		{ "--render=text|csv",
			"option --render: \"text|csv\" is not a valid value (use one of text|csv|json)" },
		{ "--render=js",
			"option --render: \"js\" is not a valid value (use one of text|csv|json)" },
		{ "--render=",
			"option --render: \"\" is not a valid value (use one of text|csv|json)" },
		/* numbers at both ends of the range, beyond them, with letters, with a fraction */
		{ "-m 100", "00 - - 100" },
		{ "-m 101", "option --max-issues: 101 is out of range (-1 to 100) ()" },
		{ "-m -2", "option --max-issues: -2 is out of range (-1 to 100) ()" },
		{ "-m 1x", "option --max-issues: \"1x\" is not a number ()" },
		{ "-m 1.5", "option --max-issues: \"1.5\" is not a number ()" },
		{ "-m 18446744073709551615",
			"option --max-issues: \"18446744073709551615\" is not a number ()" },
		/* missing values, and values for options that take no value */
		{ "-m", "option --max-issues needs a value (N) ()" },
		{ "--encoding", "option --encoding needs a value (NAME) ()" },
		{ "--strict=yes", "option --strict takes no value ()" },
		{ "-sq", "option -s takes no value: write short options separately ()" },
		/* unknown names */
		{ "--strikt", "unknown option --strikt (did you mean --strict?)" },
		{ "--frobnicate", "unknown option --frobnicate (--help lists the options)" },
		{ "-z", "unknown option -z (--help lists the options)" },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(parse(&a, cases[i][0]), cases[i][1]);
	arena_release(&a);
}

static void
test_option_many(void **state)
{
	struct arena a = ARENA_INIT;
	struct option_table tables[] = { { NULL, NULL } };
	struct option_list operands;
	struct error err = ERROR_INIT;
	enum {
		MANY = 100000
	};
	char **argv = arena_alloc_array(&a, MANY, sizeof(*argv));

	(void)state;
	for (int i = 0; i < MANY; i++)
		argv[i] = arena_printf(&a, "%d", i);
	assert_true(option_parse(tables, MANY, argv, &a, &operands, &err));
	assert_int_equal(operands.count, MANY);
	for (int i = 0; i < MANY; i++)
		assert_ptr_equal(operands.items[i], argv[i]);
	arena_release(&a);
}

static void
test_option_bytes(void **state)
{
	static const struct {
		const char *text;
		int64_t bytes; /* -1 if rejected */
	} cases[] = {
		{ "0", 0 },
		{ "123", 123 },
		{ "64K", 65536 },
		{ "64k", 65536 },
		{ "10M", 10485760 },
		{ "2G", INT64_C(2147483648) },
		{ "1T", INT64_C(1099511627776) },
		/* the largest number that fits, and the next number */
		{ "9223372036854775807", INT64_MAX },
		{ "9223372036854775808", -1 },
		{ "8388607T", INT64_C(8388607) << 40 },
		{ "8388608T", -1 },
		/* not a number, only a unit, a negative number, an unknown unit */
		{ "", -1 },
		{ "K", -1 },
		{ "-1", -1 },
		{ "1KB", -1 },
		{ "1X", -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t bytes = -1;

		assert_int_equal(option_parse_bytes(cases[i].text, &bytes), cases[i].bytes >= 0);
		assert_true(bytes == cases[i].bytes);
	}
}

static void
test_option_help(void **state)
{
	char *got = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&got, &size);

	(void)state;
	option_print_help(specs, 0, out);
	fclose(out);
	assert_non_null(strstr(got, "--strict"));
	assert_non_null(strstr(got, "--encoding NAME"));
	assert_non_null(strstr(got, "text|csv|json"));
	for (const char *line = got; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 80);
	free(got);
}

static void
test_option_wrapped(void **state)
{
	char *got = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&got, &size);

	(void)state;
	option_print_wrapped(
		"one two three four five six seven eight nine ten eleven\n\ntwelve", 0, 50, out);
	option_print_wrapped("one two three four five six seven", 26, 50, out);
	fclose(out);
	assert_string_equal(got,
		"one two three four five six seven eight nine ten\neleven\n\ntwelve\n"
		"one two three four five\n                          six seven\n");
	free(got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8_prefix),
		cmocka_unit_test(test_text_compare),
		cmocka_unit_test(test_text_trim),
		cmocka_unit_test(test_text_glob),
		cmocka_unit_test(test_number_parse),
		cmocka_unit_test(test_number_int64),
		cmocka_unit_test(test_number_order),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_strbuf),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_json_writer),
		cmocka_unit_test(test_json_answer),
		cmocka_unit_test(test_json_string),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_char_classes),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_option_many),
		cmocka_unit_test(test_option_bytes),
		cmocka_unit_test(test_option_help),
		cmocka_unit_test(test_option_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
