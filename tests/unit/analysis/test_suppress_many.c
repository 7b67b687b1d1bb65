/* Compares the matcher with a simple one, and matches many entries. */
#include "analysis/suppress.h"
#include "base/arena.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static bool
plain_glob(const char *g, const char *t)
{
	for (; *g; g++, t++) {
		if (*g == '*') {
			for (;; t++) {
				if (plain_glob(g + 1, t))
					return true;
				if (!*t)
					return false;
			}
		}
		if (!*t || (*g != '?' && *g != *t))
			return false;
	}
	return !*t;
}

/* A simple matcher. Returns whether the patterns match the start of the stack. Each pattern is "..." or a pattern for a
 * function's name. */
static bool
plain_prefix(char *const *patterns, size_t count, const char *const *stack, size_t depth)
{
	if (!count)
		return true;
	if (strcmp(patterns[0], "...") == 0) {
		for (size_t i = 0; i <= depth; i++)
			if (plain_prefix(patterns + 1, count - 1, stack + i, depth - i))
				return true;
		return false;
	}
	return depth && plain_glob(patterns[0], stack[0]) &&
	       plain_prefix(patterns + 1, count - 1, stack + 1, depth - 1);
}

static uint32_t
draw(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525U + 1013904223U;
	return (*seed >> 8) % n;
}

enum {
	WORDS = 6,
	ENTRIES = 40,
	LINES = 4,
	DEPTH = 5
};

static const char *const words[WORDS] = { "a", "ab", "b", "ba", "aab", "bb" };

struct random_entries {
	char *patterns[ENTRIES][LINES + 1];
	size_t counts[ENTRIES];
};

/* Returns the first entry that matches according to the simple matcher. */
static size_t
first_plain(struct random_entries *r, const char **names, size_t depth)
{
	for (size_t e = 0; e < ENTRIES; e++)
		if (plain_prefix(r->patterns[e], r->counts[e], names, depth))
			return e;
	return SUPPRESS_NONE;
}

static void
test_random(void **state)
{
	static const char *const globs[] = { "a", "ab", "*", "a*", "*b", "?b", "b?", "...", "...",
		"*a*" };
	struct suppress_routine named[WORDS];
	uint32_t seed = 7;

	(void)state;
	for (size_t i = 0; i < WORDS; i++)
		named[i] = (struct suppress_routine){ .name = text_from(words[i]) };
	for (int round = 0; round < 50; round++) {
		struct random_entries r;
		struct suppress_place place = { .file = "random" };
		struct suppress_list l;
		struct suppress_matcher *m;
		struct strbuf text;
		struct error err = ERROR_INIT;

		strbuf_init(&text, 1 << 20);
		for (size_t e = 0; e < ENTRIES; e++) {
			r.counts[e] = 1 + draw(&seed, LINES);
			strbuf_append_str(&text, "{\nx\nMemcheck:Leak\n");
			for (size_t i = 0; i < r.counts[e]; i++)
				r.patterns[e][i] = (char *)(uintptr_t)globs[draw(&seed, 10)];
			/* An entry must have at least one frame that is not "...". */
			r.patterns[e][r.counts[e]++] = (char *)(uintptr_t)globs[draw(&seed, 7)];
			for (size_t i = 0; i < r.counts[e]; i++)
				strbuf_printf(&text, "%s%s\n",
					r.patterns[e][i][0] == '.' ? "" : "fun:", r.patterns[e][i]);
			strbuf_append_str(&text, "}\n");
		}
		suppress_list_init(&l);
		assert_true(suppress_parse(&l, &place, strbuf_text(&text), &err));
		m = suppress_matcher_new(&l, named, WORDS, NULL);
		for (int k = 0; k < 200; k++) {
			struct suppress_frame frames[DEPTH];
			const char *names[DEPTH];
			struct suppress_stack stack = { frames, draw(&seed, DEPTH + 1) };
			struct suppress_subject s = {
				.is_leak = true, .stacks = &stack, .stack_count = 1
			};

			for (size_t i = 0; i < stack.count; i++) {
				frames[i] = (struct suppress_frame){ draw(&seed, WORDS), 0 };
				names[i] = words[frames[i].routine];
			}
			assert_true(suppress_match(m, &s) == first_plain(&r, names, stack.count));
		}
		suppress_matcher_free(m);
		suppress_list_release(&l);
		strbuf_release(&text);
	}
}

/* Matches 30,000 stacks of 30 frames with 1,000 entries, half of them with wildcards. The time is
 * printed, but not checked, because machines differ. */
static void
test_many(void **state)
{
	enum {
		MANY_ROUTINES = 10000,
		MANY_STACKS = 30000,
		MANY_ENTRIES = 1000,
		FRAMES = 30
	};
	struct arena a = ARENA_INIT;
	struct suppress_routine *many = arena_alloc_array(&a, MANY_ROUTINES, sizeof(*many));
	struct suppress_place place = { .file = "many" };
	struct suppress_list l;
	struct suppress_matcher *m;
	struct strbuf text;
	struct error err = ERROR_INIT;
	uint32_t seed = 3;
	size_t hidden = 0, expected = 0;
	clock_t start;

	(void)state;
	for (int i = 0; i < MANY_ROUTINES; i++)
		many[i] = (struct suppress_routine){
			.name = text_from(
				arena_printf(&a, "ns::Class%d::routine_%d(int)", i % 97, i))
		};
	strbuf_init(&text, 1 << 22);
	for (int i = 0; i < MANY_ENTRIES; i++)
		strbuf_printf(&text,
			i % 2 ? "{\nx\nMemcheck:Leak\n...\nfun:*routine_%d(*\n}\n"
			      : "{\nx\nMemcheck:Leak\n...\nfun:ns::Class0::routine_%d(int)\n}\n",
			i % 2 ? i : i * 97 % MANY_ROUTINES);
	suppress_list_init(&l);
	assert_true(suppress_parse(&l, &place, strbuf_text(&text), &err));
	start = clock();
	m = suppress_matcher_new(&l, many, MANY_ROUTINES, NULL);
	for (int k = 0; k < MANY_STACKS; k++) {
		struct suppress_frame frames[FRAMES];
		struct suppress_stack stack = { frames, FRAMES };
		struct suppress_subject s = { .is_leak = true, .stacks = &stack, .stack_count = 1 };
		bool known = false;

		for (size_t i = 0; i < FRAMES; i++) {
			uint32_t r = draw(&seed, MANY_ROUTINES);

			/* cppcheck-suppress unreadVariable ; `stack` points to this array */
			frames[i] = (struct suppress_frame){ r, 0 };
			known = known || (r % 2 == 1 && r < MANY_ENTRIES) || 0;
			known = known || (r % 97 == 0 && r / 97 % 2 == 0 && r / 97 < MANY_ENTRIES);
		}
		expected += known;
		hidden += suppress_match(m, &s) != SUPPRESS_NONE;
	}
	print_message("# 30,000 stacks, 1,000 entries: %.0f ms\n",
		1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC);
	assert_true(hidden >= expected);
	assert_true(expected > 1000);
	suppress_matcher_free(m);
	suppress_list_release(&l);
	strbuf_release(&text);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests_name("suppress_many", tests, NULL, NULL);
}
