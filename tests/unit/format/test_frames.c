/* Tests that the frame dictionary emits routines, lines, stacks and classes. */
#include "format/common/frame_dictionary.h"
#include "recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Number of frames of the last recorded stack, and its first and last routines. */
static size_t last_count;
static int64_t first_routine, last_routine;

static bool
record_numbers(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)err;
	assert_int_equal(set, 7);
	*number = ++r->stacks;
	last_count = row->count;
	first_routine = row->routine_ids[0];
	last_routine = row->routine_ids[row->count - 1];
	strbuf_append_str(&r->said, "stack");
	for (size_t i = 0; i < row->count && i < 4; i++) {
		strbuf_printf(&r->said, " %d", (int)row->routine_ids[i]);
		if (row->line_ids)
			strbuf_printf(&r->said, "/%d", (int)row->line_ids[i]);
	}
	strbuf_append_char(&r->said, '\n');
	return true;
}

static bool
record_class(struct sink *s, uint32_t set, const struct class_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	strbuf_printf(&r->said, "class %d", (int)row->rec_id);
	record_text(r, " ", row->class_name);
	record_text(r, " in ", row->module_name);
	strbuf_append_char(&r->said, '\n');
	return true;
}

static struct frame_dictionary *
begin(struct recorder *r)
{
	recorder_init(r);
	r->sink.stack = record_numbers;
	r->sink.class_meta = record_class;
	return frame_dictionary_new(&r->sink, 7);
}

static void
finish(struct recorder *r, struct frame_dictionary *d)
{
	frame_dictionary_free(d);
	recorder_release(r);
}

#define T(s) TEXT_LITERAL(s)

static void
test_frames(void **state)
{
	const struct frame frames[] = {
		{ .module = T("libc.so"), .function = T("malloc"), .address = 0x10 },
		{ .module = T("app"),
			.function = T("_ZN1A3runEi"),
			.file = T("a.cc"),
			.line = 5,
			.start_line = 3 },
		{ .module = T("app"), .function = T("_ZN1A3runEi"), .file = T("a.cc"), .line = 9 },
		{ .module = T("app"), .address = 0x401136 },
		{ .module = T("") },
		{ .module = T("libc.so"), .function = T("malloc"), .address = 0x20 },
	};
	struct error err = ERROR_INIT;
	struct recorder r;
	struct frame_dictionary *d = begin(&r);
	stack_number number;
	int64_t first;
	size_t cut;

	(void)state;
	stack_begin(d);
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		assert_true(stack_push(d, &frames[i], &err));
	assert_int_equal(stack_depth(d), 6);
	assert_true(stack_end(d, false, &number, &cut, &err));
	assert_int_equal(number, 1);
	assert_int_equal(cut, 0);
	assert_true(stack_end(d, true, &number, NULL, &err));
	stack_ids(d, OWNER_OBJECT, 6, &first);
	assert_int_equal(first, 0);
	stack_ids(d, OWNER_OBJECT, 0, &first);
	assert_true(first == MODEL_NULL);
	stack_ids(d, OWNER_OBJECT, 2, &first);
	assert_int_equal(first, 6);
	stack_ids(d, OWNER_ERROR, 2, &first);
	assert_int_equal(first, 0);
	stack_begin(d);
	assert_true(stack_end(d, false, &number, NULL, &err));
	assert_int_equal(number, 0);
	assert_string_equal(strbuf_str(&r.said),
		"routine 0 malloc in libc.so\n"
		"routine 1 A::run(int) =_ZN1A3runEi in app at a.cc:3\n"
		"line 1.0 at 5\n"
		"line 1.1 at 9\n"
		"routine 2 0x401136 in app\n"
		"routine 3 ??\n"
		"stack 0/-1 1/0 1/1 2/-1\n"
		"stack 0/-1 3/-1 2/-1 1/1\n");
	finish(&r, d);
}

/* A stack that is too deep keeps its innermost frames. */
static void
test_deep(void **state)
{
	enum {
		MORE = 1000
	};
	struct error err = ERROR_INIT;
	struct recorder r;
	struct frame_dictionary *d = begin(&r);
	stack_number number;
	size_t cut;

	(void)state;
	stack_begin(d);
	for (int64_t i = 0; i < STACK_MAX_FRAMES + MORE; i++)
		stack_push_numbers(d, (struct frame_numbers){ i, -1 });
	assert_true(stack_end(d, false, &number, &cut, &err));
	assert_int_equal(cut, MORE);
	assert_int_equal(last_count, STACK_MAX_FRAMES);
	assert_int_equal(first_routine, 0);
	assert_int_equal(last_routine, STACK_MAX_FRAMES - 1);
	assert_true(stack_end(d, true, &number, &cut, &err));
	assert_int_equal(cut, MORE);
	assert_int_equal(first_routine, STACK_MAX_FRAMES + MORE - 1);
	assert_int_equal(last_routine, MORE);
	finish(&r, d);
}

static void
test_classes(void **state)
{
	struct error err = ERROR_INIT;
	struct recorder r;
	struct frame_dictionary *d = begin(&r);
	int64_t a;
	int64_t b;

	(void)state;
	assert_true(class_intern(d, T("malloc"), T("app"), &a, &err));
	assert_true(class_intern(d, T("malloc"), TEXT_NULL, &b, &err));
	assert_int_not_equal(a, b);
	assert_true(class_intern(d, T("malloc"), T("app"), &b, &err));
	assert_int_equal(a, b);
	assert_string_equal(strbuf_str(&r.said), "class 0 malloc in app\nclass 1 malloc\n");
	finish(&r, d);
}

static void
test_allocators(void **state)
{
	(void)state;
	assert_true(is_allocator(T("malloc")));
	assert_true(is_allocator(T("operator new(unsigned long)")));
	assert_true(is_allocator(T("operator new[](unsigned long, std::nothrow_t const&)")));
	assert_true(is_allocator(T("__interceptor_malloc")));
	assert_true(is_allocator(T("_Znwm")));
	assert_true(is_allocator(T("realloc@plt")));
	assert_false(is_allocator(T("malloc_consolidate")));
	assert_false(is_allocator(T("strdup")));
	assert_false(is_allocator(T("my_malloc")));
	assert_false(is_allocator(T("")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_allocators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
