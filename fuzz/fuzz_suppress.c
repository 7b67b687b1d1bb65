/*
 * Fuzzes suppressions. The stored text of a parsed list can be parsed again, and both lists match
 * the same stacks. A suppression that is written for a stack of the input hides this stack.
 */
#include "analysis/suppress_write.h"
#include "must.h"

#include <stddef.h>

enum {
	FRAMES = 6,
	NAME_BYTES = 40
};

/* Names are pieces of the input, so that patterns can match them. */
static void
cut_names(const char *bytes, size_t size, struct suppress_routine routines[FRAMES])
{
	for (size_t i = 0; i < FRAMES; i++) {
		size_t at = size * i / FRAMES;
		size_t n = size - at < NAME_BYTES ? size - at : NAME_BYTES;
		struct text piece = { bytes + at, text_utf8_prefix(bytes + at, n) };

		routines[i] = (struct suppress_routine){ .symbol = i % 3 == 2 ? piece : TEXT_NULL,
			.name = piece,
			.class_name = i % 2 ? piece : TEXT_NULL,
			.module = i % 3 == 1 ? piece : TEXT_LITERAL("/usr/lib/libfoo.so"),
			.file = TEXT_LITERAL("a.c") };
	}
}

static void
check_kept(const struct suppression *s)
{
	const struct suppress_place place = { .origin = SUPPRESS_OF_DEPOT, .file = "kept" };
	struct suppress_list l;
	struct error err = ERROR_INIT;

	suppress_list_init(&l);
	MUST(suppress_parse(&l, &place, s->body, &err));
	MUST(l.count == 1 && text_equal(l.items[0].body, s->body));
	MUST(text_equal(l.items[0].name, s->name) && text_equal(l.items[0].kind, s->kind));
	MUST(l.items[0].syntax == s->syntax);
	suppress_list_release(&l);
}

static size_t
match(const struct suppress_list *l, const struct suppress_routine *routines,
	const struct suppress_subject *subject)
{
	struct suppress_matcher *m = suppress_matcher_new(l, routines, FRAMES, NULL);
	size_t found = suppress_match(m, subject);

	MUST(suppress_match(m, subject) == found);
	MUST(found == SUPPRESS_NONE || suppress_uses(m)[found].records == 2);
	suppress_matcher_free(m);
	return found;
}

/* If the first entry alone matches a stack, the whole list must match it too. */
static void
check_match(const struct suppress_list *l, const struct suppress_routine *routines,
	const struct suppress_subject *subject)
{
	struct suppress_list first = *l;
	size_t found = match(l, routines, subject);

	first.count = 1;
	MUST((match(&first, routines, subject) == 0) == (found == 0));
}

/* A written suppression can be parsed again, and matches the stack for which it was written. */
static void
check_read_again(enum suppress_outcome outcome, struct strbuf *b,
	const struct suppress_routine *routines, const struct suppress_subject *subject)
{
	const struct suppress_place place = { .file = "written" };
	struct suppress_list l;
	struct error err = ERROR_INIT;

	suppress_list_init(&l);
	MUST(b->size && suppress_parse(&l, &place, strbuf_text(b), &err));
	MUST(l.count == (outcome == SUPPRESS_WRITTEN));
	if (l.count && match(&l, routines, subject) != 0)
		fprintf(stderr, "%s", strbuf_str(b));
	MUST(!l.count || match(&l, routines, subject) == 0);
	suppress_list_release(&l);
}

static void
check_written(const struct suppress_routine *routines, const struct suppress_subject *subject)
{
	for (int syntax = 0; syntax < 2; syntax++) {
		struct strbuf b;
		enum suppress_outcome outcome;

		strbuf_init(&b, 1 << 20);
		outcome = suppress_write(
			&b, (enum suppress_syntax)syntax, "x", subject, routines, FRAMES);
		if (outcome == SUPPRESS_COMMENTED || outcome == SUPPRESS_WRITTEN)
			check_read_again(outcome, &b, routines, subject);
		else
			MUST(b.size == 0);
		strbuf_release(&b);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct suppress_place place = { .file = "fuzz" };
	struct suppress_routine routines[FRAMES];
	const struct suppress_frame frames[FRAMES] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 },
		{ SUPPRESS_NO_ROUTINE, 0 }, { 5, 9 } };
	const struct suppress_stack stack = { frames, FRAMES };
	struct suppress_subject subject = {
		.is_leak = true, .stacks = &stack, .stack_count = 1, .weight = { 1, 1, UINT64_MAX }
	};
	struct suppress_list l;
	struct error err = ERROR_INIT;

	cut_names((const char *)data, size, routines);
	suppress_list_init(&l);
	if (suppress_parse(&l, &place, (struct text){ (const char *)data, size }, &err)) {
		for (size_t i = 0; i < l.count; i++)
			check_kept(&l.items[i]);
		if (l.count)
			check_match(&l, routines, &subject);
		subject.is_leak = false;
		subject.kind = TEXT_LITERAL("InvalidRead");
		subject.what = TEXT_LITERAL("Invalid read of size 4");
		if (l.count)
			check_match(&l, routines, &subject);
	} else {
		MUST(err.message[0] && l.count == 0);
	}
	suppress_list_release(&l);
	/* Written entries match frames by name, so the unknown frame gets a name. */
	subject.is_leak = size % 2;
	subject.kind = size % 2 ? TEXT_LITERAL("possible") : TEXT_LITERAL("data race");
	subject.what = TEXT_NULL;
	{
		struct suppress_frame named[FRAMES];
		const struct suppress_stack known = { named, FRAMES };

		for (uint32_t i = 0; i < FRAMES; i++)
			/* cppcheck-suppress unreadVariable ; known contains them */
			named[i] = (struct suppress_frame){ i, 0 };
		subject.stacks = &known;
		check_written(routines, &subject);
	}
	return 0;
}
