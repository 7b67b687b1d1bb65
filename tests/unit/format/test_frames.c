/* The dictionary of frames: the routines, lines, stacks and classes that it emits. */
#include "base/strbuf.h"
#include "format/common/frame_dictionary.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct recorder {
	struct sink sink;
	struct strbuf said;
	stack_number stacks;
	size_t last_count;
	int64_t first, last; /* routines of the last stack */
};

static const char *
or_dash(struct text t, struct strbuf *b)
{
	strbuf_reset(b);
	strbuf_append_text(b, text_is_null(t) ? TEXT_LITERAL("-") : t);
	return strbuf_str(b);
}

static bool
record_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;
	const struct text fields[] = { row->module_name, row->class_name, row->routine_name,
		row->symbol_moniker, row->source_file };
	struct strbuf b;

	(void)err;
	assert_int_equal(set, 7);
	assert_int_equal(row->id, row->rec_id);
	strbuf_init(&b, 1000);
	strbuf_printf(&r->said, "R%d", (int)row->id);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		strbuf_printf(&r->said, ",%s", or_dash(fields[i], &b));
	if (row->source_line != MODEL_NULL)
		strbuf_printf(&r->said, ":%d", (int)row->source_line);
	strbuf_append_char(&r->said, '\n');
	strbuf_release(&b);
	return true;
}

static bool
record_line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	strbuf_printf(&r->said, "L%d of R%d: %d at %d\n", (int)row->id, (int)row->parent_id,
		(int)row->rec_id, (int)row->source_line);
	return true;
}

static bool
record_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	*number = ++r->stacks;
	r->last_count = row->count;
	r->first = row->routine_ids[0];
	r->last = row->routine_ids[row->count - 1];
	strbuf_append_char(&r->said, 'S');
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
	strbuf_printf(&r->said, "C%d %.*s@%.*s\n", (int)row->rec_id, (int)row->class_name.size,
		row->class_name.data, (int)row->module_name.size,
		row->module_name.data ? row->module_name.data : "");
	return true;
}

static struct frame_dictionary *
begin(struct recorder *r)
{
	*r = (struct recorder){ .sink = { .routine = record_routine,
					.line = record_line,
					.stack = record_stack,
					.class_meta = record_class } };
	strbuf_init(&r->said, 1 << 20);
	return frame_dictionary_new(&r->sink, 7);
}

static void
finish(struct recorder *r, struct frame_dictionary *d)
{
	frame_dictionary_free(d);
	strbuf_release(&r->said);
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
	assert_string_equal(strbuf_str(&r.said), "R0,libc.so,-,malloc,-,-\n"
						 "R1,app,-,A::run(int),_ZN1A3runEi,a.cc:3\n"
						 "L0 of R1: 0 at 5\n"
						 "L1 of R1: 1 at 9\n"
						 "R2,app,-,0x401136,-,-\n"
						 "R3,-,-,??,-,-\n"
						 "S 0/-1 1/0 1/1 2/-1\n"
						 "S 0/-1 3/-1 2/-1 1/1\n");
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
	assert_int_equal(r.last_count, STACK_MAX_FRAMES);
	assert_int_equal(r.first, 0);
	assert_int_equal(r.last, STACK_MAX_FRAMES - 1);
	assert_true(stack_end(d, true, &number, &cut, &err));
	assert_int_equal(cut, MORE);
	assert_int_equal(r.first, STACK_MAX_FRAMES + MORE - 1);
	assert_int_equal(r.last, MORE);
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
	assert_string_equal(strbuf_str(&r.said), "C0 malloc@app\nC1 malloc@\n");
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
