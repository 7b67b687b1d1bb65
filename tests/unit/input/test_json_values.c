/* Tests numbers as integers, decimals and doubles; reading and writing strings; limits. */
#include "base/arena.h"
#include "base/depot_text.h"
#include "base/json_writer.h"
#include "input/json/json_private.h"
#include "json_dump.h"

#include <locale.h>
#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Puts the text into an array. Returns a reader that is at the first item of the array. */
static struct json_reader *
item(const char *text, size_t chunk)
{
	static char document[1200];
	struct json_options o = { 0 };
	struct error err = ERROR_INIT;
	bool more = false;
	struct json_reader *r;

	snprintf(document, sizeof(document), "[%s]", text);
	r = json_reader_new_memory(document, strlen(document), chunk, &o);
	assert_true(json_enter(r, &err) && json_next_item(r, &more, &err) && more);
	return r;
}

static void
integers(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		int64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "7", true, 7 },
		{ "-12", true, -12 },
		{ "999999999999999999", true, 999999999999999999 },
		{ "1000000000000000000", true, 1000000000000000000 },
		{ "-1000000000000000001", true, -1000000000000000001 },
		{ "9007199254740993", true, 9007199254740993 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "9223372036854775808", false, 0 },
		{ "-9223372036854775808", true, INT64_MIN },
		{ "-9223372036854775809", false, 0 },
		{ "18446744073709551616", false, 0 },
		{ "100000000000000000000000000000", false, 0 },
		{ "1.0", true, 1 },
		{ "-1.000", true, -1 },
		{ "1e3", true, 1000 },
		{ "1E+03", true, 1000 },
		{ "1.5e1", true, 15 },
		{ "1.50e1", true, 15 },
		{ "10e-1", true, 1 },
		{ "0.0001e4", true, 1 },
		{ "9223372036854775807.000", true, INT64_MAX },
		{ "922337203685477580700e-2", true, INT64_MAX },
		{ "1.5", false, 0 },
		{ "1e-1", false, 0 },
		{ "1e19", false, 0 },
		{ "1e999999999999999999999999", false, 0 },
		{ "1e-999999999999999999999999", false, 0 },
		{ "0e999999999999999999999999", true, 0 },
		{ "-0.0e-5", true, 0 },
		{ "20e0", true, 20 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (size_t chunk = 0; chunk < 30; chunk++) {
			struct json_reader *r = item(cases[i].text, chunk);
			struct error err = ERROR_INIT;
			int64_t value = 0;
			bool ok = false;

			assert_true(json_read_int64(r, &value, &ok, &err));
			if (ok != cases[i].ok || (ok && value != cases[i].value))
				fail_msg("%s: %lld", cases[i].text, (long long)value);
			json_reader_free(r);
		}
	}
}

/* The seed is fixed, so every run uses the same numbers. */
static unsigned
below(unsigned limit)
{
	static uint64_t state = 5;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 32) % limit;
}

static void
check_double(const char *text, size_t chunk)
{
	struct json_reader *r = item(text, chunk);
	struct error err = ERROR_INIT;
	double value = 0;
	double wanted = strtod(text, NULL); /* correct, because the current locale is "C" */

	assert_true(json_read_double(r, &value, &err));
	/* -0 and 0 must differ. */
	if (value < wanted || value > wanted || signbit(value) != signbit(wanted))
		fail_msg("%s: %.17g, wanted %.17g", text, value, wanted);
	json_reader_free(r);
}

static void
doubles(void **state)
{
	static const char *const cases[] = { "0", "-0", "0.0", "-0.0", "1", "-1", "0.1", "3.14",
		"123456.789", "9007199254740991", "9007199254740992", "9007199254740993",
		"9007199254740993.0000000000000000000000000000001", "999999999999999999",
		"2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "2e-324",
		"1.7976931348623157e308", "1.7976931348623159e308", "1e999", "-1e999", "1e-999",
		"1e23", "8.5e22", "1e22", "1e-22", "1e-23", "0.000001", "179769313486231580793e287",
		"0.3", "5e-7", "123456789012345678", "12345678901234567.8", "1.0000000000000002" };
	char text[40];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		for (size_t chunk = 0; chunk < 12; chunk++)
			check_double(cases[i], chunk);
	for (int i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "%s%u.%0*ue%d", below(2) ? "-" : "", below(UINT32_MAX),
			(int)(1 + below(12)), below(UINT32_MAX), (int)below(80) - 40);
		if (i % 3 == 0)
			*strchr(text, 'e') = '\0';
		check_double(text, 0);
	}
}

/* Numbers must be read correctly in locales that have a different decimal point. */
static void
no_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8" };
	struct error err = ERROR_INIT;
	double value = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct json_reader *r = item("0.123456789012345678", 0);

		if (setlocale(LC_ALL, names[i]))
			assert_true(json_read_double(r, &value, &err) && value > 0.1);
		setlocale(LC_ALL, "C");
		json_reader_free(r);
	}
}

static void
decimals(void **state)
{
	static const char *const cases[] = { "0", "-0", "7", "-7", "1.50", "0.5", "-0.25", "0.0",
		"-0.0", "1e3", "1.5E-3", "999999999999999999", "-999999999999999999",
		"1000000000000000000", "9223372036854775807", "9223372036854775808", "0.1",
		"0.123456789012345678", "0.1234567890123456789", "123456789.987654321",
		"1234567890123.98765432", "1e999", "1e1001", "1e-1001", "1e999999999999999999999",
		"12345678901234567890.5", "100", "1.0", "0e5" };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (size_t chunk = 0; chunk < 30; chunk++) {
			struct json_reader *r = item(cases[i], chunk);
			struct error err = ERROR_INIT;
			struct decimal d = { 0 };
			struct decimal wanted = { 0 };
			bool ok = false;
			bool wanted_ok = decimal_parse(text_from(cases[i]), &wanted) == DECIMAL_OK;

			assert_true(json_read_decimal(r, &d, &ok, &err));
			assert_int_equal(ok, wanted_ok);
			if (ok && (d.kind != wanted.kind || d.mantissa != wanted.mantissa ||
					  d.scale != wanted.scale ||
					  !text_equal(d.text, wanted.text)))
				fail_msg("%s, chunk %zu", cases[i], chunk);
			json_reader_free(r);
		}
	}
}

static void
bad_numbers_of_a_kind(void **state)
{
	struct error err = ERROR_INIT;
	struct decimal d;
	int64_t i;
	double f;
	bool ok;

	(void)state;
	for (size_t chunk = 0; chunk < 6; chunk++) {
		struct json_reader *r = item("01", chunk);

		assert_false(json_read_int64(r, &i, &ok, &err));
		json_reader_free(r);
		r = item("1.", chunk);
		assert_false(json_read_decimal(r, &d, &ok, &err));
		json_reader_free(r);
		r = item("-", chunk);
		assert_false(json_read_double(r, &f, &err));
		json_reader_free(r);
		r = item("\"1\"", chunk);
		assert_false(json_read_int64(r, &i, &ok, &err));
		assert_string_equal(err.message, "JSON: offset 1: expected a number, found '\"'");
		json_reader_free(r);
	}
}

/* Reads a string and returns the writer's output for it. The caller frees the output. */
static char *
there_and_back(const char *document, size_t size)
{
	struct json_options o = { 0 };
	struct error err = ERROR_INIT;
	struct json_reader *r = json_reader_new_memory(document, size, 0, &o);
	struct json_writer w;
	struct text t;
	char *out = NULL;
	size_t out_size = 0;
	FILE *f = open_memstream(&out, &out_size);

	assert_true(json_read_string(r, &t, &err));
	json_writer_init(&w, f, false);
	json_depot_text(&w, t);
	fclose(f);
	json_reader_free(r);
	return out;
}

/* Every UTF-16 code unit, and surrogates in the wrong order, must be read and written unchanged. */
static void
round_trip(void **state)
{
	static const char *const same[] = { "\"\\u001a0000\"", "\"\\u001a\"", "\"\\u001aD83D\"",
		"\"\\ude00\\ud83d\"", "\"\\ud83d\\ud83d\"", "\"a\\u0000\\u0000b\"",
		"\"\\\"\\\\/\\b\\f\\n\\r\\t\"", "\"\\u001a\\u001a001A\"" };

	(void)state;
	for (unsigned unit = 0; unit < 0x10000; unit++) {
		char document[16];
		char *out;
		char *again;
		bool kept = unit == 0 || (unit >= 0xD800 && unit < 0xE000);

		snprintf(document, sizeof(document), "\"\\u%04x\"", unit);
		out = there_and_back(document, strlen(document));
		if (kept)
			assert_string_equal(out, document);
		again = there_and_back(out, strlen(out));
		assert_string_equal(out, again);
		free(out);
		free(again);
	}
	for (size_t i = 0; i < COUNT(same); i++) {
		char *out = there_and_back(same[i], strlen(same[i]));

		assert_string_equal(out, same[i]);
		free(out);
	}
}

/* Ordinary text that looks like an escape must stay unchanged. */
static void
no_escape(void **state)
{
	uint16_t unit;

	(void)state;
	assert_false(depot_text_unit_at(TEXT_LITERAL("\x1a"
						     "0041"),
		0, &unit));
	assert_false(depot_text_unit_at(TEXT_LITERAL("\x1a"
						     "d83d"),
		0, &unit));
	assert_false(depot_text_unit_at(TEXT_LITERAL("\x1a"
						     "000"),
		0, &unit));
	assert_false(depot_text_unit_at(TEXT_LITERAL("x0000"), 0, &unit));
	assert_false(depot_text_unit_at(TEXT_LITERAL("x"), 1, &unit));
	assert_true(depot_text_unit_at(TEXT_LITERAL("x\x1a"
						    "DFFF"),
		1, &unit));
	assert_int_equal(unit, 0xDFFF);
}

/* Returns `inside` within `depth` nested arrays and objects. The caller frees the text. */
static char *
nested(size_t depth, const char *inside)
{
	size_t size = depth * 6 + strlen(inside) + 1;
	char *out = xmalloc(size + 1);
	char *p = out;

	for (size_t i = 0; i < depth; i++)
		p += sprintf(p, i % 3 ? "[" : "{\"a\":");
	p += sprintf(p, "%s", inside);
	while (depth-- > 0)
		*p++ = depth % 3 ? ']' : '}';
	*p = '\0';
	return out;
}

static bool
skips(const char *document, size_t max_depth, struct error *err)
{
	struct json_options o = { .max_depth = max_depth };
	struct json_reader *r = json_reader_new_memory(document, strlen(document), 0, &o);
	bool end = false;
	bool ok = json_skip(r, err) && json_at_end(r, &end, err) && end;

	json_reader_free(r);
	return ok;
}

static void
depth(void **state)
{
	struct error err = ERROR_INIT;
	char *deep = nested(100000, "1");
	char *deeper = nested(100001, "1");
	char *bad = nested(5000, "1 1");
	struct strbuf out;

	(void)state;
	assert_true(skips(deep, 0, &err));
	assert_false(skips(deeper, 0, &err));
	assert_int_equal(err.code, ERROR_LIMIT);
	assert_non_null(strstr(err.message, "100000 deep"));
	assert_true(skips(deeper, 200000, &err));
	assert_false(skips(bad, 0, &err));
	assert_int_equal(err.code, ERROR_INPUT);
	assert_false(skips("[[1]]", 1, &err));
	assert_true(skips("[[1]]", 2, &err));
	out = dump_json(deep, strlen(deep), NULL, 1000, false, DUMP_RAW);
	assert_int_equal(out.size, strlen(deep) + 1);
	assert_memory_equal(out.data, deep, strlen(deep));
	strbuf_release(&out);
	free(deep);
	free(deeper);
	free(bad);
}

/* 5,000 nested levels can be written and read back. */
static void
deep_writer(void **state)
{
	struct json_writer w;
	struct error err = ERROR_INIT;
	char *out = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);

	(void)state;
	json_writer_init(&w, f, false);
	for (int i = 0; i < 5000; i++) {
		json_begin_object(&w);
		json_key(&w, "a");
		json_begin_array(&w);
		json_int(&w, 1);
	}
	for (int i = 0; i < 5000; i++) {
		json_end_array(&w);
		json_depot_key(&w, TEXT_LITERAL("b"));
		json_raw(&w, TEXT_LITERAL("1.50"));
		json_end_object(&w);
	}
	fclose(f);
	assert_true(skips(out, 10000, &err));
	assert_memory_equal(out + size - 22, "],\"b\":1.50}],\"b\":1.50}", 22);
	free(out);
}

static void
string_limit(void **state)
{
	struct json_options o = { .max_string_bytes = 20 };
	static const struct {
		const char *data;
		size_t size;
		bool ok;
	} cases[] = {
		{ B("\"01234567890123456789\""), true },
		{ B("\"012345678901234567890\""), false },
		{ B("\"\\u0030\\u0030\\u0030\\u0030\\u0030\\u0030\""), true },
		{ B("{\"012345678901234567890\":1}"), false },
		{ B("12345678901234567890"), true },
		{ B("123456789012345678901"), false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (size_t chunk = 0; chunk < cases[i].size; chunk++) {
			struct strbuf out = dump_json(
				cases[i].data, cases[i].size, &o, chunk, false, DUMP_READ);

			assert_int_equal(!cases[i].ok, dump_failed(&out));
			if (!cases[i].ok)
				assert_non_null(strstr(out.data, "error limit"));
			strbuf_release(&out);
			/* The limits do not apply to skipped values. */
			out = dump_json(cases[i].data, cases[i].size, &o, chunk, false, DUMP_SKIP);
			assert_string_equal(out.data, "* ");
			strbuf_release(&out);
		}
	}
}

static void
raw_limit(void **state)
{
	static const char document[] = " [1, {\"a\": \"0123456789\"}, 2] ";
	struct json_options o = { 0 };

	(void)state;
	for (size_t chunk = 0; chunk < sizeof(document); chunk++) {
		struct error err = ERROR_INIT;
		struct text t;
		struct json_reader *r =
			json_reader_new_memory(document, strlen(document), chunk, &o);

		assert_true(json_read_raw(r, strlen(document) - 2, &t, &err));
		assert_int_equal(t.size, strlen(document) - 2);
		assert_int_equal(json_value_offset(r), 1);
		json_reader_free(r);
		r = json_reader_new_memory(document, strlen(document), chunk, &o);
		assert_false(json_read_raw(r, strlen(document) - 3, &t, &err));
		assert_int_equal(err.code, ERROR_LIMIT);
		json_reader_free(r);
	}
}

/* If the first byte cannot begin a value, the error differs from the error for bytes after a value. */
static void
says_what_is_wanted(void **state)
{
	static const struct {
		const char *document, *says;
	} cases[] = {
		{ "x", "offset 0: expected a value, found 'x'" },
		{ " \n  x", "offset 4: expected a value, found 'x'" },
		{ "\xEF\xBB\xBFx", "offset 3: expected a value, found 'x'" },
		{ "1 x", "offset 2: expected the end of the input, found 'x'" },
	};
	const struct json_options o = { .source = "s" };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t chunk = 0; chunk < 3; chunk++) {
			const char *s = cases[i].document;
			struct json_reader *r = json_reader_new_memory(s, strlen(s), chunk, &o);
			struct error err = ERROR_INIT;
			bool end = false;

			while (json_at_end(r, &end, &err) && !end)
				assert_true(json_skip(r, &err));
			assert_non_null(strstr(err.message, cases[i].says));
			json_reader_free(r);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(doubles),
		cmocka_unit_test(no_locale),
		cmocka_unit_test(decimals),
		cmocka_unit_test(bad_numbers_of_a_kind),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(no_escape),
		cmocka_unit_test(depth),
		cmocka_unit_test(deep_writer),
		cmocka_unit_test(string_limit),
		cmocka_unit_test(raw_limit),
		cmocka_unit_test(says_what_is_wanted),
	};

	return cmocka_run_group_tests_name("json values", tests, NULL, NULL);
}
