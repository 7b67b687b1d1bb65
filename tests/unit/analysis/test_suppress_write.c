/* Tests that written suppressions match again, and hide nothing else. */
#include "analysis/suppress_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suppress_case.h"

static void
check_written(enum suppress_syntax syntax, bool is_leak, const char *kind, const char *what,
	const int *stack, const char *expected)
{
	struct suppress_routine frames[16];
	struct suppress_subject s = {
		.is_leak = is_leak, .kind = text_from(kind), .what = text_from(what)
	};
	struct strbuf out = STRBUF_INIT(65536);
	size_t n = 0;

	for (; stack[n] >= 0; n++)
		frames[n] = routines[stack[n]];
	assert_int_equal(suppress_write(&out, syntax, "here", &s, frames, n), SUPPRESS_WRITTEN);
	if (expected)
		assert_string_equal(strbuf_str(&out), expected);
	if (!matches(strbuf_str(&out), is_leak, kind, what, stack))
		fail_msg("does not match again: %s", strbuf_str(&out));
	strbuf_release(&out);
}

static void
test_written(void **state)
{
	static const int *const stacks[] = { node_stack, draw_stack, lib_stack, form_stack };
	static const char *const kinds[][2] = { { "InvalidRead", "Invalid read of size 4" },
		{ "InvalidWrite", "Invalid write of size 3" }, { "UninitCondition", NULL },
		{ "SyscallParam", "Syscall param write(buf) points to uninitialised byte(s)" },
		{ "MismatchedFree", NULL }, { "Overlap", NULL }, { "InvalidJump", NULL },
		{ "UninitValue", "Use of uninitialised value of size 8" }, { "Race", NULL },
		{ "ConflictingAccess", NULL }, { "LockOrder", NULL }, { "PthAPIerror", NULL },
		{ "FishyValue",
			"Argument 'size' of function malloc has a fishy (possibly negative) "
			"value: -3" },
		{ "ClientCheck", NULL }, { "FdNotClosed", NULL }, { "data race", NULL },
		{ "heap-use-after-free", "READ of size 1" } };
	static const char *const sanitizer_kinds[] = { "data race", "thread leak",
		"double lock of a mutex", "lock-order-inversion (potential deadlock)",
		"signed-integer-overflow" };

	(void)state;
	check_written(SUPPRESS_VALGRIND, true, "definite", NULL, node_stack,
		"{\n   here\n   Memcheck:Leak\n   match-leak-kinds: definite\n   fun:malloc\n"
		"   fun:make_node\n   fun:main\n}\n");
	check_written(SUPPRESS_VALGRIND, true, NULL, NULL, draw_stack,
		"{\n   here\n   Memcheck:Leak\n   match-leak-kinds: all\n   fun:malloc\n"
		"   fun:_Z*6shapes6Circle4draw*\n   fun:_ZN6shapes6SquareC1Ev\n   fun:main\n}\n");
	check_written(SUPPRESS_SANITIZER, true, "direct", NULL, node_stack, "leak:^make_node$\n");
	check_written(SUPPRESS_SANITIZER, false, "data race", NULL, lib_stack,
		"race:/usr/lib/libfoo.so.6\n");
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			check_written(SUPPRESS_VALGRIND, false, kinds[k][0], kinds[k][1], stacks[i],
				NULL);
		for (size_t k = 0; k < sizeof(sanitizer_kinds) / sizeof(sanitizer_kinds[0]); k++)
			check_written(SUPPRESS_SANITIZER, false, sanitizer_kinds[k], NULL,
				stacks[i], NULL);
		check_written(SUPPRESS_VALGRIND, true, "possible", NULL, stacks[i], NULL);
		check_written(SUPPRESS_SANITIZER, true, "direct", NULL, stacks[i], NULL);
	}
}

/* Splits blank-separated names of frames, innermost first. "@x" is an unnamed frame in module x. */
static size_t
split_stack(char *text, struct suppress_routine *frames)
{
	size_t n = 0;

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		if (*word == '@')
			frames[n++] = (struct suppress_routine){ .module = text_from(word + 1) };
		else
			frames[n++] = (struct suppress_routine){ .name = text_from(word),
				.module = TEXT_LITERAL("/bin/app") };
	return n;
}

/* Entries that would also hide unrelated findings must be written as comments. */
static void
test_telling_frame(void **state)
{
	static const char wide[] =
		"# This stack has only allocators and the start of a program or "
		"thread. The entry is\n# commented out, because it would hide every such leak:\n# ";
	static const struct {
		const char *stack, *line;
		bool is_wide;
	} cases[] = {
		{ "malloc make main", "leak:^make$\n", false },
		{ "malloc g_malloc0 xstrdup make main", "leak:^make$\n", false },
		{ "__interceptor_malloc je_calloc __libc_malloc@@GLIBC_2.34 make", "leak:^make$\n",
			false },
		{ "malloc main __libc_start_call_main __libc_start_main_impl _start",
			"leak:^main$\n", true },
		{ "calloc start_thread clone", "leak:^start_thread$\n", true },
		{ "malloc", "leak:^malloc$\n", true },
		{ "_Znwm std::__new_allocator<T>::allocate std::list<T>::push_back keep main",
			"leak:^keep$\n", false },
		{ "_Znwm std::list<T>::push_back main", "leak:^std::list<T>::push_back$\n", false },
		{ "malloc main_loop main", "leak:^main_loop$\n", false },
		{ "malloc @/lib/libfoo.so main", "leak:/lib/libfoo.so\n", false },
		{ "malloc @/lib/libfoo.so draw main", "leak:^draw$\n", false },
		{ "malloc @/bin/app main", "leak:/bin/app\n", true },
		{ "malloc @/bin/own @/bin/own __libc_start_main @/bin/own", "leak:/bin/own\n",
			true },
		{ "malloc @/lib/libfoo.so @/bin/own (below)", "leak:^(below)$\n", false },
	};
	struct suppress_subject s = { .is_leak = true };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct suppress_routine frames[8];
		char text[128], expected[512];
		struct strbuf out;
		size_t n;

		snprintf(text, sizeof(text), "%s", cases[i].stack);
		n = split_stack(text, frames);
		snprintf(expected, sizeof(expected), "%s%s", cases[i].is_wide ? wide : "",
			cases[i].line);
		strbuf_init(&out, 65536);
		assert_int_equal(suppress_write(&out, SUPPRESS_SANITIZER, "here", &s, frames, n),
			cases[i].is_wide ? SUPPRESS_COMMENTED : SUPPRESS_WRITTEN);
		assert_string_equal(strbuf_str(&out), expected);
		strbuf_release(&out);
	}
}

/* AddressSanitizer can suppress memory errors only in functions that it intercepts. */
static void
test_memory_errors(void **state)
{
	static const struct suppress_routine plain[] = { { .name = NAME("fill") },
		{ .name = NAME("main") } };
	static const struct suppress_routine copied[] = { { .name = NAME("__asan_memcpy") },
		{ .name = NAME("fill") }, { .name = NAME("main") } };
	static const struct suppress_routine replaced[] = {
		{ .name = NAME("strlen"), .file = NAME("vg_replace_strmem.c") },
		{ .name = NAME("fill") }, { .name = NAME("main") }
	};
	static const char none[] = "the sanitizers have no suppression of this kind\n";
	static const char entry[] = "interceptor_via_fun:^fill$\n";
	static const struct {
		const char *kind, *what;
		const struct suppress_routine *frames;
		const char *text;
	} cases[] = {
		{ "heap-buffer-overflow", "heap-buffer-overflow on address 0x1 at pc 0x2", plain,
			none },
		{ "heap-use-after-free", "heap-use-after-free on address 0x1 at pc 0x2", plain,
			none },
		{ "heap-use-after-free", "heap-use-after-free (pid=3)", plain, "race:^fill$\n" },
		{ "heap-buffer-overflow", "heap-buffer-overflow on address 0x1 at pc 0x2", copied,
			entry },
		{ "memcpy-param-overlap", "memory ranges overlap", copied, entry },
		{ "InvalidRead", "Invalid read of size 1", replaced, entry },
		{ "InvalidRead", "Invalid read of size 1", plain, none },
		{ "UninitCondition", NULL, replaced, none },
		{ "SyscallParam", NULL, plain, none },
		{ "InvalidFree", NULL, plain, none },
		{ "MismatchedFree", NULL, plain, "alloc_dealloc_mismatch:^fill$\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct suppress_subject s = { .kind = text_from(cases[i].kind),
			.what = text_from(cases[i].what) };
		size_t n = cases[i].frames == plain ? 2 : 3;
		bool commented = cases[i].text == none;
		struct strbuf out;

		strbuf_init(&out, 65536);
		assert_int_equal(
			suppress_write(&out, SUPPRESS_SANITIZER, "here", &s, cases[i].frames, n),
			commented ? SUPPRESS_COMMENTED : SUPPRESS_WRITTEN);
		if (!strstr(strbuf_str(&out), cases[i].text) ||
			(strbuf_str(&out)[0] == '#') != commented)
			fail_msg("%s: %s", cases[i].kind, strbuf_str(&out));
		strbuf_release(&out);
	}
}

/* Each C++ name is the only frame of a stack. */
static void
test_written_names(void **state)
{
	static const char *const names[] = { "foo(int)", "ns::Foo::Foo(char const*)",
		"ns::Foo::~Foo()", "(anonymous namespace)::helper(int)",
		"std::vector<int, std::allocator<int> >::push_back(int const&)",
		"void fill<int>(int*, unsigned long)", "Foo::operator bool() const",
		"main::{lambda(int)#1}::operator()(int) const", "core::fmt::write", "a b", " odd ",
		"with\nnewline", "f*(g?)", "^caret", "dollar$" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int syntax = 0; syntax < 2; syntax++) {
			const struct suppress_routine one[] = { { .name = text_from(names[i]),
				.module = TEXT_LITERAL("app") } };
			const struct suppress_frame f = { 0, 0 };
			const struct suppress_stack stack = { &f, 1 };
			const struct suppress_place place = { .file = "written" };
			struct suppress_subject s = {
				.is_leak = true, .stacks = &stack, .stack_count = 1
			};
			struct suppress_list l;
			struct suppress_matcher *m;
			struct strbuf out;
			struct error err = ERROR_INIT;

			strbuf_init(&out, 65536);
			suppress_list_init(&l);
			assert_int_equal(suppress_write(&out, (enum suppress_syntax)syntax, "here",
						 &s, one, 1),
				SUPPRESS_WRITTEN);
			if (!suppress_parse(&l, &place, strbuf_text(&out), &err))
				fail_msg("%s", err.message);
			m = suppress_matcher_new(&l, one, 1, NULL);
			if (suppress_match(m, &s) != 0)
				fail_msg("%s does not match %s", strbuf_str(&out), names[i]);
			suppress_matcher_free(m);
			suppress_list_release(&l);
			strbuf_release(&out);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_telling_frame),
		cmocka_unit_test(test_memory_errors),
		cmocka_unit_test(test_written_names),
	};

	return cmocka_run_group_tests_name("suppress_write", tests, NULL, NULL);
}
