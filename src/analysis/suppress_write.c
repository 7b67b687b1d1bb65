/* Writes suppressions that hide a subject; see analysis/suppress.h for the syntaxes. */
#include "suppress_private.h"

#include <stdio.h>

enum {
	NAME_MAX_BYTES = 4000 /* bytes per name; the rest of a longer name becomes one * */
};

/* Appends the text. Each control character becomes *, and so does a blank at the beginning or at
 * the end. */
static void
append_plain(struct strbuf *out, struct text t)
{
	size_t n = t.size > NAME_MAX_BYTES ? (size_t)text_precision(t, NAME_MAX_BYTES) : t.size;

	for (size_t i = 0; i < n; i++) {
		bool outer = i == 0 || i + 1 == n;

		if ((unsigned char)t.data[i] < ' ' || (outer && t.data[i] == ' '))
			strbuf_append_char(out, '*');
		else
			strbuf_append_char(out, t.data[i]);
	}
	if (n < t.size)
		strbuf_append_char(out, '*');
}

/* Writes one frame. Returns false if the frame has neither a function nor a module. */
static bool
write_frame(struct strbuf *out, const struct suppress_routine *r)
{
	bool written = true;

	strbuf_append_str(out, "   ");
	if (frame_has_function(r) && r->symbol.size) {
		strbuf_append_str(out, "fun:");
		append_plain(out, r->symbol);
	} else if (frame_has_function(r)) {
		size_t before = out->size;

		strbuf_append_str(out, "fun:");
		if (interceptor_target(r->name).size) {
			append_plain(out, interceptor_target(r->name));
		} else if (r->name.size > NAME_MAX_BYTES || !mangled_guess(out, r->name)) {
			out->size = before;
			strbuf_append_str(out, "fun:");
			append_plain(out, r->name);
		}
	} else if (r->module.size) {
		strbuf_append_str(out, "obj:");
		append_plain(out, r->module);
	} else {
		strbuf_append_str(out, "obj:*");
		written = false;
	}
	strbuf_append_char(out, '\n');
	return written;
}

static enum suppress_outcome
write_valgrind(struct strbuf *out, const char *name, const struct suppress_subject *s,
	const struct suppress_routine *frames, size_t count)
{
	char kind[128], extra[1024];
	bool written = false;

	kind_write_valgrind(s, kind, extra);
	strbuf_append_str(out, "{\n   ");
	append_plain(out, text_from(name));
	strbuf_printf(out, "\n   %s\n", kind);
	if (*extra)
		strbuf_printf(out, "   %s\n", extra);
	for (size_t i = 0; i < count && i < SUPPRESS_WRITTEN_FRAMES; i++) {
		written |= write_frame(out, &frames[i]);
		/* valgrind stacks end with main; other stacks also contain the callers of main. */
		if (text_equal(frames[i].name, TEXT_LITERAL("main")))
			break;
	}
	strbuf_append_str(out, "}\n");
	return written ? SUPPRESS_WRITTEN : SUPPRESS_NAMELESS;
}

static void
write_pattern(struct strbuf *out, const char *kind, const struct suppress_routine *r)
{
	/* Sanitizers compare patterns with demangled names. */
	struct text name = r->name.size ? r->name : r->symbol;

	strbuf_printf(out, "%s:", kind);
	if (frame_has_function(r)) {
		strbuf_append_char(out, '^');
		append_plain(out, name);
		strbuf_append_char(out, '$');
	} else {
		append_plain(out, r->module);
	}
	strbuf_append_char(out, '\n');
}

static enum suppress_outcome
write_sanitizer(struct strbuf *out, const char *name, const struct suppress_subject *s,
	const struct suppress_routine *frames, size_t count)
{
	char kind[128];
	bool too_much = false;
	const struct kind_row *row =
		kind_write_sanitizer(s, count && frame_is_intercepted(frames), kind);
	const struct suppress_routine *r;

	if (!row) {
		strbuf_append_str(out, "# ");
		append_plain(out, s->kind.size ? s->kind : TEXT_LITERAL("error"));
		strbuf_append_str(out, ", ");
		append_plain(out, text_from(name));
		strbuf_append_str(out, ": the sanitizers have no suppression of this kind\n");
		return SUPPRESS_COMMENTED;
	}
	r = frame_best(frames, count, row->scope == SCOPE_TOP, &too_much);
	if (!r)
		return SUPPRESS_NAMELESS;
	if (too_much)
		strbuf_printf(out,
			"# This stack has only allocators and the start of a program or thread. "
			"The entry is\n# commented out, because it would hide every such %s:\n# ",
			s->is_leak ? "leak" : "error");
	write_pattern(out, kind, r);
	return too_much ? SUPPRESS_COMMENTED : SUPPRESS_WRITTEN;
}

enum suppress_outcome
suppress_write(struct strbuf *out, enum suppress_syntax syntax, const char *name,
	const struct suppress_subject *s, const struct suppress_routine *frames, size_t count)
{
	size_t before = out->size;
	enum suppress_outcome outcome = syntax == SUPPRESS_VALGRIND
						? write_valgrind(out, name, s, frames, count)
						: write_sanitizer(out, name, s, frames, count);

	if (outcome != SUPPRESS_NAMELESS && !out->failed)
		return outcome;
	out->size = before;
	if (out->data)
		out->data[before] = '\0';
	return SUPPRESS_NAMELESS;
}
