/* Tests comparisons and sparklines of handmade facts. */
#include "analysis/compare.h"
#include "analysis/sparkline.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Makes a stack from a text such as "main>a:12>b". Each frame is routine[:line], and the outermost frame is first. */
static uint32_t
stack(struct facts *f, const char *path)
{
	char copy[256];
	uint32_t at = FACTS_NO_STACK;
	char *rest = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *s = strtok_r(copy, ">", &rest); s; s = strtok_r(NULL, ">", &rest)) {
		char *colon = strchr(s, ':');
		struct table_frame frame = { .module_name = TEXT_LITERAL("app"),
			.source_file = TEXT_LITERAL("app.c"),
			.source_line = colon ? strtol(colon + 1, NULL, 10) : TABLE_NO_LINE };

		if (colon)
			*colon = '\0';
		frame.routine_name = text_from(s);
		at = facts_call(f, at, facts_frame(f, &frame));
	}
	return at;
}

static void
add(struct facts *f, enum facts_side side, const char *class_name, const char *path, int count,
	int value)
{
	facts_add(f, side,
		&(struct fact){ .class_name = text_from(class_name),
			.stack = stack(f, path),
			.count = count,
			.value = fixed_from_wide(value) });
}

/* Describes the comparison as "new A 0>3 0>30; ...", in the order of its rows. */
static const char *
told(struct arena *a, const struct facts *f, const struct compare_question *q)
{
	const struct comparison *c = facts_compare(a, f, q);
	struct strbuf b = STRBUF_INIT(65536);
	const char *done;

	for (size_t i = 0; i < c->row_count; i++) {
		const struct compare_row *r = &c->rows[i];
		const struct compare_sums *s = r->sums;
		wide_int one = fixed_from_wide(1);

		strbuf_printf(&b, "%s%s ", i ? "; " : "", compare_status_name(r->status));
		if (r->bare)
			strbuf_append_str(&b, r->bare);
		else
			strbuf_append_text(&b, r->frame == FACTS_NONE
						       ? r->class_name
						       : f->frames[r->frame].routine_name);
		strbuf_printf(&b, " %d>%d %d>%d", (int)s[FACTS_BASE].count, (int)s[FACTS_NEW].count,
			(int)(s[FACTS_BASE].value / one), (int)(s[FACTS_NEW].value / one));
		if (compare_has_totals(q->by, q->family))
			strbuf_printf(&b, " %d>%d", (int)s[FACTS_BASE].total_count,
				(int)s[FACTS_NEW].total_count);
	}
	done = arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return done;
}

static void
test_statuses(void **state)
{
	struct arena a = ARENA_INIT;
	struct facts *f = facts_new(&a, MATCH_NAMES);
	struct compare_question q = { .by = COMPARE_BY_CLASS };

	(void)state;
	add(f, FACTS_NEW, "new", "main", 3, 30);
	add(f, FACTS_BASE, "gone", "main", 2, 5);
	add(f, FACTS_BASE, "more", "main", 1, 9);
	add(f, FACTS_NEW, "more", "main", 1, 10);
	add(f, FACTS_BASE, "fewer", "main", 5, 10);
	add(f, FACTS_NEW, "fewer", "main", 4, 90);
	add(f, FACTS_BASE, "same", "main", 5, 10);
	add(f, FACTS_NEW, "same", "main", 2, 4);
	add(f, FACTS_NEW, "same", "main>x", 3, 6);
	assert_string_equal(told(&a, f, &q),
		"new new 0>3 0>30; gone gone 2>0 5>0; shrunk fewer 5>4 10>90;"
		" grown more 1>1 9>10; same same 5>5 10>10");
	q.value_first = true;
	assert_string_equal(told(&a, f, &q),
		"grown fewer 5>4 10>90; new new 0>3 0>30; gone gone 2>0 5>0;"
		" grown more 1>1 9>10; same same 5>5 10>10");
	facts_free(f);
	arena_release(&a);
}

static void
test_lines(void **state)
{
	struct compare_question q = { .by = COMPARE_BY_STACK };

	(void)state;
	for (int match = MATCH_NAMES; match <= MATCH_LINES; match++) {
		struct arena a = ARENA_INIT;
		struct facts *f = facts_new(&a, (enum facts_match)match);

		add(f, FACTS_NEW, "A", "main:3>f:11", 1, 1);
		add(f, FACTS_BASE, "A", "main:3>f:10", 1, 1);
		assert_string_equal(told(&a, f, &q),
			match == MATCH_NAMES ? "same A 1>1 1>1" : "gone A 1>0 1>0; new A 0>1 0>1");
		facts_free(f);
		arena_release(&a);
	}
}

static void
test_routines(void **state)
{
	struct arena a = ARENA_INIT;
	struct facts *f = facts_new(&a, MATCH_NAMES);
	struct compare_question q = { .by = COMPARE_BY_ROUTINE };

	(void)state;
	/* f calls itself, but the total of f must count the value only once. */
	add(f, FACTS_NEW, "A", "main>f:1>f:2", 4, 0);
	add(f, FACTS_BASE, "A", "main>f:1", 1, 0);
	add(f, FACTS_NEW, "A", "", 2, 0);
	add(f, FACTS_BASE, "A", "", 2, 0);
	assert_string_equal(told(&a, f, &q),
		"grown f 1>4 0>0 1>4; grown main 0>0 0>0 1>4; same (stack unknown) 2>2 0>0 2>2");
	facts_free(f);
	arena_release(&a);
}

static void
test_own(void **state)
{
	struct arena a = ARENA_INIT;
	struct facts *f = facts_new(&a, MATCH_NAMES);
	struct compare_question q = { .by = COMPARE_BY_OWN };
	struct table_frame libc = { .module_name = TEXT_LITERAL("libc"),
		.routine_name = TEXT_LITERAL("malloc"),
		.source_line = TABLE_NO_LINE };
	const char *globs[] = { "APP" };
	struct option_list own = { globs, 1 };

	(void)state;
	facts_add(f, FACTS_NEW,
		&(struct fact){ .count = 2,
			.stack = facts_call(f, stack(f, "main>g"), facts_frame(f, &libc)) });
	facts_add(f, FACTS_NEW,
		&(struct fact){ .count = 1, .stack = facts_call(f, 0, facts_frame(f, &libc)) });
	facts_add(f, FACTS_NEW, &(struct fact){ .count = 7 });
	q.own_frames = facts_own_frames(f, &a, &own);
	assert_string_equal(told(&a, f, &q),
		"new (stack unknown) 0>7 0>0; new g 0>2 0>0; new (no own frame) 0>1 0>0");
	facts_free(f);
	arena_release(&a);
}

static void
test_normalise(void **state)
{
	struct arena a = ARENA_INIT;
	struct facts *f = facts_new(&a, MATCH_NAMES);
	const struct compare_question q = { .by = COMPARE_BY_STACK,
		.family = FACTS_SAMPLES,
		.value_first = true,
		.normalise = true };
	const struct comparison *c;
	wide_int base = 0;

	(void)state;
	add(f, FACTS_NEW, "", "a", 1, 30);
	assert_false(facts_compare(&a, f, &q)->factor > 0);
	add(f, FACTS_BASE, "", "a", 1, 4);
	add(f, FACTS_BASE, "", "b", 1, 5);
	c = facts_compare(&a, f, &q);
	assert_true(c->factor > 3.33L);
	for (size_t i = 0; i < c->row_count; i++)
		base += c->rows[i].sums[FACTS_BASE].value;
	assert_true(base > fixed_from_wide(29) && base < fixed_from_wide(31));
	assert_true(c->all[FACTS_BASE].value == base);
	assert_int_equal(c->row_count, 2);
	facts_free(f);
	arena_release(&a);
}

/* The identity must be as in schema/400_stacks.sql: the SHA-256 of the frames' 16-byte hashes. */
static void
test_identity(void **state)
{
	struct arena a = ARENA_INIT;
	uint8_t names[IDENTITY_BYTES] = { 0 };
	uint8_t lines[IDENTITY_BYTES] = { 0 };
	char hex[2 * IDENTITY_BYTES + 1];

	(void)state;
	for (int match = MATCH_NAMES; match <= MATCH_LINES; match++) {
		struct facts *f = facts_new(&a, (enum facts_match)match);

		facts_identity(f, stack(f, "main:3>f:10"), match == MATCH_NAMES ? names : lines);
		facts_free(f);
	}
	hex_format(names, sizeof(names), hex);
	assert_string_equal(hex, "664a672a4e21c35f34a520846614e877");
	hex_format(lines, sizeof(lines), hex);
	assert_string_equal(hex, "6db1b607d2aaf5d69a45fa2ddbdffb86");
	arena_release(&a);
}

static void
test_words(void **state)
{
	struct error err = ERROR_INIT;
	unsigned bits;
	double percent;

	(void)state;
	assert_true(compare_parse_statuses("new,same", &bits, &err));
	assert_int_equal(bits, 1U << COMPARE_ADDED | 1U << COMPARE_SAME);
	assert_false(compare_parse_statuses("new,", &bits, &err));
	assert_false(compare_parse_statuses("News", &bits, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_false(compare_percent(0, 5, &percent));
	assert_true(compare_percent(-4, -2, &percent) && percent > 49.99 && percent < 50.01);
}

static void
test_sparkline(void **state)
{
	const struct sparkline_value values[] = { { true, 5 }, { false, 0 }, { true, 12 },
		{ true, 9 } };
	const struct sparkline_value equal[] = { { true, 5 }, { true, 5 } };
	struct strbuf b = STRBUF_INIT(1000);

	(void)state;
	sparkline_append(&b, values, 4);
	sparkline_append(&b, equal, 2);
	sparkline_append(&b, NULL, 0);
	assert_string_equal(strbuf_str(&b), "\u2581 \u2588\u2585\u2584\u2584");
	strbuf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_routines),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_normalise),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_sparkline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
