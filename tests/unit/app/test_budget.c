/* Tests valid and invalid budget files, and budgets that are applied to handmade facts. */
#include "app/budget_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct budget_list *
parse(struct arena *a, const char *json, struct error *err)
{
	*err = ERROR_INIT;
	return budget_file_parse(a, "b.json", text_from(json), err);
}

static void
test_whole(void **state)
{
	static const char json[] =
		"{\"$schema\": {\"any\": 1}, \"comment\": [], \"own\": [\"app*\", \"T*\"], \"match\": "
		"\"lines\",\n\"budgets\": [{\"of\": \"leaks\", \"kind\": \"definite\", \"max_count\": 0},"
		"{\"name\": \"n\", \"of\": \"leaks\", \"each\": \"own\", \"max_size\": \"64K\", "
		"\"max_size_growth_percent\": 2.5, \"optional\": true},"
		"{\"name\": \"d\", \"of\": \"duration\", \"span\": [\"a\", \"b\"], \"statistic\": "
		"\"p95\", \"max_value\": \"1.5 s\"},"
		"{\"name\": \"m\", \"of\": \"metric\", \"metric\": \"cpu\", \"routine\": \"f\", "
		"\"max_value_growth\": 7}]}";
	struct arena a = ARENA_INIT;
	struct error err;
	const struct budget_list *l = parse(&a, json, &err);

	(void)state;
	assert_non_null(l);
	assert_int_equal(l->count, 4);
	assert_int_equal(l->own.count, 2);
	assert_int_equal(l->match, MATCH_LINES);
	assert_string_equal(l->budgets[0].name, "budget 1");
	assert_string_equal(l->budgets[0].kinds.items[0], "definite");
	assert_true(l->budgets[0].limits[BUDGET_MAX_COUNT].set);
	assert_false(budget_needs_base(&l->budgets[0]));
	assert_int_equal(l->budgets[0].each, BUDGET_TOTAL);
	assert_int_equal(l->budgets[1].each, COMPARE_BY_OWN);
	assert_true(l->budgets[1].limits[BUDGET_MAX_SIZE].value == fixed_from_wide(65536));
	assert_true(2 * l->budgets[1].limits[BUDGET_MAX_SIZE_PERCENT].value == fixed_from_wide(5));
	assert_true(l->budgets[1].optional && budget_needs_base(&l->budgets[1]));
	assert_string_equal(l->budgets[2].limits[BUDGET_MAX_VALUE].unit, "seconds");
	assert_true(2 * l->budgets[2].limits[BUDGET_MAX_VALUE].value == fixed_from_wide(3));
	assert_int_equal(l->budgets[2].spans.count, 2);
	assert_string_equal(l->budgets[3].metric, "cpu");
	arena_release(&a);
}

static void
test_refused(void **state)
{
	static const struct {
		const char *json, *says;
	} cases[] = {
		{ "", "found the end of the input" },
		{ "[]", "a budget file is an object" },
		{ "{}", "missing key \"budgets\"" },
		{ "{\"budgets\": []}", "budgets: an array of 1 to 1000 budgets" },
		{ "{\"budgets\": {}}", "budgets: an array" },
		{ "{\"budget\": []}", "b.json: unknown key \"budget\"" },
		{ "{\"budgets\": [\n{\"of\": \"leaks\",\n\"max_cuont\": 1}]}",
			"budgets: item 1: unknown key \"max_cuont\"" },
		{ "{\"budgets\": [{\"of\": \"leak\"}]}", "of: cannot be \"leak\"" },
		{ "{\"budgets\": [{\"max_count\": 1}]}", "missing key \"of\"" },
		{ "{\"budgets\": [{\"of\": \"leaks\"}]}", "a budget needs a limit" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": \"1\"}]}",
			"max_count: \"1\": a number" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": -1}]}",
			"max_count: a number from 0 to 1e18" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": 1e400}]}",
			"max_count: a number from 0 to 1e18" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_size\": \"1 apple\"}]}",
			"max_size: \"1 apple\": a number of bytes" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_size\": \"5ms\"}]}",
			"a number of bytes" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_value\": 1}]}",
			"max_value: leaks and errors have no value" },
		{ "{\"budgets\": [{\"of\": \"errors\", \"max_size\": 1}]}",
			"max_size: only leaks have a size" },
		{ "{\"budgets\": [{\"of\": \"metric\", \"max_value\": 1}]}",
			"missing key \"metric\"" },
		{ "{\"budgets\": [{\"of\": \"duration\", \"max_value\": 1}]}",
			"missing key \"span\"" },
		{ "{\"budgets\": [{\"of\": \"duration\", \"span\": \"a\", \"class\": \"b\", "
		  "\"max_value\": 1}]}",
			"class: a duration budget can only select spans" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"each\": \"thing\", \"max_count\": 1}]}",
			"each: cannot be \"thing\"" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"each\": \"stack\", \"max_new\": 1}]}",
			"max_new: counts the new stacks" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"class\": [], \"max_count\": 1}]}",
			"class: a pattern, or an array" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"class\": \"\", \"max_count\": 1}]}",
			"class: \"\": a pattern" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"of\": \"errors\", \"max_count\": 1}]}",
			"of" },
		{ "{\"budgets\": [{\"name\": \"x\", \"of\": \"leaks\", \"max_count\": 1}, {\"name\": "
		  "\"x\", \"of\": \"errors\", \"max_count\": 1}]}",
			"two budgets have the name \"x\"" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": 1}]} x", "offset" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": 1}", "offset" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"optional\": 1, \"max_count\": 1}]}",
			"optional: must be of type boolean" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": 01}]}", "offset" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"max_count\": NaN}]}", "offset" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"name\": \"\t\", \"max_count\": 1}]}",
			"offset" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"name\": \"a\\u0000\", \"max_count\": 1}]}",
			"contains \\u0000" },
		{ "{\"budgets\": [{\"of\": \"leaks\", \"name\": \"\\ud800\", \"max_count\": 1}]}",
			"surrogate" },
		{ "{\"comment\": [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]], \"budgets\": []}", "16" },
		{ "{\"comment\": {\"a\": 1, \"a\": 2}, \"budgets\": []}", "\"a\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena a = ARENA_INIT;
		struct error err;

		assert_null(parse(&a, cases[i].json, &err));
		if (!strstr(err.message, cases[i].says) || !strstr(err.message, "b.json"))
			fail_msg("%s: %s", cases[i].json, err.message);
		arena_release(&a);
	}
}

static uint32_t
frame(struct facts *f, const char *module, const char *routine)
{
	const struct table_frame t = { .module_name = text_from(module),
		.routine_name = text_from(routine),
		.source_line = TABLE_NO_LINE };

	return facts_frame(f, &t);
}

/* A negative size is unknown. */
static void
add(struct facts *f, enum facts_side side, const char *class_name, const char *kind,
	const char *routine, int count, int size)
{
	uint32_t stack =
		facts_call(f, facts_call(f, 0, frame(f, "app", "main")), frame(f, "lib", routine));

	facts_add(f, side,
		&(struct fact){ .class_name = text_from(class_name),
			.module_name = TEXT_LITERAL("app"),
			.kind = text_from(kind),
			.stack = stack,
			.parts = size < 0 ? FACTS_UNKNOWN : FACTS_KNOWN,
			.count = count,
			.value = fixed_from_wide(size < 0 ? 0 : size) });
}

/* Returns the exceeded limits of a budget as a text such as "max_count A 5: 2; ?", in which 2 is the number of stacks.
 * "?" means that the budget cannot be judged completely. */
static const char *
judged(struct arena *a, const struct facts *f, const char *budget, bool compared)
{
	struct error err;
	const struct budget_list *l =
		parse(a, arena_printf(a, "{\"budgets\": [{\"of\": \"leaks\", %s}]}", budget), &err);
	struct budget_verdict verdict;
	const char *told = "";

	if (!l) {
		fail_msg("%s: %s", budget, err.message);
		return told;
	}
	verdict = budget_judge(a, f, FACTS_OBJECTS, &l->budgets[0], NULL, compared);
	for (size_t i = 0; i < verdict.count; i++) {
		const struct budget_breach *b = &verdict.breaches[i];
		char digits[DECIMAL_FIXED_TEXT_MAX];

		fixed_format(b->measured, digits);
		told = arena_printf(a, "%s%s%s %.*s %s: %zu", told, i ? "; " : "",
			budget_limits[b->limit].key, (int)b->group.class_name.size,
			b->group.class_name.data ? b->group.class_name.data : "",
			b->measured == (wide_int)(~(wide_bits)0 >> 1) ? "oo" : digits,
			b->stack_count);
	}
	return verdict.unknown ? arena_printf(a, "%s%s?", told, verdict.count ? "; " : "") : told;
}

static void
test_judged(void **state)
{
	struct arena a = ARENA_INIT;
	struct facts *f = facts_new(&a, MATCH_NAMES);

	(void)state;
	add(f, FACTS_NEW, "A", "definite", "f", 3, 30);
	add(f, FACTS_NEW, "A", "possible", "g", 1, 10);
	add(f, FACTS_NEW, "B", "definite", "f", 2, 100);
	add(f, FACTS_BASE, "A", "definite", "f", 2, 30);
	add(f, FACTS_BASE, "C", "definite", "h", 9, 9);
	assert_string_equal(judged(&a, f, "\"max_count\": 6", false), "");
	assert_string_equal(judged(&a, f, "\"max_count\": 5", false), "max_count  6: 3");
	assert_string_equal(
		judged(&a, f, "\"class\": \"a\", \"max_count\": 3, \"max_size\": 39", false),
		"max_count  4: 2; max_size  40: 2");
	assert_string_equal(judged(&a, f, "\"kind\": \"possible\", \"max_count\": 0", false),
		"max_count  1: 1");
	assert_string_equal(
		judged(&a, f, "\"routine\": \"f\", \"max_count\": 4", false), "max_count  5: 2");
	assert_string_equal(judged(&a, f, "\"each\": \"class\", \"max_count\": 1", false),
		"max_count A 4: 2; max_count B 2: 1");
	/* Without a base, growth is ignored. In a total, the decrease of one class offsets the growth of another. */
	assert_string_equal(judged(&a, f, "\"max_count_growth\": 0", false), "");
	assert_string_equal(judged(&a, f, "\"max_count_growth\": 0", true), "");
	assert_string_equal(judged(&a, f, "\"each\": \"class\", \"max_count_growth\": 1", true),
		"max_count_growth A 2: 2; max_count_growth B 2: 1");
	assert_string_equal(
		judged(&a, f, "\"each\": \"class\", \"max_count_growth_percent\": 99.9", true),
		"max_count_growth_percent B oo: 1; max_count_growth_percent A 100: 2");
	assert_string_equal(
		judged(&a, f, "\"each\": \"class\", \"max_count_growth_percent\": 100", true),
		"max_count_growth_percent B oo: 1");
	assert_string_equal(judged(&a, f, "\"max_new\": 1", true), "max_new  2: 2");
	assert_string_equal(judged(&a, f, "\"max_new\": 2", true), "");
	facts_free(f);
	arena_release(&a);
}

/* An unknown size is at least 0. A limit is judged if the known sizes decide the question. */
static void
test_unknown_sizes(void **state)
{
	struct arena a = ARENA_INIT;
	struct facts *f = facts_new(&a, MATCH_NAMES);

	(void)state;
	add(f, FACTS_NEW, "A", "definite", "f", 1, 50);
	add(f, FACTS_NEW, "A", "definite", "g", 1, -1);
	add(f, FACTS_NEW, "B", "definite", "f", 1, 40);
	add(f, FACTS_BASE, "B", "definite", "f", 1, -1);
	add(f, FACTS_BASE, "C", "definite", "f", 2, -1);
	assert_string_equal(judged(&a, f, "\"max_size\": 90", false), "?");
	assert_string_equal(judged(&a, f, "\"max_size\": 89", false), "max_size  90: 3");
	assert_string_equal(judged(&a, f, "\"class\": \"B\", \"max_size\": 40", false), "");
	assert_string_equal(judged(&a, f, "\"max_count\": 2", false), "max_count  3: 3");
	assert_string_equal(judged(&a, f, "\"each\": \"class\", \"max_size\": 39", false),
		"max_size A 50: 2; max_size B 40: 1");
	assert_string_equal(
		judged(&a, f, "\"each\": \"class\", \"max_size\": 45", false), "max_size A 50: 2");
	assert_string_equal(judged(&a, f, "\"each\": \"class\", \"max_size\": 50", false), "?");
	/* A grew by at least 50 bytes, B by at most 40. C is gone. */
	assert_string_equal(judged(&a, f, "\"each\": \"class\", \"max_size_growth\": 49", true),
		"max_size_growth A 50: 1");
	assert_string_equal(judged(&a, f, "\"class\": \"A\", \"max_size_growth\": 50", true), "?");
	assert_string_equal(judged(&a, f, "\"class\": \"B\", \"max_size_growth\": 40", true), "");
	assert_string_equal(judged(&a, f, "\"class\": \"B\", \"max_size_growth\": 39", true), "?");
	assert_string_equal(
		judged(&a, f, "\"class\": \"B\", \"max_size_growth_percent\": 1000", true), "?");
	assert_string_equal(judged(&a, f, "\"class\": \"C\", \"max_size_growth\": 0", true), "");
	facts_free(f);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_judged),
		cmocka_unit_test(test_unknown_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
