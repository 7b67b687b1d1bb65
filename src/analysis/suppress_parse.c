/* Parses suppressions in both syntaxes, entry by entry; see analysis/suppress.h. */
#include "suppress_private.h"

#include "base/array.h"

#include <stdlib.h>

struct parser {
	struct suppress_list *list;
	const struct suppress_place *place;
	const char *at, *end;
	size_t number; /* number of the last line read, from 1 */
	struct error *err;
};

/* An entry in valgrind's syntax while its lines are being read. */
struct entry {
	struct suppression s;
	struct strbuf body;
	struct suppress_pattern patterns[SUPPRESS_MAX_FRAMES];
	size_t count;
};

static const char *const origins[] = { "file", "depot", "result set", "standard" };

const char *
suppress_origin_name(enum suppress_origin origin)
{
	return origins[origin];
}

void
suppress_list_init(struct suppress_list *l)
{
	*l = (struct suppress_list){ .arena = ARENA_INIT };
}

void
suppress_list_release(struct suppress_list *l)
{
	arena_release(&l->arena);
	free(l->items);
	suppress_list_init(l);
}

bool
suppress_asks_lines(const struct suppress_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		for (size_t k = 0; k < l->items[i].pattern_count; k++)
			if (l->items[i].patterns[k].line)
				return true;
	return false;
}

/* Reports "FILE:LINE: WHAT"; returns false. */
static bool
refuse(struct parser *p, const char *what, struct text word)
{
	error_set(p->err, ERROR_INPUT, "%s:%zu: %s%s%.*s%s", p->place->file,
		p->place->line + p->number, what, word.size ? ": \"" : "", text_precision(word, 80),
		word.size ? word.data : "", word.size ? "\"" : "");
	return false;
}

/* Skips blank lines and comments, and sets *line to the next line, without the blanks at both ends of the line. Returns
 * false at the end of the text. */
static bool
next_line(struct parser *p, struct text *line)
{
	while (p->at < p->end) {
		const char *lf = memchr(p->at, '\n', (size_t)(p->end - p->at));
		const char *stop = lf ? lf : p->end;

		*line = text_trim((struct text){ p->at, (size_t)(stop - p->at) });
		p->at = lf ? lf + 1 : p->end;
		p->number++;
		if (line->size && line->data[0] != '#')
			return true;
	}
	return false;
}

static bool
starts(struct text t, const char *prefix, struct text *rest)
{
	if (!text_begins(t, prefix))
		return false;
	*rest = text_from_at(t, strlen(prefix));
	return true;
}

static bool
add(struct parser *p, struct suppression *s)
{
	struct suppress_list *l = p->list;

	if (l->count == SUPPRESS_MAX_ENTRIES)
		return refuse(p, "more than 100,000 suppressions", TEXT_NULL);
	s->place.file = p->place->file;
	if (!text_is_null(p->place->name))
		s->name = arena_text(&l->arena, p->place->name);
	*ARRAY_ADD(l->items, l->count, l->capacity) = *s;
	return true;
}

/* --- valgrind -------------------------------------------------------------------------------- */

static bool
next_of_entry(struct parser *p, struct text *line, const char *missing)
{
	if (!next_line(p, line))
		return refuse(p, missing, TEXT_NULL);
	if (line->size > SUPPRESS_MAX_LINE_BYTES)
		return refuse(p, "a line of more than 16 KiB", TEXT_NULL);
	return true;
}

static void
append_body(struct entry *e, struct text line)
{
	strbuf_append_str(&e->body, "   ");
	strbuf_append_text(&e->body, line);
	strbuf_append_char(&e->body, '\n');
}

/* "Memcheck,Addrcheck:Leak" */
static bool
take_kind(struct parser *p, struct entry *e, struct text line)
{
	const char *colon = memchr(line.data, ':', line.size);
	size_t before = colon ? (size_t)(colon - line.data) : 0;
	const char *kinds;
	struct text word;

	if (!before || before + 1 == line.size) {
		refuse(p, "no TOOL:KIND after the suppression's name", line);
		return error_hint(p->err, "the first line in the braces is the name, and "
					  "the second is the kind, such as Memcheck:Leak");
	}
	word = (struct text){ colon + 1, line.size - before - 1 };
	if (!kind_known((struct text){ line.data, before }, word, &kinds)) {
		refuse(p, "not a kind of error or leak", line);
		return error_hint(p->err, "that tool's kinds are %s", kinds);
	}
	e->s.kind = arena_text(&p->list->arena, line);
	e->s.of = kind_find(SUPPRESS_VALGRIND, word, &e->s.size);
	append_body(e, line);
	return true;
}

static bool
take_leak_kinds(struct parser *p, struct entry *e, struct text list)
{
	struct text word;

	e->s.leak_kinds = 0;
	while (suppress_next_word(&list, &word)) {
		unsigned bits = kind_leak_bits(word);

		if (text_equal(word, TEXT_LITERAL("none")))
			continue;
		if (bits == LEAK_ALL && !text_equal(word, TEXT_LITERAL("all"))) {
			refuse(p, "match-leak-kinds without a kind of leak", word);
			return error_hint(p->err, "definite, indirect, possible, reachable, all");
		}
		e->s.leak_kinds |= bits;
	}
	return true;
}

/* Parses src:FILE, src:FILE:LINE or src:FILE:*. */
static void
part_line(struct suppress_pattern *f)
{
	size_t n = f->glob.size;
	int64_t v = 0;

	if (n > 2 && memcmp(f->glob.data + n - 2, ":*", 2) == 0) {
		f->glob.size = n - 2;
		return;
	}
	while (n && char_is_digit(f->glob.data[n - 1]))
		n--;
	if (n < 2 || n == f->glob.size || f->glob.size - n > 9 || f->glob.data[n - 1] != ':')
		return;
	for (size_t i = n; i < f->glob.size; i++)
		v = v * 10 + (f->glob.data[i] - '0');
	f->glob.size = n - 1;
	f->line = v;
}

/* Parses a frame. *is_frame is set to false if the line is not a frame. */
static bool
take_frame(struct parser *p, struct entry *e, struct text line, bool *is_frame)
{
	struct suppress_pattern f = { .question = true };
	struct text rest;

	*is_frame = true;
	if (text_equal(line, TEXT_LITERAL("...")))
		f.part = PATTERN_MORE;
	else if (starts(line, "fun:", &rest))
		f.part = PATTERN_FUNCTION;
	else if (starts(line, "obj:", &rest))
		f.part = PATTERN_MODULE;
	else if (starts(line, "src:", &rest))
		f.part = PATTERN_FILE;
	else
		*is_frame = false;
	if (!*is_frame)
		return true;
	if (e->count == SUPPRESS_MAX_FRAMES)
		return refuse(p, "a suppression of more than 512 frames", TEXT_NULL);
	if (f.part != PATTERN_MORE) {
		rest = text_trim(rest);
		if (!rest.size)
			return refuse(p, "nothing after the colon", line);
		f.glob = arena_text(&p->list->arena, rest);
		if (f.part == PATTERN_FILE)
			part_line(&f);
		pattern_compile(&f);
	}
	e->patterns[e->count++] = f;
	append_body(e, line);
	return true;
}

/* Parses a line between the kind and the frames. */
static bool
take_extra(struct parser *p, struct entry *e, struct text line)
{
	struct text rest;
	bool leak_kinds = starts(line, "match-leak-kinds:", &rest);

	if (e->count || !text_is_null(e->s.extra) ||
		(!leak_kinds && (!e->s.of || !e->s.of->extra))) {
		refuse(p, "neither a frame nor \"}\"", line);
		return error_hint(p->err, "frames are fun:, obj:, src: and ...");
	}
	append_body(e, line);
	if (leak_kinds)
		return take_leak_kinds(p, e, rest);
	e->s.extra = arena_text(&p->list->arena, line);
	return true;
}

static bool
only_more(const struct entry *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->patterns[i].part != PATTERN_MORE)
			return false;
	return true;
}

static bool
take_lines(struct parser *p, struct entry *e)
{
	static const char open[] = "\"{\" without \"}\" before the end";
	struct text line;
	bool is_frame;

	if (!next_of_entry(p, &line, open))
		return false;
	if (text_equal(line, TEXT_LITERAL("}")))
		return refuse(p, "a suppression without a name", TEXT_NULL);
	e->s.name = arena_text(&p->list->arena, line);
	append_body(e, line);
	if (!next_of_entry(p, &line, open) || !take_kind(p, e, line))
		return false;
	for (;;) {
		if (!next_of_entry(p, &line, open))
			return false;
		if (text_equal(line, TEXT_LITERAL("}")))
			break;
		if (text_equal(line, TEXT_LITERAL("{")))
			return refuse(p, "\"{\" inside a suppression", TEXT_NULL);
		if (!take_frame(p, e, line, &is_frame) || (!is_frame && !take_extra(p, e, line)))
			return false;
	}
	if (only_more(e)) {
		refuse(p, "a suppression needs a frame besides \"...\"", e->s.name);
		return error_hint(p->err, "such as fun:NAME or obj:*/libNAME.so*");
	}
	return true;
}

static bool
take_valgrind(struct parser *p)
{
	struct entry *e = xcalloc(1, sizeof(*e));
	struct arena *a = &p->list->arena;
	bool ok;

	e->s = (struct suppression){
		.place = *p->place, .syntax = SUPPRESS_VALGRIND, .leak_kinds = LEAK_ALL
	};
	e->s.place.line = p->place->line + p->number;
	strbuf_init(&e->body, SUPPRESS_MAX_FILE_BYTES);
	strbuf_append_str(&e->body, "{\n");
	ok = take_lines(p, e);
	if (ok) {
		strbuf_append_str(&e->body, "}");
		e->s.patterns = arena_copy_array(a, e->patterns, e->count, sizeof(e->patterns[0]));
		e->s.pattern_count = e->count;
		e->s.body = arena_text(a, strbuf_text(&e->body));
		ok = add(p, &e->s);
	}
	strbuf_release(&e->body);
	free(e);
	return ok;
}

/* --- sanitizers ------------------------------------------------------------------------------ */

/* Turns "^foo*bar" into "foo*bar*", a glob that must match the whole text. */
static struct text
whole_glob(struct arena *a, struct text t)
{
	bool from_start = t.size && t.data[0] == '^';
	bool to_end = t.size > (size_t)from_start && t.data[t.size - 1] == '$';

	t.data += from_start;
	t.size -= (size_t)from_start + to_end;
	return text_from(arena_printf(
		a, "%s%.*s%s", from_start ? "" : "*", (int)t.size, t.data, to_end ? "" : "*"));
}

static bool
take_sanitizer(struct parser *p, struct text line)
{
	struct suppression s = {
		.place = *p->place, .syntax = SUPPRESS_SANITIZER, .leak_kinds = LEAK_ALL
	};
	struct suppress_pattern *f;
	struct arena *a = &p->list->arena;
	const char *colon = memchr(line.data, ':', line.size);
	struct text word = { line.data, colon ? (size_t)(colon - line.data) : 0 };

	if (line.size > SUPPRESS_MAX_LINE_BYTES)
		return refuse(p, "a line of more than 16 KiB", TEXT_NULL);
	s.of = kind_find(SUPPRESS_SANITIZER, word, &s.size);
	if (!colon || !s.of) {
		refuse(p, "no suppression", line);
		return error_hint(p->err, "write valgrind's { NAME TOOL:KIND FRAMES } or the "
					  "sanitizers' TYPE:PATTERN, such as leak:NAME");
	}
	if (word.size + 1 == line.size)
		return refuse(p, "nothing after the colon", line);
	f = arena_alloc(a, sizeof(*f));
	*f = (struct suppress_pattern){ .part = s.of->part };
	f->glob = whole_glob(a, (struct text){ colon + 1, line.size - word.size - 1 });
	pattern_compile(f);
	s.place.line = p->place->line + p->number;
	s.kind = arena_text(a, word);
	s.body = arena_text(a, line);
	s.name = s.body;
	s.patterns = f;
	s.pattern_count = 1;
	return add(p, &s);
}

/* --- a text ---------------------------------------------------------------------------------- */

static bool
is_text(struct parser *p)
{
	size_t size = (size_t)(p->end - p->at);
	size_t good = text_utf8_prefix(p->at, size);
	const char *nul = memchr(p->at, 0, size);

	if (size > SUPPRESS_MAX_FILE_BYTES)
		return error_set(p->err, ERROR_LIMIT, "%s: more than 16 MiB of suppressions",
			p->place->file);
	if (nul && (size_t)(nul - p->at) < good)
		good = (size_t)(nul - p->at);
	if (good == size)
		return true;
	for (size_t i = 0; i < good; i++)
		p->number += p->at[i] == '\n';
	p->number++;
	return refuse(p, "bytes that are not text", TEXT_NULL);
}

bool
suppress_parse(struct suppress_list *l, const struct suppress_place *place, struct text text,
	struct error *err)
{
	struct suppress_place kept = *place;
	struct parser p = { l, &kept, text.data, text.data + text.size, 0, err };
	size_t before = l->count;
	struct text line;
	bool ok;

	if (text_is_empty(text))
		return true;
	kept.file = arena_strdup(&l->arena, place->file ? place->file : "suppressions");
	ok = is_text(&p);
	if (ok && text_begins(text, "\xef\xbb\xbf"))
		p.at += 3;
	while (ok && next_line(&p, &line))
		ok = text_equal(line, TEXT_LITERAL("{")) ? take_valgrind(&p)
							 : take_sanitizer(&p, line);
	if (!ok)
		l->count = before;
	return ok;
}
