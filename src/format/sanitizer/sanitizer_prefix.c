/* Handles terminal escape sequences, and the paths in prefixed lines. */
#include "sanitizer_private.h"

enum {
	ESCAPE = 0x1B
};

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

/* Skips the "> " of a quoted mail, or the "12>" that begins a line of a parallel build. */
static bool
pass_quote(struct text t, size_t *at)
{
	size_t i = *at;

	while (i < t.size && char_is_digit(t.data[i]))
		i++;
	if (i >= t.size || t.data[i] != '>')
		return false;
	for (i++; i < t.size && t.data[i] == ' ';)
		i++;
	*at = i;
	return true;
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
	run = log_time_run(text_from_at(t, i));
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

/* The offset after the last occurrence of the word; `at` if the word does not occur after `at`. */
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
	while (at < t.size && (pass_quote(t, &at) || pass_stamp(t, &at)))
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
