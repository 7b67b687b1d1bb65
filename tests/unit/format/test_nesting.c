/* Compares the nesting of random traces with the results of two simple implementations: one looks at all intervals,
 * the other keeps a stack of calls. */
#include "format/common/nesting.h"
#include "tests/lib/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
	SPANS = 16,
	TRACES = 20000
};

/* The result for each item. */
struct result {
	uint32_t parent;
	bool crosses;
};

static int
compare_starts(const void *x, const void *y)
{
	const struct nest_span *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Sorts the intervals by their starts, and nests them. nest_sort orders the intervals that start at the same time. An
 * interval's item is the index of its result. */
static void
nest_all(struct nest_span *spans, size_t count, struct result *results)
{
	struct nest n = { 0 };

	qsort(spans, count, sizeof(*spans), compare_starts);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && spans[to].start == spans[from].start;)
			to++;
		nest_sort(spans + from, to - from);
		for (size_t i = from; i < to; i++) {
			struct result *r = &results[spans[i].item];

			r->parent = nest_add(&n, &spans[i], &r->crosses);
		}
	}
	nest_release(&n);
}

/* --- intervals without events ------------------------------------------------------------- */

/* Returns whether a contains b. If b begins where a ends, a does not contain b. */
static bool
contains(const struct nest_span *a, const struct nest_span *b)
{
	if (a->start == b->start && a->end == b->end)
		return a->end > a->start && a->place < b->place;
	return a->start <= b->start && a->end >= b->end && a->end > b->start;
}

static bool
overlap(const struct nest_span *a, const struct nest_span *b)
{
	return a->start < b->end && b->start < a->end && !contains(a, b) && !contains(b, a);
}

/* Returns the item of the innermost interval that contains s. Of the intervals that contain s, it is the one that
 * starts last; if several start at that time, it is the shortest of them. */
static uint32_t
reference_parent(const struct nest_span *spans, size_t count, const struct nest_span *s)
{
	const struct nest_span *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (&spans[i] != s && contains(&spans[i], s) &&
			(!best || spans[i].start > best->start ||
				(spans[i].start == best->start && contains(best, &spans[i]))))
			best = &spans[i];
	return best ? best->item : NEST_NONE;
}

/* In the call tree, an interval is at least as long as all its children together. */
static void
check_sums(const struct nest_span *spans, size_t count, const struct result *results)
{
	for (size_t i = 0; i < count; i++) {
		wide_int inside = 0;

		for (size_t k = 0; k < count; k++) {
			const struct result *r = &results[spans[k].item];

			if (r->parent == spans[i].item && !r->crosses)
				inside += spans[k].end - spans[k].start;
		}
		assert_true(inside <= spans[i].end - spans[i].start);
	}
}

static void
check_intervals(struct nest_span *spans, size_t count)
{
	struct result results[SPANS];
	size_t crossing = 0, overlapping = 0;

	nest_all(spans, count, results);
	for (size_t i = 0; i < count; i++) {
		const struct result *r = &results[spans[i].item];

		assert_int_equal(r->parent, reference_parent(spans, count, &spans[i]));
		crossing += r->crosses;
		for (size_t k = 0; k < i; k++)
			overlapping += overlap(&spans[k], &spans[i]);
	}
	assert_int_equal(crossing > 0, overlapping > 0);
	check_sums(spans, count, results);
}

static void
test_intervals(void **state)
{
	struct nest_span spans[SPANS];
	uint64_t seed = 15;

	(void)state;
	for (int i = 0; i < TRACES; i++) {
		const size_t count = 1 + random_below(&seed, SPANS);
		const unsigned length = 1 + random_below(&seed, 20);

		for (uint32_t k = 0; k < count; k++) {
			spans[k] = (struct nest_span){ .place = k + 1, .item = k };
			spans[k].start = random_below(&seed, 20);
			spans[k].end = spans[k].start + random_below(&seed, length);
		}
		check_intervals(spans, count);
	}
}

/* --- begin and end events ------------------------------------------------------------------ */

/* Makes a trace of nested begin and end events, many of them at the same time. Names are numbers
 * from 0 to 2. With `complete`, some of the calls become intervals without events. */
static size_t
make_calls(struct nest_span *spans, uint32_t *parents, uint64_t *seed, bool complete)
{
	uint32_t open[SPANS] = { 0 }, names[SPANS], place = 0;
	struct nest_begins begins;
	size_t depth = 0, count = 0;
	wide_int now = 0;

	nest_begins_init(&begins, SPANS);
	while (count < SPANS || depth) {
		now += random_below(seed, 3) ? 0 : 1;
		if (depth && (count == SPANS || random_below(seed, 2))) {
			const uint32_t n = open[--depth];

			/* The newest begin event of a name is the innermost call of that name. */
			assert_int_equal(nest_begins_end(&begins,
						 random_below(seed, 4) ? names[n] : NEST_NONE),
				n);
			spans[n].end = now;
			spans[n].ended = ++place;
			continue;
		}
		names[count] = random_below(seed, 3);
		parents[count] = depth ? open[depth - 1] : NEST_NONE;
		place++;
		spans[count] =
			(struct nest_span){ .start = now, .place = place, .item = (uint32_t)count };
		nest_begins_add(&begins, names[count], (uint32_t)count);
		open[depth++] = (uint32_t)count++;
	}
	assert_int_equal(nest_begins_end(&begins, NEST_NONE), NEST_NONE);
	nest_begins_release(&begins);
	for (size_t i = 0; complete && i < count; i++)
		if (spans[i].end > spans[i].start && !random_below(seed, 3))
			spans[i].ended = 0;
	return count;
}

static void
test_calls(void **state)
{
	struct nest_span spans[SPANS];
	struct result results[SPANS];
	uint32_t parents[SPANS];
	uint64_t seed = 16;

	(void)state;
	for (int i = 0; i < TRACES; i++) {
		const size_t count = make_calls(spans, parents, &seed, false);

		nest_all(spans, count, results);
		for (size_t k = 0; k < count; k++) {
			assert_int_equal(results[k].parent, parents[k]);
			assert_false(results[k].crosses);
		}
	}
}

/* Some calls have a complete event instead of a begin and an end event. If a call has a length,
 * its parent must be the innermost call that contains it. If calls have equal times, any of them can
 * be the outer one. */
static void
test_mixed(void **state)
{
	struct nest_span spans[SPANS];
	struct result results[SPANS];
	uint32_t parents[SPANS];
	uint64_t seed = 17;

	(void)state;
	for (int i = 0; i < TRACES; i++) {
		const size_t count = make_calls(spans, parents, &seed, true);

		nest_all(spans, count, results);
		for (size_t k = 0; k < count; k++) {
			assert_false(results[spans[k].item].crosses);
			if (spans[k].end > spans[k].start)
				assert_int_equal(results[spans[k].item].parent,
					reference_parent(spans, count, &spans[k]));
		}
		check_sums(spans, count, results);
	}
}

/* Each end event finds the newest open begin event with its name, whatever the order of the end
 * events. */
static void
test_begins(void **state)
{
	uint32_t names[SPANS] = { 0 };
	bool open[SPANS] = { false };
	struct nest_begins begins;
	uint64_t seed = 18;

	(void)state;
	nest_begins_init(&begins, 4);
	for (int i = 0; i < TRACES; i++) {
		uint32_t count = 0;

		while (count < SPANS) {
			const uint32_t name = random_below(&seed, 4);
			uint32_t expected = NEST_NONE;

			if (random_below(&seed, 2)) {
				names[count] = name;
				open[count] = true;
				nest_begins_add(&begins, name, count++);
				continue;
			}
			for (uint32_t k = 0; k < count; k++)
				if (open[k] && (names[k] == name || name == 3))
					expected = k;
			assert_int_equal(
				nest_begins_end(&begins, name == 3 ? NEST_NONE : name), expected);
			if (expected != NEST_NONE)
				open[expected] = false;
		}
		nest_begins_clear(&begins);
	}
	nest_begins_release(&begins);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_begins),
	};

	return cmocka_run_group_tests_name("nesting", tests, NULL, NULL);
}
