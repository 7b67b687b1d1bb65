/* Tests suppressions: parsing, matching with stacks, and writing entries that match again. */
#include "analysis/suppress_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* --- a small result set ---------------------------------------------------------------------- */

#define NAME(s) \
	{ \
		(s), sizeof(s) - 1 \
	}

static const struct suppress_routine routines[] = {
	/* symbol, name, class, module, file */
	{ NAME(""), NAME("malloc"), NAME(""), NAME("/usr/libexec/vgpreload_memcheck.so"),
		NAME("") },
	{ NAME(""), NAME("make_node"), NAME(""), NAME("/home/u/app"), NAME("/home/u/src/list.c") },
	{ NAME(""), NAME("main"), NAME(""), NAME("/home/u/app"), NAME("/home/u/src/main.c") },
	{ NAME(""), NAME("shapes::Circle::draw(int) const"), NAME(""), NAME("/home/u/app"),
		NAME("shapes.cpp") },
	{ NAME("_ZN6shapes6SquareC1Ev"), NAME("shapes::Square::Square()"), NAME(""),
		NAME("/home/u/app"), NAME("shapes.cpp") },
	{ NAME(""), NAME("0x1f2e"), NAME(""), NAME("/usr/lib/libfoo.so.6"), NAME("") },
	{ NAME(""), NAME("Create"), NAME("TForm"), NAME("VCL.bpl"), NAME("Forms.pas") },
	{ NAME(""), NAME(""), NAME(""), NAME(""), NAME("") },
};

enum {
	MALLOC,
	MAKE_NODE,
	MAIN,
	DRAW,
	SQUARE,
	NAMELESS,
	FORM,
	UNKNOWN,
	ROUTINES
};

struct case_of {
	struct suppress_list list;
	struct suppress_matcher *matcher;
};

static const char *
demangle(struct arena *a, struct text symbol)
{
	return text_equal(symbol, TEXT_LITERAL("_ZNK6shapes6Circle4drawEi"))
		       ? arena_strdup(a, "shapes::Circle::draw(int) const")
		       : NULL;
}

static void
open_case(struct case_of *c, const char *text)
{
	const struct suppress_place place = { .origin = SUPPRESS_OF_FILE, .file = "my.supp" };
	struct error err = ERROR_INIT;

	suppress_list_init(&c->list);
	if (!suppress_parse(&c->list, &place, text_from(text), &err))
		fail_msg("%s", err.message);
	c->matcher = suppress_matcher_new(&c->list, routines, ROUTINES, demangle);
}

static void
close_case(struct case_of *c)
{
	suppress_matcher_free(c->matcher);
	suppress_list_release(&c->list);
}

/* `stack` is a list of routine numbers that ends with -1; every frame is on line 10. */
static size_t
match(struct case_of *c, bool is_leak, const char *kind, const char *what, const int *stack)
{
	struct suppress_frame frames[16];
	struct suppress_stack one = { frames, 0 };
	struct suppress_subject s = { .is_leak = is_leak,
		.kind = text_from(kind),
		.what = text_from(what),
		.stacks = &one,
		.stack_count = 1,
		.weight = { 1, 2, 100 } };

	for (; stack[one.count] >= 0; one.count++)
		/* cppcheck-suppress unreadVariable ; `one` points to this array */
		frames[one.count] = (struct suppress_frame){ (uint32_t)stack[one.count], 10 };
	return suppress_match(c->matcher, &s);
}

/* Returns whether a suppression in `text` matches a finding of this kind with this stack. */
static bool
matches(const char *text, bool is_leak, const char *kind, const char *what, const int *stack)
{
	struct case_of c;
	size_t found;

	open_case(&c, text);
	found = match(&c, is_leak, kind, what, stack);
	close_case(&c);
	return found != SUPPRESS_NONE;
}

static const int node_stack[] = { MALLOC, MAKE_NODE, MAIN, -1 };
static const int draw_stack[] = { MALLOC, DRAW, SQUARE, MAIN, -1 };
static const int lib_stack[] = { MALLOC, NAMELESS, NAMELESS, MAIN, -1 };
static const int form_stack[] = { FORM, UNKNOWN, -1 };

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

/* --- written and read again ------------------------------------------------------------------ */

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

/* --- comparison with a simple matcher, and many entries --------------------------------------- */

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
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_telling_frame),
		cmocka_unit_test(test_memory_errors),
		cmocka_unit_test(test_written_names),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests_name("suppress", tests, NULL, NULL);
}
