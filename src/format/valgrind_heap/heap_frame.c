/* Parses DHAT and massif frames; heap_frame.h describes the grammar. */
#include "heap_frame.h"

#include "format/common/text_scan.h"

/* Removes "0xADDR: " from the start. */
static void
take_address(struct text *t, uint64_t *address)
{
	struct text rest = *t;
	uint64_t v;

	if (!text_begins(rest, "0x") || !scan_hex(&rest, &v))
		return;
	if (rest.size && !scan_word(&rest, ": ") && !scan_word(&rest, ":"))
		return;
	*address = v;
	*t = rest;
}

/* `place` is the text in the last brackets. Returns false if this text belongs to the function's name. */
static bool
take_place(struct text place, struct frame *f)
{
	int64_t column;

	if (scan_word(&place, "in ")) {
		f->module = place;
		return place.size > 0;
	}
	if (!scan_last_place(&place, &f->line, &column))
		return false;
	f->file = place;
	return true;
}

/* Offset of the " (" that opens the last brackets, or 0. */
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
