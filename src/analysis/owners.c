/* Parses CODEOWNERS files; see analysis/owners.h. */
#include "owners_private.h"

#include "base/array.h"
#include "base/strbuf.h"

#include <stdlib.h>

struct parser {
	struct arena *arena;
	const char *file;
	size_t number; /* number of the current line, from 1 */
	struct error *err;
	struct owners_rule *rules;
	size_t count, room;
	struct text sections[OWNERS_MAX_SECTIONS]; /* names; the first section has no name */
	size_t section_count;
	uint32_t section;     /* the current section */
	struct text defaults; /* default owners of the current section */
};

/* Reports "FILE:LINE: WHAT"; returns false. */
static bool
refuse(struct parser *p, const char *what, struct text word)
{
	return error_set(p->err, ERROR_INPUT, "%s:%zu: %s%s%.*s%s", p->file, p->number, what,
		word.size ? ": \"" : "", text_precision(word, 80), word.size ? word.data : "",
		word.size ? "\"" : "");
}

/* --- owners ---------------------------------------------------------------------------------- */

/* Returns the text up to the next unescaped blank, and moves *rest past the following blanks. */
static struct text
next_word(struct text *rest)
{
	struct text word = *rest;
	size_t n = 0;

	while (n < rest->size && !char_is_blank(rest->data[n]))
		n += rest->data[n] == '\\' && n + 1 < rest->size ? 2 : 1;
	word.size = n;
	while (n < rest->size && char_is_blank(rest->data[n]))
		n++;
	*rest = text_from_at(*rest, n);
	return word;
}

/* Returns whether the word is @user, @org/team, @@role or name@example.org. Rejects escapes, because
 * owners are separated by spaces, and an escaped space would split an owner into two. */
static bool
is_owner(struct text word)
{
	const char *at = memchr(word.data, '@', word.size);

	return at && at + 1 < word.data + word.size && !memchr(word.data, '\\', word.size);
}

/* Parses the owners after a pattern or a section's name. Without owners, *owners is TEXT_NULL. */
static bool
take_owners(struct parser *p, struct text rest, struct text *owners)
{
	struct strbuf b = STRBUF_INIT(OWNERS_MAX_LINE_BYTES);
	bool ok = true;

	while (ok && rest.size && rest.data[0] != '#') {
		struct text word = next_word(&rest);

		ok = is_owner(word);
		if (!ok) {
			refuse(p, "not an owner", word);
			error_hint(p->err, "owners are @user, @org/team or an e-mail address; "
					   "write \"\\ \" for a space in a pattern");
		}
		strbuf_append_str(&b, b.size ? " " : "");
		strbuf_append_text(&b, word);
	}
	*owners = ok && b.size ? arena_text(p->arena, strbuf_text(&b)) : TEXT_NULL;
	strbuf_release(&b);
	return ok;
}

/* --- sections -------------------------------------------------------------------------------- */

/* Makes the section with this name the current section. Sections with the same name are one section. */
static bool
enter_section(struct parser *p, struct text name)
{
	size_t i = 1;

	while (i < p->section_count && !text_equal_nocase(p->sections[i], name))
		i++;
	if (i == OWNERS_MAX_SECTIONS)
		return refuse(p, "more than 999 sections", TEXT_NULL);
	if (i == p->section_count)
		p->sections[p->section_count++] = arena_text(p->arena, name);
	p->section = (uint32_t)i;
	return true;
}

/* *rest begins with a bracket. Sets *inside to the text in the brackets, and moves *rest past the closing bracket. */
static bool
take_brackets(struct text *rest, struct text *inside)
{
	const char *close = memchr(rest->data, ']', rest->size);

	if (!close)
		return false;
	*inside = (struct text){ rest->data + 1, (size_t)(close - rest->data) - 1 };
	*rest = text_from_at(*rest, inside->size + 2);
	return true;
}

/* Parses a line such as "^[Section][2] @owner". Ignores "[2]", the number of approvals. */
static bool
take_section(struct parser *p, struct text line)
{
	struct text rest = text_from_at(line, line.data[0] == '^');
	struct text name, approvals;
	bool ok = take_brackets(&rest, &name) && text_trim(name).size;

	if (ok && text_begins(rest, "["))
		ok = take_brackets(&rest, &approvals) && text_is_digits(approvals);
	if (!ok || (rest.size && !char_is_blank(rest.data[0]))) {
		refuse(p, "not a section", line);
		return error_hint(p->err,
			"a section is [NAME], ^[NAME] or [NAME][2], optionally followed by a space "
			"and default owners; write \"\\[\" for a bracket in a pattern");
	}
	return enter_section(p, text_trim(name)) && take_owners(p, text_trim(rest), &p->defaults);
}

/* --- patterns -------------------------------------------------------------------------------- */

/* Returns the offset of the first c that is not escaped, or TEXT_NOT_FOUND. */
static size_t
find_plain(struct text t, char c)
{
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == c)
			return i;
		i += t.data[i] == '\\';
	}
	return TEXT_NOT_FOUND;
}

static bool
ends_with_escape(struct text t)
{
	size_t n = 0;

	while (n < t.size && t.data[t.size - 1 - n] == '\\')
		n++;
	return n % 2;
}

static bool
check_pattern(struct parser *p, struct text pattern)
{
	if (pattern.data[0] == '!') {
		refuse(p, "a pattern that begins with \"!\"", pattern);
		return error_hint(p->err,
			"services disagree on \"!\"; instead, add a later rule without "
			"\"!\" that gives the files other owners or no owners");
	}
	if (ends_with_escape(pattern))
		return refuse(p, "a pattern that ends with a backslash", pattern);
	if (find_plain(pattern, '[') == TEXT_NOT_FOUND)
		return true;
	refuse(p, "a pattern with a range of characters", pattern);
	return error_hint(p->err, "services disagree on ranges; use ? or one rule per character; "
				  "write \"\\[\" for a bracket");
}

static bool
is_stars(struct text t)
{
	return text_equal(t, TEXT_LITERAL("**"));
}

/* Removes escapes. */
static struct text
unescaped(struct arena *a, struct text t)
{
	char *out = arena_alloc(a, t.size + 1);
	size_t n = 0;

	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == '\\' && i + 1 < t.size)
			i++;
		out[n++] = t.data[i];
	}
	return (struct text){ out, n };
}

static struct owners_part
make_part(struct arena *a, struct text name)
{
	if (is_stars(name))
		return (struct owners_part){ OWNERS_FOLDERS, TEXT_NULL };
	if (find_plain(name, '*') != TEXT_NOT_FOUND || find_plain(name, '?') != TEXT_NOT_FOUND)
		return (struct owners_part){ OWNERS_GLOB, arena_text(a, name) };
	return (struct owners_part){ OWNERS_LITERAL, unescaped(a, name) };
}

/* Splits the pattern at its slashes into `parts`, which has room for all names. Leaves out empty names and repeated **.
 * Returns the number of parts. */
static size_t
split_pattern(struct arena *a, struct text pattern, struct owners_part *parts)
{
	size_t count = 0, begin = 0;

	for (size_t i = 0; i <= pattern.size; i++) {
		struct text name = { pattern.data + begin, i - begin };

		if (i < pattern.size && pattern.data[i] != '/')
			continue;
		begin = i + 1;
		if (name.size &&
			!(is_stars(name) && count && parts[count - 1].kind == OWNERS_FOLDERS))
			parts[count++] = make_part(a, name);
	}
	return count;
}

static bool
is_star(const struct owners_part *p)
{
	return p->kind == OWNERS_GLOB && text_equal(p->text, TEXT_LITERAL("*"));
}

/* Removes ** from both ends. At the beginning, ** means only that the pattern is not anchored; at the
 * end, it means only that the pattern matches a folder. */
static void
compile(struct owners_rule *r, struct owners_part *parts, size_t count, bool slash_last)
{
	bool any_depth = parts[0].kind == OWNERS_FOLDERS;

	r->anchored = !any_depth && (r->slash_first || count > 1);
	if (any_depth) {
		parts++;
		count--;
	}
	if (count && parts[count - 1].kind == OWNERS_FOLDERS) {
		if (slash_last)
			parts[count - 1] = (struct owners_part){ OWNERS_GLOB, TEXT_LITERAL("*") };
		else
			count--;
		slash_last = true;
	}
	r->parts = parts;
	r->part_count = count;
	if (slash_last && count)
		r->tail = OWNERS_INSIDE;
	else if (count && is_star(&parts[count - 1]) && (r->anchored || count > 1))
		r->tail = OWNERS_NOTHING;
}

static bool
take_rule(struct parser *p, struct text line)
{
	struct text rest = line, pattern = next_word(&rest);
	struct owners_rule r = { .section = p->section, .slash_first = line.data[0] == '/' };
	struct owners_part *parts;
	size_t slashes = 0, count;

	if (!check_pattern(p, pattern) || !take_owners(p, rest, &r.owners))
		return false;
	if (text_is_null(r.owners))
		r.owners = p->defaults;
	for (size_t i = 0; i < pattern.size; i++)
		slashes += pattern.data[i] == '/';
	parts = arena_alloc_array(p->arena, slashes + 1, sizeof(*parts));
	count = split_pattern(p->arena, pattern, parts);
	if (!count) {
		refuse(p, "a pattern without a name", pattern);
		return error_hint(p->err, "write * for all files");
	}
	if (p->count == OWNERS_MAX_RULES)
		return refuse(p, "more than 100,000 rules", TEXT_NULL);
	compile(&r, parts, count, pattern.data[pattern.size - 1] == '/');
	*ARRAY_ADD(p->rules, p->count, p->room) = r;
	return true;
}

/* --- lines ----------------------------------------------------------------------------------- */

static bool
check_line(struct parser *p, struct text line)
{
	if (line.size > OWNERS_MAX_LINE_BYTES)
		return refuse(p, "a line of more than 8 KiB", TEXT_NULL);
	if (text_utf8_prefix(line.data, line.size) < line.size)
		return refuse(p, "a line that is not UTF-8", TEXT_NULL);
	for (size_t i = 0; i < line.size; i++)
		if (char_is_control(line.data[i]) && line.data[i] != '\t')
			return refuse(p, "a control character", TEXT_NULL);
	return true;
}

static bool
take_line(struct parser *p, struct text line)
{
	if (!line.size || line.data[0] == '#')
		return check_line(p, line);
	if (!check_line(p, line))
		return false;
	if (text_begins(line, "[") || text_begins(line, "^["))
		return take_section(p, line);
	return take_rule(p, line);
}

static bool
take_lines(struct parser *p, struct text content)
{
	while (content.size) {
		const char *lf = memchr(content.data, '\n', content.size);
		size_t n = lf ? (size_t)(lf - content.data) : content.size;

		p->number++;
		if (!take_line(p, text_trim(text_up_to(content, n))))
			return false;
		content = text_from_at(content, n + 1);
	}
	return true;
}

static struct owners *
finish(struct parser *p)
{
	struct owners *o = arena_alloc(p->arena, sizeof(*o));

	o->rules = arena_copy_array(p->arena, p->rules, p->count, sizeof(*p->rules));
	o->count = p->count;
	o->section_count = p->section_count;
	for (size_t i = 0; p->section_count > 1 && i < o->count; i++)
		o->rules[i].anchored &= o->rules[i].slash_first;
	owners_index(o, p->arena);
	return o;
}

struct owners *
owners_parse(struct arena *a, const char *file, struct text content, struct error *err)
{
	struct parser *p = xcalloc(1, sizeof(*p));
	struct owners *o = NULL;

	*p = (struct parser){ .arena = a, .file = file, .err = err, .section_count = 1 };
	if (content.size > OWNERS_MAX_FILE_BYTES)
		error_set(err, ERROR_INPUT, "%s: more than 3 MiB", file);
	else if (take_lines(p,
			 text_begins(content, "\xEF\xBB\xBF") ? text_from_at(content, 3) : content))
		o = finish(p);
	free(p->rules);
	free(p);
	return o;
}

size_t
owners_count(const struct owners *o)
{
	return o->count;
}
