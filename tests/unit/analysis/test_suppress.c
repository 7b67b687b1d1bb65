/* Tests suppressions: parsing, and matching with stacks. */
#include "analysis/suppress_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suppress_case.h"

#define LEAK(text, kind, stack) matches(text, true, kind, NULL, stack)
#define ERR(text, kind, what, stack) matches(text, false, kind, what, stack)

/* --- valgrind -------------------------------------------------------------------------------- */

static void
test_valgrind(void **state)
{
	(void)state;
	assert_true(
		LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n fun:make_node\n}\n", NULL, node_stack));
	/* Frames match only the beginning of the stack, in order and without gaps. */
	assert_false(LEAK("{\n a\n Memcheck:Leak\n fun:make_node\n}", NULL, node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n fun:main\n}", NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n ...\n fun:make_node\n}", NULL, node_stack));
	assert_true(
		LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n ...\n fun:main\n}", NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n ...\n}", NULL, node_stack));
	assert_false(
		LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n fun:make_node\n fun:main\n obj:*\n}",
			NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n fun:m*\n fun:mak?_n*\n}", NULL, node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n fun:m*\n fun:mak?_\n}", NULL, node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n fun:Malloc\n}", NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n obj:*/vgpreload_*\n obj:/home/u/app\n}", NULL,
		node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n ...\n src:*list.c\n}", NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n ...\n src:*list.c:10\n}", NULL, node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n ...\n src:*list.c:11\n}", NULL, node_stack));
	/* src: accepts a file without its folder, as in valgrind's output. */
	assert_true(LEAK("{\n a\n Memcheck:Leak\n ...\n src:list.c\n}", NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n ...\n src:list.c:10\n}", NULL, node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n ...\n src:list.c:*\n}", NULL, node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n ...\n src:ist.c\n}", NULL, node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n ...\n src:list.c:1\n}", NULL, node_stack));
	/* After "...", obj:*libfoo* matches two frames. Only the second one precedes main. */
	assert_true(
		LEAK("{\n a\n Memcheck:Leak\n ...\n obj:*libfoo*\n fun:main\n}", NULL, lib_stack));
	/* An entry can name several tools, and contain comments and unusual blanks. */
	assert_true(
		LEAK("# mine\n\n{\r\n  a b c\r\n # why\n\tMemcheck,Addrcheck:Leak\n\n fun:malloc\n"
		     "  } \n",
			NULL, node_stack));
	/* Routines without a name. */
	assert_true(LEAK("{\n a\n Memcheck:Leak\n fun:Create\n fun:*\n}", NULL, form_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n fun:TForm.Create\n obj:*\n}", NULL, form_stack));
}

static void
test_leak_kinds(void **state)
{
	static const char definite[] =
		"{\n a\n Memcheck:Leak\n match-leak-kinds: definite,possible\n fun:malloc\n}";

	(void)state;
	assert_true(LEAK(definite, "definite", node_stack));
	assert_true(LEAK(definite, "possible", node_stack));
	assert_true(LEAK(definite, "direct", node_stack));
	assert_true(LEAK(definite, NULL, node_stack));
	assert_false(LEAK(definite, "indirect", node_stack));
	assert_false(LEAK(definite, "reachable", node_stack));
	assert_true(LEAK("{\n a\n Memcheck:Leak\n match-leak-kinds: all\n fun:malloc\n}",
		"reachable", node_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n match-leak-kinds: none\n fun:malloc\n}",
		"reachable", node_stack));
	/* An entry for leaks does not match an error. */
	assert_false(ERR(definite, "InvalidRead", "Invalid read of size 4", node_stack));
}

static void
test_error_kinds(void **state)
{
	static const char addr4[] = "{\n a\n Memcheck:Addr4\n ...\n fun:main\n}";
	static const char param[] = "{\n a\n Memcheck:Param\n write(buf)\n ...\n fun:main\n}";

	(void)state;
	assert_true(ERR(addr4, "InvalidRead", "Invalid read of size 4", node_stack));
	assert_true(ERR(addr4, "InvalidWrite", "Invalid write of size 4", node_stack));
	assert_false(ERR(addr4, "InvalidRead", "Invalid read of size 8", node_stack));
	assert_false(ERR(addr4, "UninitValue", "Use of uninitialised value of size 4", node_stack));
	assert_true(ERR(addr4, "heap-buffer-overflow", "READ of size 4 at 0x1", node_stack));
	assert_false(LEAK(addr4, NULL, node_stack));
	assert_true(ERR(param, "SyscallParam",
		"Syscall param write(buf) points to uninitialised byte(s)", node_stack));
	assert_false(ERR(param, "SyscallParam",
		"Syscall param read(buf) points to unaddressable byte(s)", node_stack));
	assert_true(ERR(
		"{\n a\n Memcheck:Cond\n ...\n fun:main\n}", "UninitCondition", NULL, node_stack));
	assert_true(ERR("{\n a\n Memcheck:Value0\n ...\n fun:main\n}", "UninitCondition", NULL,
		node_stack));
	assert_true(ERR(
		"{\n a\n Memcheck:Free\n ...\n fun:main\n}", "MismatchedFree", NULL, node_stack));
	assert_true(ERR("{\n a\n Memcheck:FishyValue\n malloc(size)\n fun:malloc\n}", "FishyValue",
		"Argument 'size' of function malloc has a fishy (possibly negative) value: -3",
		node_stack));
	assert_true(ERR("{\n a\n Helgrind:Race\n ...\n fun:main\n}", "Race", NULL, node_stack));
	assert_true(ERR("{\n a\n drd:ConflictingAccess\n ...\n fun:main\n}", "ConflictingAccess",
		NULL, node_stack));
	/* A kind that is in no table of kinds matches only findings of the same kind. */
	assert_true(ERR("{\n a\n Helgrind:PthAPIerror\n ...\n fun:main\n}", "PthAPIerror", NULL,
		node_stack));
	assert_false(
		ERR("{\n a\n Helgrind:Misc\n ...\n fun:main\n}", "PthAPIerror", NULL, node_stack));
}

static void
test_mangled(void **state)
{
	(void)state;
	/* The entries that valgrind writes contain symbols; its XML contains demangled names. */
	assert_true(LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n fun:_ZNK6shapes6Circle4drawEi\n}",
		NULL, draw_stack));
	assert_true(
		LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n fun:_ZNK6shapes*\n}", NULL, draw_stack));
	assert_false(LEAK("{\n a\n Memcheck:Leak\n fun:malloc\n fun:_ZNK6shapes6Square*\n}", NULL,
		draw_stack));
	assert_true(LEAK(
		"{\n a\n Memcheck:Leak\n ...\n fun:_ZN6shapes6SquareC1Ev\n}", NULL, draw_stack));
	assert_true(
		LEAK("{\n a\n Memcheck:Leak\n ...\n fun:shapes::Circle::*\n}", NULL, draw_stack));
	assert_true(LEAK("leak:Circle::draw", NULL, draw_stack));
	assert_true(LEAK("leak:_ZN6shapes6Square", NULL, draw_stack));
}

/* --- sanitizers ------------------------------------------------------------------------------ */

static void
test_sanitizers(void **state)
{
	(void)state;
	assert_true(LEAK("leak:make_node", NULL, node_stack));
	assert_true(LEAK("# why\n  leak:ke_no  \r\n", NULL, node_stack));
	assert_false(LEAK("leak:^ke_no", NULL, node_stack));
	assert_true(LEAK("leak:^make_n", NULL, node_stack));
	assert_true(LEAK("leak:^make_node$", NULL, node_stack));
	assert_true(LEAK("leak:node$", NULL, node_stack));
	assert_false(LEAK("leak:make$", NULL, node_stack));
	assert_true(LEAK("leak:ma*no*e", NULL, node_stack));
	assert_true(LEAK("leak:list.c", NULL, node_stack));
	assert_true(LEAK("leak:/home/u/app", NULL, node_stack));
	assert_true(LEAK("leak:libfoo.so", "indirect", lib_stack));
	assert_false(LEAK("leak:mak?_node", NULL, node_stack));
	assert_false(ERR("leak:make_node", "data race", NULL, node_stack));
	assert_true(ERR("race:make_node", "data race", NULL, node_stack));
	assert_true(ERR("race_top:malloc", "data race", NULL, node_stack));
	assert_false(ERR("race_top:make_node", "data race", NULL, node_stack));
	assert_false(ERR("race:make_node", "thread leak", NULL, node_stack));
	assert_true(ERR("thread:make_node", "thread leak", NULL, node_stack));
	assert_true(ERR("mutex:main", "double lock of a mutex", NULL, node_stack));
	assert_true(ERR(
		"deadlock:main", "lock-order-inversion (potential deadlock)", NULL, node_stack));
	assert_true(ERR("signal:main", "signal-unsafe call inside of a signal", NULL, node_stack));
	assert_true(ERR("called_from_lib:libfoo.so", "data race", NULL, lib_stack));
	assert_false(ERR("called_from_lib:make_node", "data race", NULL, node_stack));
	assert_true(ERR("interceptor_via_fun:main", "heap-use-after-free", NULL, node_stack));
	assert_true(ERR("interceptor_via_lib:libfoo", "heap-use-after-free", NULL, lib_stack));
	assert_true(ERR("interceptor_name:^malloc$", "negative-size-param", NULL, node_stack));
	assert_true(
		ERR("signed-integer-overflow:malloc", "signed-integer-overflow", NULL, node_stack));
	assert_true(ERR("signed-integer-overflow:malloc", "undefined-behavior",
		"signed integer overflow: 2147483647 + 1 cannot be represented", node_stack));
	assert_false(ERR("shift-base:malloc", "signed-integer-overflow", NULL, node_stack));
	assert_true(ERR(
		"odr_violation:g_table", "odr-violation", "global 'g_table' at a.c", node_stack));
}

/* In valgrind's syntax, an interceptor of malloc is written and matched as malloc. */
static void
test_interceptors(void **state)
{
	static const struct suppress_routine named[] = { { .name = NAME("__interceptor_malloc") },
		{ .name = NAME("run") } };
	const struct suppress_frame frames[] = { { 0, 0 }, { 1, 0 } };
	const struct suppress_stack stack = { frames, 2 };
	const struct suppress_place place = { .file = "x" };
	struct suppress_subject s = { .is_leak = true, .stacks = &stack, .stack_count = 1 };
	struct suppress_list l;
	struct suppress_matcher *m;
	struct strbuf out = STRBUF_INIT(65536);
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(
		suppress_write(&out, SUPPRESS_VALGRIND, "here", &s, named, 2), SUPPRESS_WRITTEN);
	assert_non_null(strstr(strbuf_str(&out), "   fun:malloc\n   fun:run\n"));
	suppress_list_init(&l);
	assert_true(suppress_parse(&l, &place, strbuf_text(&out), &err));
	m = suppress_matcher_new(&l, named, 2, NULL);
	assert_int_equal(suppress_match(m, &s), 0);
	suppress_matcher_free(m);
	suppress_list_release(&l);
	strbuf_release(&out);
}

static void
test_further_stacks(void **state)
{
	const struct suppress_frame access[] = { { MALLOC, 0 } };
	const struct suppress_frame other[] = { { DRAW, 0 }, { MAIN, 0 } };
	const struct suppress_stack stacks[] = { { access, 1 }, { other, 2 } };
	struct suppress_subject s = {
		.kind = TEXT_LITERAL("data race"), .stacks = stacks, .stack_count = 2
	};
	struct case_of c;

	(void)state;
	open_case(&c, "race:Circle::draw\n");
	assert_int_equal(suppress_match(c.matcher, &s), 0);
	close_case(&c);
	open_case(&c, "{\n a\n Helgrind:Race\n ...\n fun:main\n}");
	assert_true(suppress_match(c.matcher, &s) == SUPPRESS_NONE);
	close_case(&c);
}

/* The first matching entry in the list must be found, regardless of how entries are indexed. */
static void
test_first_counts(void **state)
{
	struct case_of c;

	(void)state;
	open_case(&c, "leak:nothing\n"
		      "{\n wide\n Memcheck:Leak\n fun:malloc\n ...\n}\n"
		      "{\n narrow\n Memcheck:Leak\n ...\n fun:make_node\n}\n"
		      "leak:make_node\n");
	assert_int_equal(c.list.count, 4);
	assert_int_equal(match(&c, true, NULL, NULL, node_stack), 1);
	assert_int_equal(match(&c, true, NULL, NULL, node_stack), 1);
	assert_true(match(&c, true, NULL, NULL, form_stack) == SUPPRESS_NONE);
	assert_int_equal(suppress_uses(c.matcher)[1].records, 2);
	assert_int_equal(suppress_uses(c.matcher)[1].blocks, 4);
	assert_int_equal(suppress_uses(c.matcher)[1].bytes, 200);
	assert_int_equal(suppress_uses(c.matcher)[2].records, 0);
	close_case(&c);
}

static void
test_expired(void **state)
{
	const struct suppress_place place = { .origin = SUPPRESS_OF_DEPOT,
		.file = "depot",
		.id = 7,
		.name = TEXT_LITERAL("known"),
		.expired = true };
	struct case_of c;
	struct error err = ERROR_INIT;

	(void)state;
	open_case(&c, "");
	suppress_matcher_free(c.matcher);
	assert_true(suppress_parse(&c.list, &place, TEXT_LITERAL("leak:main"), &err));
	assert_true(suppress_parse(&c.list, &place, TEXT_LITERAL("leak:*"), &err));
	c.matcher = suppress_matcher_new(&c.list, routines, ROUTINES, NULL);
	assert_true(match(&c, true, NULL, NULL, node_stack) == SUPPRESS_NONE);
	assert_true(text_equal(c.list.items[0].name, TEXT_LITERAL("known")));
	close_case(&c);
}

/* --- invalid entries ------------------------------------------------------------------------- */

static void
test_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "nonsense", "my.supp:1: no suppression: \"nonsense\"" },
		{ "# a\n\nleek:x", "my.supp:3: no suppression: \"leek:x\"" },
		{ "leak:", "my.supp:1: nothing after the colon: \"leak:\"" },
		{ "{\n a\n Memcheck:Leak\n fun:x\n",
			"my.supp:4: \"{\" without \"}\" before the end" },
		{ "{\n}", "my.supp:2: a suppression without a name" },
		{ "{\n a\n fun:x\n}", NULL },
		{ "{\n a\n Leak\n fun:x\n}",
			"my.supp:3: no TOOL:KIND after the suppression's name: \"Leak\"" },
		{ "{\n a\n Memcheck:Laek\n fun:x\n}",
			"my.supp:3: not a kind of error or leak: \"Memcheck:Laek\"" },
		{ "{\n a\n Memcheck:leak\n fun:x\n}",
			"my.supp:3: not a kind of error or leak: \"Memcheck:leak\"" },
		{ "{\n a\n Memcheck:Addr3\n fun:x\n}",
			"my.supp:3: not a kind of error or leak: \"Memcheck:Addr3\"" },
		{ "{\n a\n Helgrind,drd:Rase\n fun:x\n}",
			"my.supp:3: not a kind of error or leak: \"Helgrind,drd:Rase\"" },
		{ "{\n a\n Memcheck:Leak\n}",
			"my.supp:4: a suppression needs a frame besides \"...\": \"a\"" },
		{ "{\n a\n Memcheck:Leak\n ...\n}",
			"my.supp:5: a suppression needs a frame besides \"...\": \"a\"" },
		{ "{\n a\n Memcheck:Leak\n func:x\n}",
			"my.supp:4: neither a frame nor \"}\": \"func:x\"" },
		{ "{\n a\n Memcheck:Leak\n fun:x\n bad\n}",
			"my.supp:5: neither a frame nor \"}\": \"bad\"" },
		{ "{\n a\n Memcheck:Leak\n fun:\n}",
			"my.supp:4: nothing after the colon: \"fun:\"" },
		{ "{\n a\n Memcheck:Leak\n match-leak-kinds: lost\n fun:x\n}",
			"my.supp:4: match-leak-kinds without a kind of leak: \"lost\"" },
		{ "{\n a\n Memcheck:Leak\n fun:x\n{\n}", "my.supp:5: \"{\" inside a suppression" },
		{ "leak:a\nleak:\xff", "my.supp:2: bytes that are not text" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct suppress_place place = { .file = "my.supp" };
		struct suppress_list l;
		struct error err = ERROR_INIT;

		suppress_list_init(&l);
		assert_true(suppress_parse(&l, &place, TEXT_LITERAL("leak:kept"), &err));
		assert_false(suppress_parse(&l, &place, text_from(cases[i].text), &err));
		if (cases[i].message)
			assert_string_equal(err.message, cases[i].message);
		assert_int_equal(err.code, ERROR_INPUT);
		assert_int_equal(l.count, 1);
		suppress_list_release(&l);
	}
}

/* The error for a misspelt kind must list the kinds of the tool. If the tool is unknown, any kind is accepted. */
static void
test_kinds_of_tools(void **state)
{
	static const char *const good[] = { "Memcheck:Value0", "Memcheck,Helgrind:Race",
		"Helgrind:Dubious", "drd:GenericErr", "CoreError:FdBadClose", "exp-sgcheck:SorG",
		"profdepot:AnyKind" };
	const struct suppress_place place = { .file = "my.supp" };
	struct error err = ERROR_INIT;
	struct suppress_list l;

	(void)state;
	suppress_list_init(&l);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char text[100];

		snprintf(text, sizeof(text), "{\n a\n %s\n fun:x\n}", good[i]);
		assert_true(suppress_parse(&l, &place, text_from(text), &err));
	}
	assert_false(
		suppress_parse(&l, &place, TEXT_LITERAL("{\n a\n drd:CondEr\n fun:x\n}"), &err));
	assert_non_null(strstr(err.hint, "kinds are ConflictingAccess MutexErr CondErr "));
	suppress_list_release(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valgrind),
		cmocka_unit_test(test_leak_kinds),
		cmocka_unit_test(test_error_kinds),
		cmocka_unit_test(test_mangled),
		cmocka_unit_test(test_sanitizers),
		cmocka_unit_test(test_interceptors),
		cmocka_unit_test(test_further_stacks),
		cmocka_unit_test(test_first_counts),
		cmocka_unit_test(test_expired),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_kinds_of_tools),
	};

	return cmocka_run_group_tests_name("suppress", tests, NULL, NULL);
}
