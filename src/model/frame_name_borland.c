/* Borland's decorated names, such as @Unit@TClass@Routine$qqrv. */
#include "frame_name_private.h"

static const struct {
	const char *code, *name;
} operators[] = {
	{ "ctr", "Create" },
	{ "dtr", "Destroy" },
	{ "add", "operator+" },
	{ "sub", "operator-" },
	{ "mul", "operator*" },
	{ "div", "operator/" },
	{ "mod", "operator%" },
	{ "asg", "operator=" },
	{ "eql", "operator==" },
	{ "neq", "operator!=" },
	{ "lss", "operator<" },
	{ "gtr", "operator>" },
	{ "leq", "operator<=" },
	{ "geq", "operator>=" },
	{ "and", "operator&" },
	{ "or", "operator|" },
	{ "xor", "operator^" },
	{ "land", "operator&&" },
	{ "lor", "operator||" },
	{ "not", "operator!" },
	{ "cmp", "operator~" },
	{ "lsh", "operator<<" },
	{ "rsh", "operator>>" },
	{ "inc", "operator++" },
	{ "dec", "operator--" },
	{ "new", "operator new" },
	{ "nwa", "operator new[]" },
	{ "dele", "operator delete" },
	{ "dla", "operator delete[]" },
	{ "call", "operator()" },
	{ "subs", "operator[]" },
	{ "arow", "operator->" },
};

/* Length of the name before its parameters. The parameters begin with $q, or with $xq and $wq for
 * const and volatile methods. The same characters within a template's arguments do not end the
 * name. */
static size_t
name_end(struct text t, bool *method)
{
	for (size_t i = 0; i < t.size; i++) {
		size_t q = i + 1;

		if (t.data[i] == '%') {
			const char *close = memchr(t.data + i + 1, '%', t.size - i - 1);

			if (!close)
				break;
			i = (size_t)(close - t.data);
			continue;
		}
		if (t.data[i] != '$')
			continue;
		while (q < t.size && (t.data[q] == 'x' || t.data[q] == 'w'))
			q++;
		if (q < t.size && t.data[q] == 'q') {
			*method = i && q > i + 1;
			return i ? i : t.size;
		}
	}
	return t.size;
}

static bool
has_calling_convention(struct text t)
{
	for (size_t i = 0; i + 4 <= t.size; i++) {
		size_t q = i + 1;

		if (t.data[i] != '$')
			continue;
		while (q < t.size && (t.data[q] == 'x' || t.data[q] == 'w'))
			q++;
		if (name_has(t, q, "qqr") || name_has(t, q, "qqs"))
			return true;
	}
	return false;
}

/* Appends the operator whose code, such as $badd, begins at `at`. An unknown code is appended
 * unchanged. */
static void
append_last(struct strbuf *out, struct text t, size_t at)
{
	struct text code = { t.data + at + 2, t.size - at - 2 };

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (text_equal(code, text_from(operators[i].code))) {
			strbuf_append_str(out, operators[i].name);
			return;
		}
	}
	strbuf_append(out, t.data + at, t.size - at);
}

/* The position of a code such as $badd at the end of the name; t.size if there is none. */
static size_t
operator_at(struct text t)
{
	size_t at = t.size;

	while (at && char_is_letter(t.data[at - 1]))
		at--;
	if (!at || t.data[at - 1] != '$' || !name_has(t, at, "b"))
		return t.size;
	at--;
	return !at || t.data[at - 1] == '@' || t.data[at - 1] == '.' ? at : t.size;
}

/* Writes @ as a dot, but keeps the @ of the compiler's own names, such as @GetMem. Writes
 * %Name$Args% as Name<Args>. */
static void
append_parts(struct strbuf *out, struct text t)
{
	bool in_template = false;
	bool in_arguments = false;

	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (c == '%' && (in_template || memchr(t.data + i + 1, '%', t.size - i - 1))) {
			if (in_template && in_arguments)
				strbuf_append_char(out, '>');
			in_template = !in_template;
			in_arguments = false;
		} else if (c == '$' && in_template && !in_arguments) {
			strbuf_append_char(out, '<');
			in_arguments = true;
		} else if (c == '@' && i && (char_is_word(t.data[i - 1]) || t.data[i - 1] == '%')) {
			strbuf_append_char(out, '.');
		} else {
			strbuf_append_char(out, c);
		}
	}
}

bool
name_undo_borland(struct strbuf *out, struct text t, bool unit_known, bool *method)
{
	bool at_first = t.size && t.data[0] == '@';
	size_t end;

	*method = false;
	if (!at_first && !has_calling_convention(t) && !unit_known)
		return false;
	end = name_end(t, method);
	if (!at_first && end == t.size)
		return false;
	t.size = end;
	if (at_first && t.size > 1 && (!unit_known || memchr(t.data + 1, '@', t.size - 1)))
		t = (struct text){ t.data + 1, t.size - 1 };
	end = operator_at(t);
	append_parts(out, (struct text){ t.data, end });
	if (end < t.size)
		append_last(out, t, end);
	return true;
}
