/*
 * Tests RFC 8259 for each kind of value: documents that must be accepted, with their content, and
 * documents that must be rejected, with the error's position.
 */
#include "input/json/json_private.h"
#include "json_dump.h"

struct good {
	const char *data;
	size_t size;
	const char *dump;
};

struct bad {
	const char *data;
	size_t size;
	unsigned offset;
};

static void
check_good(const struct good *c, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct strbuf out = dump_every_way(c[i].data, c[i].size, NULL);
		struct strbuf raw;

		if (strncmp(strbuf_str(&out), c[i].dump, strlen(c[i].dump)) != 0 ||
			out.size != strlen(c[i].dump) + 1)
			fail_msg("%s:\n%s\nwanted %s", c[i].data, strbuf_str(&out), c[i].dump);
		strbuf_release(&out);
		/* The raw text of a document must give the same result as the document. */
		raw = dump_json(c[i].data, c[i].size, NULL, 3, false, DUMP_RAW);
		out = dump_json(strbuf_str(&raw), raw.size, NULL, 5, false, DUMP_READ);
		assert_memory_equal(strbuf_str(&out), c[i].dump, strlen(c[i].dump));
		strbuf_release(&raw);
		strbuf_release(&out);
	}
}

static void
check_bad(const struct bad *c, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct strbuf out = dump_every_way(c[i].data, c[i].size, NULL);
		char where[64];

		snprintf(where, sizeof(where), "error input refused f: offset %u: ", c[i].offset);
		if (!strstr(strbuf_str(&out), where))
			fail_msg("case %zu, %s:\n%s\nwanted %s", i, c[i].data, strbuf_str(&out),
				where);
		strbuf_release(&out);
	}
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void
good_structures(void **state)
{
	static const struct good cases[] = {
		{ B("[]"), "[]" },
		{ B("{}"), "{}" },
		{ B(" \t\r\n[ \n] \n"), "[]" },
		{ B("[[],[[]],{}]"), "[[],[[],],{},]" },
		{ B("{\"a\":{\"b\":[{\"c\":null}]}}"), "{s(a):{s(b):[{s(c):null,},],},}" },
		{ B("{ \"a\" : 1 , \"b\" : [ 1 , 2 ] }"), "{s(a):n(1),s(b):[n(1),n(2),],}" },
		{ B("{\n\t\"a\":\n1,\r\n\"b\"\n:\n2\n}"), "{s(a):n(1),s(b):n(2),}" },
		{ B("{\"a\":1,\"a\":2}"), "{s(a):n(1),s(a):n(2),}" },
		{ B("{\"\":0}"), "{s():n(0),}" },
		{ B("[true,false,null]"), "[true,false,null,]" },
		{ B("true"), "true" },
		{ B("null "), "null" },
		{ B("42"), "n(42)" },
		{ B(" -0.1e+5 "), "n(-0.1e+5)" },
		{ B("\"x\""), "s(x)" },
		{ B("\"\""), "s()" },
		/* A BOM is ignored, as RFC 8259 allows. */
		{ B("\xEF\xBB\xBF[1]"), "[n(1),]" },
	};

	(void)state;
	check_good(cases, COUNT(cases));
}

static void
good_numbers(void **state)
{
	static const struct good cases[] = {
		{ B("[0,-0,1,-1,10]"), "[n(0),n(-0),n(1),n(-1),n(10),]" },
		{ B("[0.0,-0.0,1.50,0e0,0E-7,1e5,1E+05,1.5e-300]"),
			"[n(0.0),n(-0.0),n(1.50),n(0e0),n(0E-7),n(1e5),n(1E+05),n(1.5e-300),]" },
		{ B("[1e999,-1e-999]"), "[n(1e999),n(-1e-999),]" },
		{ B("[123456789012345678901234567890.12345678901234567890]"),
			"[n(123456789012345678901234567890.12345678901234567890),]" },
		{ B("{\"a\":-9223372036854775808}"), "{s(a):n(-9223372036854775808),}" },
		{ B("0 1"), "n(0) n(1)" },
	};

	(void)state;
	check_good(cases, COUNT(cases));
}

static void
good_strings(void **state)
{
	static const struct good cases[] = {
		{ B("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "s(\"\\/\b\f\n\r\t)" },
		{ B("\"a/b\x7f\""), "s(a/b\x7f)" },
		{ B("\"\\u0041\\u00e9\\u20AC\\uFFFF\""), "s(A\u00e9\u20ac\uffff)" },
		{ B("\"\\ud83d\\uDE00\""), "s(\U0001F600)" },
		{ B("\"\\uDBFF\\uDFFF\""), "s(\U0010FFFF)" },
		{ B("\"\u00e9\u20ac\uffff\U0001F600\U0010FFFF\xC2\x80\xE0\xA0\x80\xEF\xBF\xBF\""),
			"s(\u00e9\u20ac\uffff\U0001F600\U0010FFFF\xC2\x80\xE0\xA0\x80\xEF\xBF\xBF)" },
		{ B("\"\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80\""),
			"s(\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80)" },
		{ B("\"\\\\u0000\""), "s(\\u0000)" },
		{ B("\"\\u2028\\u0008\\u001f\""), "s(\u2028\b\x1f)" },
		/* Characters that PostgreSQL cannot store in a text value are escaped. */
		{ B("\"a\\u0000b\""), "s(a\x1a"
				      "0000b)" },
		{ B("\"\\ud83d\""), "s(\x1a"
				    "D83D)" },
		{ B("\"\\uDe00x\""), "s(\x1a"
				     "DE00x)" },
		{ B("\"\\ud83d\\ud83d\\ude00\""), "s(\x1a"
						  "D83D\U0001F600)" },
		{ B("\"\\ude00\\ud83d\""), "s(\x1a"
					   "DE00\x1a"
					   "D83D)" },
		{ B("\"\\ud83d\\n\""), "s(\x1a"
				       "D83D\n)" },
		{ B("\"\\ud83d\\u0041\""), "s(\x1a"
					   "D83DA)" },
		{ B("\"\\u001A\\u001a0000\""), "s(\x1a"
					       "001A\x1a"
					       "001A0000)" },
		{ B("{\"\\u0000\":\"\\u0000\"}"), "{s(\x1a"
						  "0000):s(\x1a"
						  "0000),}" },
		{ B("[\"0123456789abcde\",\"0123456789abcdef\",\"0123456789abcdef0\\n123456789\"]"),
			"[s(0123456789abcde),s(0123456789abcdef),s(0123456789abcdef0\n123456789),]" },
	};

	(void)state;
	check_good(cases, COUNT(cases));
}

static void
bad_structures(void **state)
{
	static const struct bad cases[] = {
		{ B("["), 1 },
		{ B("[1"), 2 },
		{ B("[1,"), 3 },
		{ B("[1,]"), 3 },
		{ B("[,1]"), 1 },
		{ B("[1,,2]"), 3 },
		{ B("[1 2]"), 3 },
		{ B("[1:2]"), 2 },
		{ B("[1}"), 2 },
		{ B("{]"), 1 },
		{ B("{"), 1 },
		{ B("{\"a\""), 4 },
		{ B("{\"a\":"), 5 },
		{ B("{\"a\":1"), 6 },
		{ B("{\"a\":1,"), 7 },
		{ B("{\"a\":1,}"), 7 },
		{ B("{\"a\":1 \"b\":2}"), 7 },
		{ B("{\"a\"}"), 4 },
		{ B("{\"a\" 1}"), 5 },
		{ B("{\"a\"::1}"), 5 },
		{ B("{\"a\":}"), 5 },
		{ B("{:1}"), 1 },
		{ B("{,}"), 1 },
		{ B("{a:1}"), 1 },
		{ B("{1:1}"), 1 },
		{ B("{null:1}"), 1 },
		{ B("{'a':1}"), 1 },
		{ B("{\"a\":1]"), 6 },
		{ B("]"), 0 },
		{ B("}"), 0 },
		{ B(","), 0 },
		{ B("[]]"), 2 },
		{ B("{}}"), 2 },
		{ B("[1],"), 3 },
		{ B("[] x"), 3 },
		{ B("[1]/**/"), 3 },
		{ B("[/* */1]"), 1 },
		{ B("# x\n[]"), 0 },
		{ B("[1]\0"), 3 },
		{ B("[1,\0 2]"), 3 },
		{ B("\0"), 0 },
		{ B("[\x0c]"), 1 },
		{ B("[\xC2\xA0]"), 1 },
		{ B("[\xE2\x81\xA0]"), 1 },
		{ B("\xEF\xBB{}"), 0 },
		{ B("\xEF\xBB\xBF\xEF\xBB\xBF{}"), 3 },
		{ B("{} \xEF\xBB\xBF"), 3 },
		{ B("\xFF\xFE[\0]\0"), 0 },
		{ B("\xFE\xFF\0[\0]"), 0 },
		{ B("[\0]\0"), 1 },
		{ B("\0[\0]"), 0 },
		{ B("<a>"), 0 },
		{ B("[[[[1]]]"), 8 },
		{ B("{\"a\":[{\"b\":1]}"), 12 },
		{ B("{\"a\":1}}"), 7 },
	};

	(void)state;
	check_bad(cases, COUNT(cases));
}

static void
bad_words(void **state)
{
	static const struct bad cases[] = {
		{ B("tru"), 0 },
		{ B("[tru]"), 1 },
		{ B("[True]"), 1 },
		{ B("[nul"), 1 },
		{ B("[nullx]"), 1 },
		{ B("[true1]"), 1 },
		{ B("[fals e]"), 1 },
		{ B("[NaN]"), 1 },
		{ B("[Infinity]"), 1 },
		{ B("[undefined]"), 1 },
		{ B("[truefalse]"), 1 },
		{ B("[-]"), 2 },
		{ B("-"), 1 },
		{ B("[-Infinity]"), 2 },
		{ B("[-x]"), 2 },
		{ B("[+1]"), 1 },
		{ B("[.5]"), 1 },
		{ B("[5.]"), 3 },
		{ B("[5.e1]"), 3 },
		{ B("[5.-1]"), 3 },
		{ B("[01]"), 2 },
		{ B("[-01]"), 3 },
		{ B("[00]"), 2 },
		{ B("[1e]"), 3 },
		{ B("[1e+]"), 4 },
		{ B("[1e1.5]"), 4 },
		{ B("[1e5e5]"), 4 },
		{ B("[1.2.3]"), 4 },
		{ B("[1+2]"), 2 },
		{ B("[1-]"), 2 },
		{ B("[0x1F]"), 2 },
		{ B("[1_000]"), 2 },
		{ B("[1a]"), 2 },
		{ B("[--1]"), 2 },
		{ B("[1,-]"), 4 },
		{ B("1e"), 2 },
		{ B("[\xEF\xBC\x91]"), 1 },
		{ B("[1\xEF\xBC\x91]"), 2 },
	};

	(void)state;
	check_bad(cases, COUNT(cases));
}

static void
bad_strings(void **state)
{
	static const struct bad cases[] = {
		{ B("\"a"), 2 },
		{ B("\""), 1 },
		{ B("[\"a]"), 4 },
		{ B("\"\\\""), 3 },
		{ B("\"\\"), 1 },
		{ B("\"\\x41\""), 1 },
		{ B("\"\\a\""), 1 },
		{ B("\"\\0\""), 1 },
		{ B("\"\\'\""), 1 },
		{ B("\"\\U0041\""), 1 },
		{ B("\"\\\n\""), 1 },
		{ B("\"\\\0\""), 1 },
		{ B("\"\\\xC3\xA9\""), 1 },
		{ B("\"\\u\""), 1 },
		{ B("\"\\u00\""), 1 },
		{ B("\"\\u004\""), 1 },
		{ B("\"\\u00G1\""), 1 },
		{ B("\"\\u 041\""), 1 },
		{ B("\"\\u-041\""), 1 },
		{ B("\"\\ud83d\\u\""), 7 },
		{ B("\"\\ud83d\\u12\""), 7 },
		{ B("\"\\ud83d\\x\""), 7 },
		{ B("\"a\tb\""), 2 },
		{ B("\"a\nb\""), 2 },
		{ B("\"a\0b\""), 2 },
		{ B("\"a\x1f\""), 2 },
		{ B("\"0123456789abcdefg\x01\""), 18 },
		{ B("'a'"), 0 },
		{ B("\"a\" \"b"), 6 },
		/* invalid UTF-8: lone bytes, truncated and overlong forms, surrogates, too large */
		{ B("\"\x80\""), 1 },
		{ B("\"\xBF\""), 1 },
		{ B("\"\xC3\""), 1 },
		{ B("\"\xE2\x82\""), 1 },
		{ B("\"\xF0\x9F\x98\""), 1 },
		{ B("\"\xC3"), 1 },
		{ B("\"\xC0\x80\""), 1 },
		{ B("\"\xC1\xBF\""), 1 },
		{ B("\"\xE0\x80\x80\""), 1 },
		{ B("\"\xE0\x9F\xBF\""), 1 },
		{ B("\"\xF0\x80\x80\x80\""), 1 },
		{ B("\"\xF0\x8F\xBF\xBF\""), 1 },
		{ B("\"\xED\xA0\x80\""), 1 },
		{ B("\"\xED\xBF\xBF\""), 1 },
		{ B("\"\xF4\x90\x80\x80\""), 1 },
		{ B("\"\xF5\x80\x80\x80\""), 1 },
		{ B("\"\xF8\x88\x80\x80\x80\""), 1 },
		{ B("\"\xFC\x83\xBF\xBF\xBF\xBF\""), 1 },
		{ B("\"\xFE\""), 1 },
		{ B("\"\xFF\""), 1 },
		{ B("\"\xC3(\""), 1 },
		{ B("\"ab\xE2\x28\xA1\""), 3 },
		{ B("{\"\xFF\":1}"), 2 },
	};

	(void)state;
	check_bad(cases, COUNT(cases));
}

/* An empty input contains no document. The reader reports no error, so the caller must check for a
 * missing document. */
static void
nothing(void **state)
{
	static const char *const cases[] = { "", " \n", "\xEF\xBB\xBF" };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_options o = { .source = "f" };
		struct error err = ERROR_INIT;
		enum json_type type = JSON_NULL;
		struct json_reader *r = json_reader_new_memory(cases[i], strlen(cases[i]), 1, &o);

		assert_true(json_peek(r, &type, &err));
		assert_int_equal(type, JSON_END);
		assert_false(json_enter(r, &err));
		assert_int_equal(err.code, ERROR_INPUT);
		json_reader_free(r);
	}
}

static void
wrong_types(void **state)
{
	struct json_options o = { .source = "the file" };
	struct error err = ERROR_INIT;
	struct text t;
	bool more;
	struct json_reader *r = json_reader_new_memory(B("[ 7]"), 0, &o);

	(void)state;
	assert_true(json_enter(r, &err) && json_next_item(r, &more, &err) && more);
	assert_false(json_read_string(r, &t, &err));
	assert_string_equal(err.message, "the file: offset 2: expected a string, found '7'");
	assert_int_equal(json_offset(r), 2);
	json_reader_free(r);
}

static void
documents(void **state)
{
	struct strbuf out = dump_every_way(B("{\"a\":1}\n[2]\n\n\"x\" 3{}[]"), NULL);

	(void)state;
	assert_string_equal(strbuf_str(&out), "{s(a):n(1),} [n(2),] s(x) n(3) {} [] ");
	strbuf_release(&out);
}

static void
offsets(void **state)
{
	struct json_options o = { 0 };
	struct error err = ERROR_INIT;
	struct text t;
	bool more;
	struct json_reader *r = json_reader_new_memory(B(" { \"ab\" : [ 10, 2]} 5"), 2, &o);

	(void)state;
	assert_true(json_enter(r, &err));
	assert_int_equal(json_value_offset(r), 1);
	assert_int_equal(json_depth(r), 1);
	assert_true(json_next_key(r, &t, &more, &err) && more);
	assert_int_equal(json_value_offset(r), 3);
	assert_true(json_enter(r, &err) && json_next_item(r, &more, &err) && more);
	assert_int_equal(json_depth(r), 2);
	assert_true(json_read_number(r, &t, &err));
	assert_int_equal(json_value_offset(r), 12);
	assert_int_equal(json_offset(r), 14);
	assert_true(json_next_item(r, &more, &err) && more && json_skip(r, &err));
	assert_true(json_next_item(r, &more, &err) && !more);
	assert_true(json_next_key(r, &t, &more, &err) && !more);
	assert_int_equal(json_depth(r), 0);
	assert_int_equal(json_offset(r), 19);
	json_reader_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_structures),
		cmocka_unit_test(good_numbers),
		cmocka_unit_test(good_strings),
		cmocka_unit_test(bad_structures),
		cmocka_unit_test(bad_words),
		cmocka_unit_test(bad_strings),
		cmocka_unit_test(nothing),
		cmocka_unit_test(wrong_types),
		cmocka_unit_test(documents),
		cmocka_unit_test(offsets),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
