/* Handles prefixes that logs add to lines, and terminal escape sequences. */
#include "sanitizer_private.h"

enum {
	ANY_TIME = 0x01, /* in a pattern: any time or counter; no prefix contains this byte */
	ESCAPE = 0x1B
};

/* The size of a time or counter at the front, such as "2026-01-02T03:04:05.678Z", "12/345", or the
 * "123s" of "[ 123s]"; otherwise 0. A plain number does not count. */
static size_t
time_run(struct text t)
{
	size_t n = 0;
	bool parted = false;

	if (!t.size || !char_is_digit(t.data[0]))
		return 0;
	while (n < t.size &&
		(char_is_digit(t.data[n]) || (t.data[n] && strchr(":-./,+TZ", t.data[n]))))
		n++;
	while (n > 1 && !char_is_digit(t.data[n - 1]) && t.data[n - 1] != 'Z')
		n--;
	if (text_begins(text_from_at(t, n), "s]"))
		return n + 1;
	for (size_t i = 1; i + 1 < n; i++)
		parted |= !char_is_digit(t.data[i]) && char_is_digit(t.data[i + 1]);
	return parted ? n : 0;
}

/* A number inside a word such as "web-1.2" is not a time. */
static size_t
time_run_at(struct text t, size_t at)
{
	char before = at ? t.data[at - 1] : ' ';
	bool word = char_is_word(before) || before == '-' || before == '.';

	return word ? 0 : time_run(text_from_at(t, at));
}

void
sanitizer_prefix_make(struct strbuf *out, struct text prefix)
{
	strbuf_reset(out);
	for (size_t i = 0; i < prefix.size;) {
		size_t run = time_run_at(prefix, i);

		if (!run) {
			strbuf_append_char(out, prefix.data[i++]);
			continue;
		}
		/* "[   5.123456]" and "[  12.345678]" have the same pattern. */
		while (out->size && out->data[out->size - 1] == ' ')
			out->size--;
		strbuf_append_char(out, ANY_TIME);
		i += run;
	}
}

bool
sanitizer_prefix_match(struct text pattern, struct text line, struct text *content)
{
	size_t at = 0;
	size_t i = 0;

	for (; i < pattern.size; i++) {
		if (pattern.data[i] == ANY_TIME) {
			size_t run;

			while (at < line.size && line.data[at] == ' ')
				at++;
			run = time_run(text_from_at(line, at));
			if (!run)
				return false;
			at += run;
		} else if (at < line.size && line.data[at] == pattern.data[i]) {
			at++;
		} else {
			break;
		}
	}
	*content = text_from_at(line, at);
	/* A trimmed line lacks the blanks at the end of its prefix. */
	return i == pattern.size ||
	       (at == line.size && text_trim(text_from_at(pattern, i)).size == 0);
}

/* The size of the escape sequence at the front, such as "ESC [ 1 m". */
static size_t
escape_size(struct text t)
{
	size_t n = 2;

	if (t.size < 2 || t.data[1] != '[')
		return 1;
	while (n < t.size && (unsigned char)t.data[n] < 0x40)
		n++;
	/* A non-ASCII byte does not end a sequence, so that UTF-8 characters stay whole. */
	return n < t.size && (unsigned char)t.data[n] < 0x80 ? n + 1 : n;
}

struct text
sanitizer_plain(struct strbuf *out, struct text line)
{
	if (!memchr(line.data, ESCAPE, line.size))
		return line;
	strbuf_reset(out);
	for (size_t i = 0; i < line.size;) {
		if (line.data[i] == ESCAPE)
			i += escape_size(text_from_at(line, i));
		else
			strbuf_append_char(out, line.data[i++]);
	}
	return strbuf_text(out);
}

/* Skips "[12:34:56] ", "2026-01-02T03:04:05Z " or "12: ". */
static bool
pass_stamp(struct text t, size_t *at)
{
	size_t i = *at;
	bool bracket = i < t.size && t.data[i] == '[';
	size_t run;

	i += bracket;
	while (bracket && i < t.size && t.data[i] == ' ')
		i++;
	run = time_run(text_from_at(t, i));
	if (!run) {
		while (i + run < t.size && char_is_digit(t.data[i + run]))
			run++;
		if (!run || i + run >= t.size || (t.data[i + run] != ':' && !bracket))
			return false;
	}
	i += run;
	while (i < t.size && (t.data[i] == ']' || t.data[i] == ':'))
		i++;
	if (i >= t.size || t.data[i] != ' ')
		return false;
	while (i < t.size && t.data[i] == ' ')
		i++;
	*at = i;
	return true;
}

/* The offset after the last occurrence of the word, or `at`. */
static size_t
after_last(struct text t, size_t at, const char *word)
{
	for (;;) {
		size_t next = text_find(text_from_at(t, at), word);

		if (next == TEXT_NOT_FOUND)
			return at;
		at += next + strlen(word);
	}
}

size_t
sanitizer_path_start(struct text t)
{
	size_t at = 0;
	size_t slash;

	while (at < t.size && t.data[at] == ' ')
		at++;
	while (at < t.size && pass_stamp(t, &at))
		;
	at = after_last(t, at, " | ");
	at = after_last(t, at, "\t");
	while (at < t.size && pass_stamp(t, &at))
		;
	if (at >= t.size || t.data[at] == '/' || !memchr(t.data + at, ' ', t.size - at))
		return at;
	slash = text_find(text_from_at(t, at), " /");
	return slash != TEXT_NOT_FOUND ? at + slash + 1 : after_last(t, at, ": ");
}
