#include "base/arena.h"
#include "input/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct record {
	int64_t key;
	uint64_t serial; /* position in the input; shows whether equal keys keep their order */
};

static int
compare_keys(const void *a, const void *b)
{
	const struct record *left = a;
	const struct record *right = b;

	return (left->key > right->key) - (left->key < right->key);
}

enum order {
	RANDOM,
	ASCENDING,
	DESCENDING,
	EQUAL,
	FEW
};

static int64_t
key_of(enum order order, size_t i, uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	switch (order) {
	case RANDOM:
		return (int64_t)*seed - INT32_MAX;
	case ASCENDING:
		return (int64_t)i;
	case DESCENDING:
		return -(int64_t)i;
	case EQUAL:
		return 7;
	case FEW:
		return (int64_t)(*seed >> 16) % 5;
	}
	return 0;
}

static void
check_sort(size_t count, enum order order, size_t memory)
{
	struct sorter *s = sorter_new(sizeof(struct record), compare_keys, memory);
	struct error err = ERROR_INIT;
	struct record last = { INT64_MIN, 0 };
	const void *next;
	uint32_t seed = 42;
	int64_t sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		struct record r = { key_of(order, i, &seed), i };

		sum += r.key;
		assert_true(sorter_add(s, &r, &err));
	}
	assert_true(sorter_finish(s, &err));
	while (sorter_next(s, &next, &err) && next) {
		struct record r;

		memcpy(&r, next, sizeof(r));
		assert_true(n == 0 || last.key < r.key ||
			    (last.key == r.key && last.serial < r.serial));
		last = r;
		sum -= r.key;
		n++;
	}
	assert_int_equal(err.code, ERROR_NONE);
	assert_int_equal(n, count);
	assert_int_equal(sum, 0);
	assert_true(sorter_next(s, &next, &err));
	assert_null(next);
	sorter_free(s);
}

static void
test_orders(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 3, 4, 5, 63, 64, 65, 1000, 4097 };
	/* memory for four records (two runs per merge, many passes), for 64 records, and for all records */
	static const size_t memories[] = { 1, sizeof(struct record) * 2 * 64, 0 };

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (size_t m = 0; m < sizeof(memories) / sizeof(memories[0]); m++)
			for (int order = RANDOM; order <= FEW; order++)
				check_sort(counts[c], (enum order)order, memories[m]);
}

/* More runs than one merge can read; each run's buffer contains many records. */
static void
test_many_runs(void **state)
{
	(void)state;
	check_sort(300000, RANDOM, 65536);
}

/* Records may be larger than the memory limit; the sorter then has memory for four records. */
static void
test_large_records(void **state)
{
	struct sorter *s = sorter_new(100000, compare_keys, 1000);
	struct error err = ERROR_INIT;
	char *record = xcalloc(1, 100000);
	const void *next;

	(void)state;
	for (int64_t i = 0; i < 20; i++) {
		int64_t key = i * 7 % 20;

		memcpy(record, &key, sizeof(key));
		assert_true(sorter_add(s, record, &err));
	}
	assert_true(sorter_finish(s, &err));
	for (int64_t i = 0; i < 20; i++) {
		assert_true(sorter_next(s, &next, &err));
		assert_memory_equal(next, &i, sizeof(i));
	}
	sorter_free(s);
	free(record);
}

static void
test_no_folder(void **state)
{
	struct sorter *s = sorter_new(sizeof(struct record), compare_keys, 1);
	struct error err = ERROR_INIT;
	struct record r = { 0, 0 };
	bool ok = true;

	(void)state;
	assert_int_equal(setenv("TMPDIR", "/nonexistent", 1), 0);
	for (int i = 0; ok && i < 10; i++)
		ok = sorter_add(s, &r, &err);
	unsetenv("TMPDIR");
	assert_false(ok);
	assert_int_equal(err.code, ERROR_FILE);
	assert_non_null(strstr(err.message, "/nonexistent"));
	assert_true(err.hint[0] != '\0');
	sorter_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_many_runs),
		cmocka_unit_test(test_large_records),
		cmocka_unit_test(test_no_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
