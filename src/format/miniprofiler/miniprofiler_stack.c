/*
 * The routines that spans belong to, and the stacks in snippets.
 *
 * Formats: "A > B > C" (outermost first); "C B A", or one routine per line (innermost first).
 */
#include "miniprofiler_private.h"

#include "format/common/text_scan.h"

enum {
	NAME_MAX_BYTES = 2000, /* limited because routine names are shown and indexed */
	FRAMES_MAX = 4096
};

static struct text
cut(struct text t, size_t max)
{
	if (t.size > max)
		t.size = (size_t)text_precision(t, max);
	return t;
}

bool
mini_emit_routine(struct mini_reader *m, const char *code, struct text name, int64_t *rec_id)
{
	const struct frame f = { .code_type = text_from(code),
		.function = cut(name, NAME_MAX_BYTES) };
	struct frame_numbers numbers;

	if (!frame_intern(m->frames, &f, &numbers, m->in->err))
		return false;
	*rec_id = numbers.routine;
	return true;
}

/* Parses a place such as "server.js:15:56" or "app.rb:32". */
static bool
take_location(struct text t, struct frame *f)
{
	int64_t column;

	if (!scan_last_place(&t, &f->line, &column))
		return false;
	f->file = t;
	return true;
}

/* Parses a place, a name, or both, as in Ruby's "app.rb:32:in `block in <main>'". */
static void
parse_frame(struct text t, struct frame *f)
{
	*f = (struct frame){ .function = t, .code_type = TEXT_LITERAL("frame") };
	for (size_t i = 0; i + 5 < t.size; i++) {
		if (memcmp(t.data + i, ":in ", 4) != 0 ||
			(t.data[i + 4] != '`' && t.data[i + 4] != '\''))
			continue;
		if (!take_location(text_up_to(t, i), f))
			return;
		f->function = (struct text){ t.data + i + 5, t.size - i - 5 };
		if (f->function.data[f->function.size - 1] == '\'')
			f->function.size--;
		return;
	}
	if (take_location(t, f))
		f->function = TEXT_LITERAL("(anonymous)");
}

/* Removes the text before the first separator from *rest, and returns it. If there is no separator,
 * removes and returns the whole text. */
static struct text
take_part(struct text *rest, const char *separator)
{
	struct text whole = *rest;
	size_t at = text_find(whole, separator);

	*rest = at == TEXT_NOT_FOUND ? text_from_at(whole, whole.size)
				     : text_from_at(whole, at + strlen(separator));
	return text_up_to(whole, at);
}

bool
mini_emit_stack(struct mini_reader *m, struct text snippet, uint64_t offset, stack_number *number)
{
	bool lines = text_find(snippet, "\n") != TEXT_NOT_FOUND;
	bool outwards = !lines && text_find(snippet, " > ") != TEXT_NOT_FOUND;
	const char *separator = lines ? "\n" : outwards ? " > " : " ";
	struct text rest = snippet;

	*number = 0;
	stack_begin(m->frames);
	while (rest.size) {
		struct text part = text_trim(take_part(&rest, separator));
		struct frame f;

		if (!part.size)
			continue;
		if (stack_depth(m->frames) == FRAMES_MAX)
			return reader_issue_at(m->in, ISSUE_STACK_CUT, offset,
				"stack left out: the snippet has more than %d frames",
				(int)FRAMES_MAX);
		parse_frame(part, &f);
		f.function = cut(f.function, NAME_MAX_BYTES);
		f.file = cut(f.file, NAME_MAX_BYTES);
		if (!stack_push(m->frames, &f, m->in->err))
			return false;
	}
	return stack_end(m->frames, outwards, number, NULL, m->in->err);
}
