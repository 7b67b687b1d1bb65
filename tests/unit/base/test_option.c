#include "base/arena.h"
#include "base/option.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

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
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_option_many),
		cmocka_unit_test(test_option_bytes),
		cmocka_unit_test(test_option_help),
		cmocka_unit_test(test_option_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
