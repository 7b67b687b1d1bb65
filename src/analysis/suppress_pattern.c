/* Suppression patterns and the mangled names in them (Itanium C++ ABI). */
#include "suppress_private.h"

struct text
interceptor_target(struct text name)
{
	static const char *const prefixes[] = { "__interceptor_trampoline_", "___interceptor_",
		"__interceptor_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (text_begins(name, prefixes[i]) && name.size > strlen(prefixes[i]))
			return text_from_at(name, strlen(prefixes[i]));
	}
	return TEXT_NULL;
}

static bool
is_wildcard(const struct suppress_pattern *p, char c)
{
	return c == '*' || (p->question && c == '?');
}

void
pattern_compile(struct suppress_pattern *p)
{
	struct text best = { p->glob.data, 0 };
	size_t start = 0;

	p->exact = true;
	for (size_t i = 0; i <= p->glob.size; i++) {
		bool ends = i == p->glob.size;

		if (!ends && !is_wildcard(p, p->glob.data[i]))
			continue;
		if (i - start > best.size)
			best = (struct text){ p->glob.data + start, i - start };
		start = i + 1;
		if (!ends)
			p->exact = false;
	}
	p->literal = best;
}

bool
pattern_glob(const struct suppress_pattern *p, struct text t)
{
	const char *g = p->glob.data;
	size_t gn = p->glob.size;
	size_t gi = 0, ti = 0;
	size_t star = SIZE_MAX, from = 0; /* indexes of the last * and of the end of its match */

	if (p->exact)
		return text_is_null(t) ? !gn : text_equal(p->glob, t);
	if (p->literal.size && text_find_text(t, p->literal) == TEXT_NOT_FOUND)
		return false;
	while (ti < t.size) {
		if (gi < gn && g[gi] == '*') {
			star = gi++;
			from = ti;
		} else if (gi < gn && (g[gi] == t.data[ti] || (p->question && g[gi] == '?'))) {
			gi++;
			ti++;
		} else if (star != SIZE_MAX) {
			gi = star + 1;
			ti = ++from;
		} else {
			return false;
		}
	}
	while (gi < gn && g[gi] == '*')
		gi++;
	return gi == gn;
}

/* --- mangled names ----------------------------------------------------------------------------
 * Parses the part of the Itanium C++ ABI's mangling (section 5.1) that suppression patterns use. All
 * other parts of a mangled name become *, so that the glob matches at least the intended names.
 */

struct mangled {
	struct text t;
	size_t at;
	struct strbuf *out;
	struct text last; /* the previous name; a constructor that follows has the same name */
};

static void
put_star(struct strbuf *out)
{
	if (!out->size || out->data[out->size - 1] != '*')
		strbuf_append_char(out, '*');
}

static void
put_name(struct mangled *m, struct text name)
{
	if (m->out->size && m->out->data[m->out->size - 1] != '*')
		strbuf_append_str(m->out, "::");
	strbuf_append_text(m->out, name);
}

static char
peek(const struct mangled *m, size_t ahead)
{
	return m->at + ahead < m->t.size ? m->t.data[m->at + ahead] : '\0';
}

/* "3foo" */
static bool
take_source_name(struct mangled *m)
{
	size_t n = 0, digits = 0;

	while (char_is_digit(peek(m, digits)) && digits < 5)
		n = n * 10 + (size_t)(peek(m, digits++) - '0');
	if (!digits || !n || n > m->t.size - m->at - digits)
		return false;
	m->last = (struct text){ m->t.data + m->at + digits, n };
	if (memchr(m->last.data, '*', n) || memchr(m->last.data, '?', n))
		return false;
	m->at += digits + n;
	put_name(m, m->last);
	return true;
}

/* Parses a constructor or destructor, such as C1 or D2, which follows the class's name. */
static bool
take_structor(struct mangled *m)
{
	char c = peek(m, 0), kind = peek(m, 1);

	if (!m->last.size || (c != 'C' && c != 'D') || ((kind < '0' || kind > '5') && kind != '?'))
		return false;
	strbuf_append_str(m->out, c == 'C' ? "::" : "::~");
	strbuf_append_text(m->out, m->last);
	m->at += 2;
	return true;
}

static bool
take_piece(struct mangled *m, bool *more)
{
	*more = true;
	if (peek(m, 0) == 'S' && peek(m, 1) == 't') {
		m->at += 2;
		put_name(m, TEXT_LITERAL("std"));
	} else if (peek(m, 0) == '*') {
		m->at++;
		put_star(m->out);
	} else if (!take_source_name(m)) {
		*more = take_structor(m);
	}
	return m->at < m->t.size;
}

/* Prefixes of operator new and delete, mangled and demangled. */
static const struct {
	const char *mangled, *plain;
} operators[] = {
	{ "_Znw", "operator new(" },
	{ "_Zna", "operator new[](" },
	{ "_Zdl", "operator delete(" },
	{ "_Zda", "operator delete[](" },
};

enum {
	OPERATORS = sizeof(operators) / sizeof(operators[0])
};

struct text
mangled_glob(struct arena *a, struct text pattern)
{
	struct strbuf out;
	struct mangled m = { pattern, 2, &out, TEXT_NULL };
	struct text done = TEXT_NULL;
	bool more = true;

	if (pattern.size < 3 || memcmp(pattern.data, "_Z", 2) != 0)
		return TEXT_NULL;
	for (size_t i = 0; i < OPERATORS; i++)
		if (text_begins(pattern, operators[i].mangled))
			return text_from(arena_printf(a, "%s*", operators[i].plain));
	strbuf_init(&out, SUPPRESS_MAX_LINE_BYTES * 2UL);
	if (peek(&m, 0) == 'N')
		for (m.at++; peek(&m, 0) == 'K' || peek(&m, 0) == 'V'; m.at++)
			;
	else if (peek(&m, 0) == 'L')
		m.at++;
	while (take_piece(&m, &more) && more)
		;
	if (m.last.size && !out.failed) {
		put_star(&out);
		done = arena_text(a, strbuf_text(&out));
	}
	strbuf_release(&out);
	return done;
}

static bool
is_word(char c)
{
	return char_is_word(c) || (unsigned char)c >= 128;
}

static const struct text anonymous = { "(anonymous namespace)",
	sizeof("(anonymous namespace)") - 1 };

static bool
stands_at(struct text t, size_t i, struct text piece)
{
	return t.size - i >= piece.size && memcmp(t.data + i, piece.data, piece.size) == 0;
}

/* Returns the function's name without the return type and the parameters. */
static struct text
bare_name(struct text name)
{
	size_t start = 0, depth = 0, i = 0;

	while (i < name.size) {
		char c = name.data[i];

		if (stands_at(name, i, anonymous)) {
			i += anonymous.size;
			continue;
		}
		if (c == '(' && !depth)
			break;
		if (c == ' ' && !depth)
			start = i + 1;
		depth += c == '<';
		depth -= c == '>' && depth;
		i++;
	}
	return (struct text){ name.data + start, i - start };
}

static bool
guess_operator(struct strbuf *out, struct text name)
{
	for (size_t i = 0; i < OPERATORS; i++)
		if (text_begins(name, operators[i].plain)) {
			strbuf_printf(out, "%s*", operators[i].mangled);
			return true;
		}
	return false;
}

static size_t
word_at(struct text t, size_t i)
{
	size_t n = 0;

	while (i + n < t.size && is_word(t.data[i + n]))
		n++;
	return n;
}

/* Appends the word as a component of a mangled name, such as "3foo". A word that is equal to the word `before`
 * is a constructor or destructor, and becomes "C?" or "D?". Returns false if the word becomes "*". */
static bool
put_component(struct strbuf *out, struct text word, struct text before, bool tilde)
{
	if (text_equal(word, TEXT_LITERAL("std")) || char_is_digit(word.data[0])) {
		put_star(out);
		return false;
	}
	if (text_equal(word, before))
		strbuf_append_str(out, tilde ? "D?" : "C?");
	else
		strbuf_printf(out, "%zu%.*s", word.size, (int)word.size, word.data);
	return true;
}

/* Appends the mangled form of a name: "Foo::bar" becomes "3Foo3bar". Parts that have several spellings become *.
 * Returns the number of components that did not become *. */
static size_t
guess_components(struct strbuf *out, struct text bare)
{
	struct text before = { "", 0 };
	size_t names = 0, depth = 0, i = 0;

	while (i < bare.size) {
		size_t n = depth ? 0 : word_at(bare, i);
		struct text word = { bare.data + i, n };
		char c = bare.data[i];

		if (n) {
			names += put_component(out, word, before, i && bare.data[i - 1] == '~');
			before = word;
		} else if (c != ':' && (c != '~' || depth)) {
			put_star(out);
		}
		depth += c == '<';
		depth -= c == '>' && depth;
		i += stands_at(bare, i, anonymous) ? anonymous.size : n ? n : 1;
	}
	return names;
}

/* Returns whether the mangled pattern that begins at offset `start` of `out` matches the plain name. */
static bool
is_matched(const struct strbuf *out, size_t start, struct text name)
{
	struct arena a = ARENA_INIT;
	struct suppress_pattern p = { .question = true };
	bool ok = false;

	p.glob = mangled_glob(&a, (struct text){ out->data + start, out->size - start });
	if (!out->failed && p.glob.data) {
		pattern_compile(&p);
		ok = pattern_glob(&p, name);
	}
	arena_release(&a);
	return ok;
}

bool
mangled_guess(struct strbuf *out, struct text name)
{
	struct text bare = bare_name(name);
	bool is_cxx = bare.data + bare.size < name.data + name.size;
	bool odd = memchr(bare.data, '{', bare.size) != NULL;
	size_t before = out->size;

	if (guess_operator(out, name))
		return true;
	is_cxx = is_cxx || text_find(name, "::") != TEXT_NOT_FOUND;
	odd = odd || text_find(name, "operator") != TEXT_NOT_FOUND;
	if (!is_cxx || odd || !bare.size)
		return false;
	strbuf_append_str(out, "_Z*");
	if (guess_components(out, bare)) {
		put_star(out);
		if (is_matched(out, before, name))
			return true;
	}
	out->size = before;
	if (out->data)
		out->data[before] = '\0';
	return false;
}
