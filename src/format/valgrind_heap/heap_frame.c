#include "heap_frame.h"

#include <string.h>

enum {
	MAX_HEX_DIGITS = 16,
	MAX_LINE_DIGITS = 9,
};

static bool
take_prefix(struct text *t, const char *prefix)
{
	size_t n = strlen(prefix);

	if (t->size < n || memcmp(t->data, prefix, n) != 0)
		return false;
	t->data += n;
	t->size -= n;
	return true;
}

/* "0xADDR: " at the beginning. */
static void
take_address(struct text *t, uint64_t *address)
{
	struct text rest = *t;
	uint64_t v = 0;
	size_t n = 0;

	if (!take_prefix(&rest, "0x"))
		return;
	while (n < rest.size && n < MAX_HEX_DIGITS && char_hex_value(rest.data[n]) >= 0)
		v = v << 4 | (uint64_t)char_hex_value(rest.data[n++]);
	rest.data += n;
	rest.size -= n;
	if (!n || (rest.size && !take_prefix(&rest, ": ") && !take_prefix(&rest, ":")))
		return;
	*address = v;
	*t = rest;
}

/* ":DIGITS" at the end. */
static bool
take_line(struct text *t, int64_t *line)
{
	int64_t v = 0;
	size_t at = t->size;

	while (at > 0 && t->data[at - 1] >= '0' && t->data[at - 1] <= '9')
		at--;
	if (at == t->size || t->size - at > MAX_LINE_DIGITS || at < 2 || t->data[at - 1] != ':')
		return false;
	for (size_t i = at; i < t->size; i++)
		v = v * 10 + (t->data[i] - '0');
	*line = v;
	t->size = at - 1;
	return true;
}

/* What stands in the last brackets: a place, or part of the function's name. */
static bool
take_place(struct text place, struct frame *f)
{
	int64_t column;

	if (take_prefix(&place, "in ")) {
		f->module = place;
		return place.size > 0;
	}
	if (!take_line(&place, &f->line))
		return false;
	/* Rust's has a column behind the line. */
	column = f->line;
	if (!take_line(&place, &f->line))
		f->line = column;
	f->file = place;
	return true;
}

/* " (" that opens the last brackets; 0: none. */
static size_t
find_place(struct text t)
{
	if (t.size < 4 || t.data[t.size - 1] != ')')
		return 0;
	for (size_t i = t.size - 2; i > 0; i--)
		if (t.data[i] == '(' && t.data[i - 1] == ' ')
			return i - 1;
	return 0;
}

struct frame
heap_frame_parse(struct text t)
{
	struct frame f = { .line = 0 };
	size_t at;

	take_address(&t, &f.address);
	at = find_place(t);
	if (at && take_place((struct text){ t.data + at + 2, t.size - at - 3 }, &f))
		t.size = at;
	f.function = t;
	if (text_equal(t, TEXT_LITERAL("???")) || text_is_empty(t))
		f.function = TEXT_NULL;
	return f;
}
