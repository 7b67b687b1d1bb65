#include "base/arena.h"
#include "base/array.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_array(void **state)
{
	size_t count = 0, room = 0, zeroed_room = 0;
	int *items = NULL;
	short *zeroed = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++)
		*ARRAY_ADD(items, count, room) = i;
	assert_int_equal(count, 1000);
	assert_true(room >= 1000 && room <= 2000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	ARRAY_RESERVE(items, room, 10);
	assert_true(room >= 1000);
	ARRAY_RESERVE_ZEROED(zeroed, zeroed_room, 17);
	zeroed[16] = 1;
	ARRAY_RESERVE_ZEROED(zeroed, zeroed_room, 1000);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(zeroed[i], i == 16);
	free(items);
	free(zeroed);
}

static void
test_strbuf(void **state)
{
	struct strbuf b = STRBUF_INIT(10);

	(void)state;
	assert_string_equal(strbuf_str(&b), "");
	assert_int_equal(strbuf_text(&b).size, 0);
	strbuf_append_int(&b, -12);
	strbuf_append_char(&b, ' ');
	strbuf_append_text(&b, TEXT_NULL);
	strbuf_append_text(&b, TEXT_LITERAL("ab"));
	strbuf_printf(&b, "%04d", 7);
	assert_string_equal(strbuf_str(&b), "-12 ab0007");
	assert_false(b.failed);
	/* the buffer is full: adding a byte fails, `failed` stays set, the content is unchanged */
	strbuf_append_char(&b, 'x');
	assert_true(b.failed);
	strbuf_append(&b, "", 0);
	assert_null(strbuf_reserve(&b, 0));
	assert_string_equal(strbuf_str(&b), "-12 ab0007");
	strbuf_reset(&b);
	assert_false(b.failed);
	assert_string_equal(strbuf_str(&b), "");
	strbuf_printf(&b, "%s", "12345678901");
	assert_true(b.failed);
	strbuf_release(&b);
	/* the sum of the sizes would overflow */
	strbuf_init(&b, SIZE_MAX - 1);
	strbuf_append(&b, "ab", 2);
	assert_null(strbuf_reserve(&b, SIZE_MAX - 2));
	strbuf_release(&b);
}

static void
test_arena(void **state)
{
	struct arena a = ARENA_INIT;
	char *big;
	struct text t;

	(void)state;
	for (size_t size = 0; size < 5000; size += 7) {
		unsigned char *p = arena_alloc(&a, size);

		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xAA, size);
	}
	big = arena_alloc(&a, 1000000);
	big[999999] = 1;
	arena_reset(&a);
	assert_int_equal(a.total, 0);
	/* memory from a reused block is zeroed again */
	assert_int_equal(((char *)arena_alloc(&a, 16))[0], 0);
	assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
	assert_string_equal(arena_printf(&a, "%s-%d", "x", 5), "x-5");
	t = arena_text(&a, TEXT_LITERAL("a\0b"));
	assert_int_equal(t.size, 3);
	assert_memory_equal(t.data, "a\0b", 4);
	assert_true(text_is_null(arena_text(&a, TEXT_NULL)));
	arena_release(&a);
	arena_release(&a);
	arena_reset(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strbuf),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
