/* What a terminal needs: widths, cutting, wrapping, colours. */
#define _XOPEN_SOURCE 700 /* for wcwidth */

#include "render_private.h"

wchar_t
render_next_char(struct text t, size_t *at)
{
	const unsigned char *p = (const unsigned char *)t.data + *at;
	size_t more = p[0] < 0x80 ? 0 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
	unsigned long c = more == 0 ? p[0] : p[0] & (0x3fU >> more);

	for (size_t i = 1; i <= more && *at + i < t.size; i++)
		c = c << 6 | (p[i] & 0x3fU);
	*at = *at + more + 1 < t.size ? *at + more + 1 : t.size;
	return (wchar_t)c;
}

bool
render_is_plain(struct text t)
{
	for (size_t i = 0; i < t.size; i++)
		if (t.data[i] < ' ' || t.data[i] > '~')
			return false;
	return true;
}

/* Without a UTF-8 locale wcwidth knows only ASCII; any other character counts as one column. */
static size_t
char_width(wchar_t c)
{
	int n = wcwidth(c);

	return n < 0 ? 1 : (size_t)n;
}

size_t
render_width(struct text t)
{
	size_t width = 0;

	if (render_is_plain(t))
		return t.size;
	for (size_t at = 0; at < t.size;)
		width += char_width(render_next_char(t, &at));
	return width;
}

/* The length in bytes of the longest prefix that needs at most `width` columns. */
static size_t
prefix_bytes(struct text t, size_t width)
{
	size_t at = 0;
	size_t used = 0;

	while (at < t.size) {
		size_t next = at;

		used += char_width(render_next_char(t, &next));
		if (used > width)
			break;
		at = next;
	}
	return at;
}

void
render_cut(struct strbuf *b, struct text t, size_t width)
{
	size_t total = render_width(t);
	size_t head, tail, at;

	if (total <= width) {
		strbuf_append_text(b, t);
		return;
	}
	if (width == 0)
		return;
	head = prefix_bytes(t, width / 2);
	tail = (width - 1) - width / 2;
	at = head;
	while (at < t.size && render_width((struct text){ t.data + at, t.size - at }) > tail)
		render_next_char(t, &at);
	strbuf_append(b, t.data, head);
	strbuf_append_str(b, "…");
	strbuf_append(b, t.data + at, t.size - at);
}

/* The state of render_wrap. */
struct wrap {
	struct strbuf *out;
	size_t column, indent, width;
	bool empty; /* the line has no word yet */
};

static void
new_line(struct wrap *w)
{
	strbuf_append_char(w->out, '\n');
	for (size_t i = 0; i < w->indent; i++)
		strbuf_append_char(w->out, ' ');
	w->column = w->indent;
	w->empty = true;
}

/* Appends a word. The word is broken only if it is wider than a line. */
static void
put_word(struct wrap *w, struct text word)
{
	size_t at;

	while (w->column + render_width(word) > w->width) {
		at = w->column < w->width ? prefix_bytes(word, w->width - w->column) : 0;
		if (at == 0 && w->empty)
			break;
		strbuf_append(w->out, word.data, at);
		word = (struct text){ word.data + at, word.size - at };
		new_line(w);
	}
	strbuf_append_text(w->out, word);
	w->column += render_width(word);
	w->empty = false;
}

void
render_wrap(struct strbuf *b, struct text line, size_t indent, size_t width)
{
	struct wrap w = { b, 0, indent + 8 < width ? indent : 0, width, true };
	size_t at = 0;

	if (!width || render_width(line) <= width) {
		strbuf_append_text(b, line);
		return;
	}
	while (at < line.size) {
		size_t start = at;
		struct text word;

		while (at < line.size && line.data[at] == ' ')
			at++;
		word = (struct text){ line.data + at, 0 };
		while (at < line.size && line.data[at] != ' ')
			at++;
		word.size = (size_t)(line.data + at - word.data);
		if (!w.empty &&
			w.column + render_width((struct text){ line.data + start, at - start }) >
				width) {
			new_line(&w);
		} else {
			strbuf_append(
				b, line.data + start, (size_t)(word.data - line.data) - start);
			w.column += (size_t)(word.data - line.data) - start;
		}
		put_word(&w, word);
	}
}

void
render_wrapped(FILE *out, struct text line, size_t indent, size_t width)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	render_wrap(&b, line, indent, width);
	strbuf_append_char(&b, '\n');
	fwrite(strbuf_str(&b), 1, b.size, out);
	strbuf_release(&b);
}

enum render_style
render_style_of(struct text word)
{
	static const struct {
		const char *word;
		enum render_style style;
	} words[] = { { "new", RENDER_BAD }, { "grown", RENDER_BAD }, { "gone", RENDER_GOOD },
		{ "shrunk", RENDER_GOOD }, { "same", RENDER_CALM }, { "definite", RENDER_BAD },
		{ "direct", RENDER_BAD }, { "indirect", RENDER_WARNING },
		{ "possible", RENDER_WARNING }, { "reachable", RENDER_CALM },
		{ "error", RENDER_BAD }, { "Error", RENDER_BAD }, { "warning", RENDER_WARNING },
		{ "Warning", RENDER_WARNING }, { "info", RENDER_CALM }, { "matches", RENDER_GOOD },
		{ "matches nothing", RENDER_WARNING }, { "expired", RENDER_BAD },
		{ "exceeded", RENDER_BAD }, { "met", RENDER_GOOD } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_equal(word, text_from(words[i].word)))
			return words[i].style;
	return RENDER_PLAIN;
}

void
render_styled(struct strbuf *b, struct text t, enum render_style style)
{
	/* Select Graphic Rendition: bold, dim, red, yellow, green. */
	static const char *const codes[] = { [RENDER_HEAD] = "1",
		[RENDER_CALM] = "2",
		[RENDER_BAD] = "31",
		[RENDER_WARNING] = "33",
		[RENDER_GOOD] = "32" };

	if (style != RENDER_PLAIN)
		strbuf_printf(b, "\033[%sm", codes[style]);
	strbuf_append_text(b, t);
	if (style != RENDER_PLAIN)
		strbuf_append_str(b, "\033[m");
}
