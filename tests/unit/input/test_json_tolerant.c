/* Tests deviations that a tolerant reader accepts, and repeated keys. */
#include "base/arena.h"
#include "input/json/json_private.h"
#include "json_dump.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct json_options tolerant = { .tolerate = 1 << JSON_TRAILING_COMMA |
							  1 << JSON_UNCLOSED | 1 << JSON_BAD_UTF8 };

struct odd {
	const char *data;
	size_t size;
	const char *dump; /* the document as json_dump.h describes it */
	const char *raw;
};

static void
check(const struct odd *c, const struct json_options *options)
{
	struct strbuf read = dump_every_way(c->data, c->size, options);
	struct strbuf raw = dump_json(c->data, c->size, options, 2, false, DUMP_RAW);

	if (strcmp(strbuf_str(&read), c->dump) != 0 || strcmp(strbuf_str(&raw), c->raw) != 0)
		fail_msg("%s:\n%s\n%s\n%s\n%s", c->data, strbuf_str(&read), c->dump,
			strbuf_str(&raw), c->raw);
	strbuf_release(&read);
	strbuf_release(&raw);
}

static void
deviations(void **state)
{
	static const struct odd cases[] = {
		{ B("[1,]"), "[n(1),!comma@2] ", "!comma@2[1] " },
		{ B("[1 , ]"), "[n(1),!comma@3] ", "!comma@3[1] " },
		{ B("{\"a\":1,}"), "{s(a):n(1),!comma@6} ", "!comma@6{\"a\":1} " },
		{ B("[{\"a\":[1,],},2]"), "[{s(a):[n(1),!comma@8],!comma@10},n(2),] ",
			"!comma@8!comma@10[{\"a\":[1]},2] " },
		{ B("["), "[!unclosed@1] ", "!unclosed@1[] " },
		{ B("[1,2"), "[n(1),!unclosed@4] ", "!unclosed@4[1] " },
		{ B("[1,2 "), "[n(1),n(2),!unclosed@5] ", "!unclosed@5[1,2] " },
		{ B("[1,\n"), "[n(1),!unclosed@4] ", "!unclosed@4[1] " },
		{ B("[true,fals"), "[true,!unclosed@10] ", "!unclosed@10[true] " },
		{ B("[true"), "[true,!unclosed@5] ", "!unclosed@5[true] " },
		{ B("[\"a\",\"b\\"), "[s(a),!unclosed@8] ", "!unclosed@8[\"a\"] " },
		{ B("[\"a\",\"b\\\""), "[s(a),!unclosed@9] ", "!unclosed@9[\"a\"] " },
		{ B("[{\"a\":1,\"b\":[2,{\"c"), "[{s(a):n(1),s(b):[n(2),{!unclosed@18},],},] ",
			"!unclosed@18[{\"a\":1,\"b\":[2,{}]}] " },
		{ B("{\"a\":1,\"b\""), "{s(a):n(1),!unclosed@10} ", "!unclosed@10{\"a\":1} " },
		{ B("{\"a\":1,\"b\" : "), "{s(a):n(1),!unclosed@13} ", "!unclosed@13{\"a\":1} " },
		{ B("{\"a\":1,\"b\":nul"), "{s(a):n(1),!unclosed@14} ", "!unclosed@14{\"a\":1} " },
		{ B("{\"a\":{"), "{s(a):{!unclosed@6},} ", "!unclosed@6{\"a\":{}} " },
		{ B("{\"a\":-"), "{!unclosed@6} ", "!unclosed@6{} " },
		{ B("\"a\xFF\xC3(\""), "!utf8@2!utf8@3s(a\uFFFD\uFFFD() ",
			"!utf8@2!utf8@3\"a\uFFFD\uFFFD(\" " },
		{ B("[\"\xE2\x82\",\"\xF0\x9F\x98x\"]"), "[!utf8@2s(\uFFFD),!utf8@7s(\uFFFDx),] ",
			"!utf8@2!utf8@7[\"\uFFFD\",\"\uFFFDx\"] " },
		{ B("{\"\xED\xA0\x80\":1}"), "{!utf8@2!utf8@3!utf8@4s(\uFFFD\uFFFD\uFFFD):n(1),} ",
			"!utf8@2!utf8@3!utf8@4{\"\uFFFD\uFFFD\uFFFD\":1} " },
		{ B("{\"\xFF\":[1,],\"\xFF"), "{!utf8@2s(\uFFFD):[n(1),!comma@7],!unclosed@12} ",
			"!utf8@2!comma@7!unclosed@12{\"\uFFFD\":[1]} " },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct strbuf strict;

		check(&cases[i], &tolerant);
		strict = dump_every_way(cases[i].data, cases[i].size, NULL);
		assert_true(dump_failed(&strict));
		strbuf_release(&strict);
	}
}

/* Each option must tolerate only the deviation that it names. */
static void
one_each(void **state)
{
	static const struct {
		const char *data;
		size_t size;
		enum json_deviation what;
	} cases[] = {
		{ B("[1,]"), JSON_TRAILING_COMMA },
		{ B("[1 "), JSON_UNCLOSED },
		{ B("[\"\xFF\"]"), JSON_BAD_UTF8 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (unsigned what = 0; what < JSON_DEVIATIONS; what++) {
			struct json_options o = { .tolerate = 1u << what };
			struct strbuf out = dump_every_way(cases[i].data, cases[i].size, &o);

			assert_int_equal(dump_failed(&out), what != cases[i].what);
			strbuf_release(&out);
		}
	}
}

/* Documents that must be refused even with all options. */
static void
refused(void **state)
{
	static const char *const cases[] = { "[1,,]", "[,]", "{,}", "[1}", "{\"a\":1]", "[1 2",
		"{\"a\" 1", "{a", "{\"a\":1,2", "[tru]", "\"a", "tru", "[\"\\q\"]", "[01]", "[1.]",
		"[\"\x01\"]", "{\"a\":,", "[nux", "[tr ", "{\"a\":n\"z", "[nulll", "{\"a\"}",
		"[1]]", "[-]" };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct strbuf out = dump_every_way(cases[i], strlen(cases[i]), &tolerant);

		if (!dump_failed(&out))
			fail_msg("%s: %s", cases[i], strbuf_str(&out));
		strbuf_release(&out);
	}
}

static const char trace[] =
	"[\n{\"name\":\"navigationStart\",\"ph\":\"R\",\"ts\":12.5,\"args\":{\"data\":{\"u\":\"http:"
	"\\/\\/x\\u00e9\\\"\\\\\",\"ok\":true}}},\n{\"ph\":\"b\",\"id\":\"0x1\",\"n\":null,\"l\":[1"
	",-2e3,[],{}],\"t\":\"\\ud83d\\ude00\u20ac\"}]";

/*
 * The trace is cut after each of its bytes. All ways of reading must give the same result, and the
 * raw text must be a complete document with this result.
 */
static void
cut_anywhere(void **state)
{
	(void)state;
	for (size_t size = 1; size < sizeof(trace) - 1; size++) {
		struct json_options o = { .tolerate = 1 << JSON_UNCLOSED };
		struct strbuf read = dump_every_way(trace, size, &o);
		struct strbuf raw = dump_json(trace, size, &o, 0, false, DUMP_RAW);
		struct strbuf again;
		char mark[32];
		char *at;

		snprintf(mark, sizeof(mark), "!unclosed@%zu", size);
		at = strstr(read.data, mark);
		assert_non_null(at);
		assert_memory_equal(raw.data, mark, strlen(mark));
		memmove(at, at + strlen(mark), strlen(at + strlen(mark)) + 1);
		again = dump_every_way(raw.data + strlen(mark), raw.size - strlen(mark), NULL);
		assert_string_equal(again.data, read.data);
		strbuf_release(&again);
		strbuf_release(&read);
		strbuf_release(&raw);
	}
}

/* The buffer must grow for a long string, but not after the end of the string is found. */
static void
long_string(void **state)
{
	size_t size = 1 << 20;
	char *document = xmalloc(size + 16);

	(void)state;
	for (int closed = 0; closed < 2; closed++) {
		struct strbuf out;

		memset(document, 'x', size);
		for (size_t i = 0; i < 4; i++)
			document[i] = "[1,\""[i];
		document[size] = closed ? '"' : 'x';
		document[size + 1] = closed ? ']' : 'x';
		out = dump_json(document, size + 2, &tolerant, 0, false, DUMP_READ);
		if (closed)
			assert_int_equal(out.size, size - 4 + strlen("[n(1),s(),] "));
		else
			assert_string_equal(out.data, "[n(1),!unclosed@1048578] ");
		strbuf_release(&out);
		out = dump_json(document, size + 2, &tolerant, 4000, true, DUMP_SKIP);
		assert_string_equal(out.data, closed ? "* " : "*!unclosed@1048578 ");
		strbuf_release(&out);
	}
	free(document);
}

static void
duplicate_keys(void **state)
{
	static const struct json_options unique = { .duplicate_keys = true };
	static const struct {
		const char *data;
		unsigned offset; /* 0 if valid */
	} cases[] = {
		{ "{\"a\":1,\"b\":2,\"a\":3}", 13 },
		{ "{\"a\":1,\"\\u0061\":2}", 7 },
		{ "{\"\":1,\"\":2}", 6 },
		{ "{\"a\":{\"a\":{\"a\":1}}}", 0 },
		{ "[{\"a\":1},{\"a\":1}]", 0 },
		{ "{\"a\":{\"b\":1},\"c\":{\"b\":1},\"b\":1}", 0 },
		{ "{\"a\":{\"b\":1},\"c\":[{\"b\":1,\"b\":1}]}", 25 },
		{ "{\"a\":{\"x\":1},\"a\":1}", 13 },
		{ "{\"a\":1,\"A\":1,\"a \":1}", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct strbuf out = dump_every_way(cases[i].data, strlen(cases[i].data), &unique);
		char where[40];

		snprintf(where, sizeof(where), "f: offset %u: the key \"", cases[i].offset);
		if ((strstr(out.data, where) == NULL) != (cases[i].offset == 0))
			fail_msg("%s: %s", cases[i].data, out.data);
		strbuf_release(&out);
	}
}

/* Many keys and nested objects make the table of keys grow and shrink. */
static void
many_keys(void **state)
{
	struct json_options unique = { .duplicate_keys = true };
	struct strbuf b;
	struct strbuf out;

	(void)state;
	strbuf_init(&b, 1 << 24);
	strbuf_append_str(&b, "{");
	for (int i = 0; i < 20000; i++)
		strbuf_printf(&b, "\"k%d\":{\"k%d\":0,\"x\":0,\"y\":{\"x\":0}},", i, i);
	strbuf_append_str(&b, "\"x\":1");
	strbuf_append_str(&b, "}");
	out = dump_json(b.data, b.size, &unique, 0, false, DUMP_SKIP);
	assert_string_equal(out.data, "* ");
	strbuf_release(&out);
	b.size--;
	strbuf_append_str(&b, ",\"k7\":1}");
	out = dump_json(b.data, b.size, &unique, 0, false, DUMP_SKIP);
	assert_non_null(strstr(out.data, "the key \"k7\" is repeated"));
	strbuf_release(&out);
	unique.max_string_bytes = 1000;
	out = dump_json(b.data, b.size, &unique, 0, false, DUMP_SKIP);
	assert_non_null(strstr(out.data, "error limit"));
	strbuf_release(&out);
	strbuf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deviations),
		cmocka_unit_test(one_each),
		cmocka_unit_test(refused),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(long_string),
		cmocka_unit_test(duplicate_keys),
		cmocka_unit_test(many_keys),
	};

	return cmocka_run_group_tests_name("json tolerant", tests, NULL, NULL);
}
