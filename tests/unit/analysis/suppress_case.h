/* A small result set, and suppressions that are matched with its stacks. Include this after cmocka.h. */
#ifndef PROFDEPOT_TESTS_UNIT_ANALYSIS_SUPPRESS_CASE_H
#define PROFDEPOT_TESTS_UNIT_ANALYSIS_SUPPRESS_CASE_H

#include "analysis/suppress.h"

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

#endif
