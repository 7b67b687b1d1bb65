/*
 * Fuzzes CODEOWNERS files and paths. The first line of the input is a path, the rest is a file. The
 * path is also looked up in each rule separately. The look-up in the whole file must give the same
 * answer as the last rule that matches. This shows that the index of the rules hides no rule.
 */
#include "analysis/owners.h"
#include "base/strbuf.h"
#include "must.h"

#include <stddef.h>

enum {
	MAX_RULES = 64
};

static struct owners *
parse(struct arena *a, struct text file)
{
	struct error err = ERROR_INIT;
	struct owners *o = owners_parse(a, "fuzz", file, &err);

	MUST(o || err.message[0]);
	return o;
}

/* An answer consists of words with one space between them. */
static void
check_answer(struct text t)
{
	MUST(text_is_null(t) || (t.size && memchr(t.data, '@', t.size)));
	for (size_t i = 0; i < t.size; i++)
		MUST(t.data[i] != ' ' || (i && i + 1 < t.size && t.data[i + 1] != ' '));
}

/* Looks up the path. A second look-up must give the same answer. */
static struct text
ask(const struct owners *o, struct arena *a, struct text path)
{
	struct text first = owners_of(o, a, path);

	check_answer(first);
	MUST(text_equal(owners_of(o, a, path), first));
	return first;
}

/* Tries each line separately, and checks that the last line that matches decides the answer.
 * Skips files with sections. The path must start at the repository's root. */
static void
check_last(struct arena *a, struct text path, struct text file, struct text answer)
{
	struct text last = TEXT_NULL;
	size_t rules = 0;

	while (file.size) {
		const char *lf = memchr(file.data, '\n', file.size);
		size_t n = lf ? (size_t)(lf - file.data) : file.size;
		struct text line = text_trim(text_up_to(file, n));
		struct owners *o;

		if (++rules > MAX_RULES || text_begins(line, "[") || text_begins(line, "^["))
			return;
		/* A marker rule precedes the line. If the line does not match, the marker rule's owner is the answer. */
		o = parse(
			a, text_from(arena_printf(a, "** @fuzz/none\n%.*s\n", (int)n, file.data)));
		MUST(o);
		if (owners_count(o) == 2 &&
			!text_equal(ask(o, a, path), TEXT_LITERAL("@fuzz/none")))
			last = ask(o, a, path);
		file = text_from_at(file, n + 1);
	}
	MUST(text_equal(last, answer));
}

/* Puts two folders before the path and uses only slashes. The result starts at the repository's
 * root. */
static struct text
from_root(struct arena *a, struct text path)
{
	char *t = arena_strndup(a, path.data, path.size);

	for (char *c = t; *c; c++)
		if (*c == '\\' || *c == ':')
			*c = '/';
	return text_from(arena_printf(a, "src/x/%s", t));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text input = { (const char *)data, size };
	const char *lf = size ? memchr(data, '\n', size) : NULL;
	struct text path = text_up_to(input, lf ? (size_t)(lf - input.data) : size);
	struct text file = text_from_at(input, path.size + 1);
	struct arena a = ARENA_INIT;
	struct owners *o = parse(&a, file);
	struct text rooted = from_root(&a, path);

	if (o) {
		ask(o, &a, path);
		ask(o, &a, text_from(arena_printf(&a, "/home/ci/%s", rooted.data)));
		/* check_last recognises its marker rule by an owner that must not be in the file. */
		if (text_find(rooted, "..") == TEXT_NOT_FOUND &&
			!text_begins(file, "\xEF\xBB\xBF") &&
			text_find(file, "@fuzz/none") == TEXT_NOT_FOUND)
			check_last(&a, rooted, file, ask(o, &a, rooted));
	}
	arena_release(&a);
	return 0;
}
