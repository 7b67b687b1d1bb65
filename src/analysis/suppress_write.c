/* Suppressions as text that can be pasted: what a subject would be hidden by. */
#include "suppress_private.h"

#include <stdio.h>

enum {
	NAME_MAX_BYTES = 4000 /* of one frame; the rest becomes * */
};

/* What a reader calls a frame without function. */
static bool
is_address(struct text name)
{
	if (name.size < 3 || memcmp(name.data, "0x", 2) != 0)
		return false;
	for (size_t i = 2; i < name.size; i++) {
		char c = name.data[i];

		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
			return false;
	}
	return true;
}

static bool
has_function(const struct suppress_routine *r)
{
	struct text name = r->symbol.size ? r->symbol : r->name;

	return name.size && name.data[0] != '?' && !is_address(name);
}

/* Without what would end the line, or be taken from its ends. */
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

/* One frame; false when it tells nothing. */
static bool
write_frame(struct strbuf *out, const struct suppress_routine *r)
{
	bool tells = true;

	strbuf_append_str(out, "   ");
	if (has_function(r) && r->symbol.size) {
		strbuf_append_str(out, "fun:");
		append_plain(out, r->symbol);
	} else if (has_function(r)) {
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
		tells = false;
	}
	strbuf_append_char(out, '\n');
	return tells;
}

static bool
write_valgrind(struct strbuf *out, const char *name, const struct suppress_subject *s,
	const struct suppress_routine *frames, size_t count)
{
	char kind[128], extra[1024];
	bool tells = false;

	kind_write_valgrind(s, kind, extra);
	strbuf_append_str(out, "{\n   ");
	append_plain(out, text_from(name));
	strbuf_printf(out, "\n   %s\n", kind);
	if (*extra)
		strbuf_printf(out, "   %s\n", extra);
	for (size_t i = 0; i < count && i < SUPPRESS_WRITTEN_FRAMES; i++)
		tells |= write_frame(out, &frames[i]);
	strbuf_append_str(out, "}\n");
	return tells;
}

/* What stands innermost in every leak or error of its kind and says nothing of it. */
static bool
is_everywhere(struct text name)
{
	static const char *const globs[] = { "malloc", "calloc", "realloc", "reallocarray",
		"memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "operator new*",
		"_Znw*", "_Zna*", "*interceptor_*", "strdup", "strndup", "pthread_*" };

	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++)
		if (text_glob(name, globs[i]))
			return true;
	return false;
}

static const struct suppress_routine *
telling_frame(const struct kind_row *row, const struct suppress_routine *frames, size_t count)
{
	const struct suppress_routine *module = NULL;

	if (row->scope == SCOPE_TOP)
		return count && (has_function(frames) || frames->module.size) ? frames : NULL;
	for (size_t i = 0; i < count; i++) {
		const struct suppress_routine *r = &frames[i];
		struct text name = r->symbol.size ? r->symbol : r->name;

		if (has_function(r) && row->part != PATTERN_MODULE && !is_everywhere(name) &&
			!is_everywhere(r->name))
			return r;
		if (!module && r->module.size)
			module = r;
	}
	return module;
}

static bool
write_sanitizer(struct strbuf *out, const struct suppress_subject *s,
	const struct suppress_routine *frames, size_t count)
{
	char kind[128];
	const struct kind_row *row = kind_write_sanitizer(s, kind);
	const struct suppress_routine *r = row ? telling_frame(row, frames, count) : NULL;
	struct text name;

	if (!r)
		return false;
	/* Sanitizers hold patterns against the names that people read. */
	name = r->name.size ? r->name : r->symbol;
	strbuf_printf(out, "%s:", kind);
	if (has_function(r) && row->part != PATTERN_MODULE &&
		(!is_everywhere(name) || !r->module.size)) {
		strbuf_append_char(out, '^');
		append_plain(out, name);
		strbuf_append_char(out, '$');
	} else {
		append_plain(out, r->module);
	}
	strbuf_append_char(out, '\n');
	return true;
}

bool
suppress_write(struct strbuf *out, enum suppress_syntax syntax, const char *name,
	const struct suppress_subject *s, const struct suppress_routine *frames, size_t count)
{
	size_t before = out->size;
	bool ok = syntax == SUPPRESS_VALGRIND ? write_valgrind(out, name, s, frames, count)
					      : write_sanitizer(out, s, frames, count);

	if (ok && !out->failed)
		return true;
	out->size = before;
	if (out->data)
		out->data[before] = '\0';
	return false;
}
