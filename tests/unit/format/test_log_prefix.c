/* Tests prefixes of lines in logs. */
#include "format/common/log_prefix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A line that shows the prefix, a later line, and the content of the later line. The content is NULL
 * if the later line does not have the prefix. */
static const struct prefix_case {
	const char *prefix, *line, *content;
} cases[] = {
	{ "2026-11-20T08:14:07.1234567Z ", "2026-11-20T08:14:09.0000001Z ==7== x", "==7== x" },
	{ "[2026-11-20T08:14:07.123Z] ", "[2026-11-20T08:14:08.001Z]   at 0x1", "  at 0x1" },
	{ "3: ", "3: ==7== x", "==7== x" },
	{ "3: ", "4: ==7== x", NULL },
	{ "1>", "1>{76} normal block", "{76} normal block" },
	{ "00000012\t1.23456\t[4711] ", "00000013\t1.50000\t[4711] Data: <>", "Data: <>" },
	{ "00000012\t1.23456\t[4711] ", "00000013\t1.50000\t[4712] Data: <>", NULL },
	{ "shop-1  | ", "shop-1  | ==7== x", "==7== x" },
	{ "shop-1  | ", "shop-1  |", "" },
	{ "shop-1  | ", "shop-2  | ==7== x", NULL },
	{ "> ", "> ==7== x", "==7== x" },
	{ "> > ", "> >", "" },
	{ "[   5.123456] ", "[  12.345678] x", "x" },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct prefix_case *c = &cases[i];
		struct log_prefixes p = { .arena = ARENA_INIT };
		struct text content;
		unsigned number;

		assert_true(log_prefix_add(&p, text_from(c->prefix)));
		number = log_prefix_strip(&p, text_from(c->line), &content);
		assert_int_equal(number, c->content ? 1 : 0);
		assert_true(text_equal(content, text_from(c->content ? c->content : c->line)));
		log_prefixes_release(&p);
	}
}

static void
test_several(void **state)
{
	static const char *const lines[] = { "b | 2", "a | 1", "c | 3", "b | 4" };
	static const unsigned numbers[] = { 2, 1, 0, 2 };
	struct log_prefixes p = { .arena = ARENA_INIT };
	struct text content;

	(void)state;
	assert_true(log_prefix_add(&p, TEXT_LITERAL("a | ")));
	assert_true(log_prefix_add(&p, TEXT_LITERAL("b | ")));
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(log_prefix_strip(&p, text_from(lines[i]), &content), numbers[i]);
	assert_false(log_prefix_add(&p, TEXT_LITERAL("")));
	while (p.count < LOG_PREFIXES)
		assert_true(log_prefix_add(&p, TEXT_LITERAL("a | ")));
	assert_false(log_prefix_add(&p, TEXT_LITERAL("d | ")));
	log_prefixes_release(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
