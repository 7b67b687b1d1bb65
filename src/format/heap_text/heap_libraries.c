/* Turns addresses into frames, using the libraries and symbols of a heap profile. */
#include "base/array.h"
#include "heap_text.h"

#include <stdlib.h>

/* "56518438b000-56518438c000 r-xp 00001000 fe:00 12173379   /tmp/h" */
static void
add_mapping(struct heap_text *h, struct text t)
{
	struct heap_mapping m = { 0 };
	uint64_t skipped;

	if (!scan_hex(&t, &m.start) || !scan_word(&t, "-") || !scan_hex(&t, &m.end) ||
		!scan_word(&t, " ") || m.end <= m.start)
		return;
	/* the remaining fields are permissions, offset, device, inode and path */
	t = text_from_at(t, text_find(t, " "));
	scan_blanks(&t);
	if (!scan_hex(&t, &m.offset))
		return;
	scan_blanks(&t);
	t = text_from_at(t, text_find(t, " "));
	scan_blanks(&t);
	if (!scan_decimal(&t, &skipped))
		return;
	t = text_trim(t);
	if (!t.size)
		return;
	if (text_ends(t, " (deleted)"))
		t.size -= strlen(" (deleted)");
	if (h->mapping_count && text_equal(h->mappings[h->mapping_count - 1].path, t))
		m.path = h->mappings[h->mapping_count - 1].path;
	else
		m.path = arena_text(&h->arena, t);
	*ARRAY_ADD(h->mappings, h->mapping_count, h->mapping_room) = m;
}

static int
by_start(const void *a, const void *b)
{
	const struct heap_mapping *left = a;
	const struct heap_mapping *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

/* Finds the base addresses. A library's mappings are adjacent, and the first one begins at the library's base. */
static void
find_bases(struct heap_text *h)
{
	if (h->mapping_count)
		qsort(h->mappings, h->mapping_count, sizeof(*h->mappings), by_start);
	for (size_t i = 0; i < h->mapping_count; i++) {
		struct heap_mapping *m = &h->mappings[i];

		if (i && text_equal(m[-1].path, m->path) && m->offset)
			m->base = m[-1].base;
		else
			m->base = m->offset <= m->start ? m->start - m->offset : 0;
	}
}

/* "0x000000000040a1b2 inner--outer" */
static void
add_symbol(struct heap_text *h, struct text t)
{
	uint64_t address;
	bool added;

	if (!text_begins(t, "0x") || !scan_hex(&t, &address))
		return;
	t = text_trim(t);
	if (!t.size || text_begins(t, "0x") || h->symbol_count >= INT32_MAX)
		return;
	pair_map_add(&h->symbol_of, (int64_t)address, 0, (uint32_t)h->symbol_count, &added);
	if (!added)
		return;
	*ARRAY_ADD(h->symbols, h->symbol_count, h->symbol_room) = arena_text(&h->arena, t);
}

/* A line with the counts of a thread: "t3: 1: 2 [3: 4]" */
static bool
is_of_thread(struct text t)
{
	uint64_t thread;

	scan_blanks(&t);
	return scan_word(&t, "t") && scan_decimal(&t, &thread);
}

/* Makes the first pass. This pass is needed because the libraries are at the end of the file, after the stacks. */
bool
heap_text_read_libraries(struct heap_text *h)
{
	enum {
		NOWHERE,
		IN_LIBRARIES,
		IN_SYMBOLS
	} where = NOWHERE;
	bool ok = true;

	while (reader_line(h->in, &ok)) {
		if (text_equal(text_trim(h->in->line.text), TEXT_LITERAL("MAPPED_LIBRARIES:"))) {
			where = IN_LIBRARIES;
			h->has_libraries = true;
		} else if (text_begins(h->in->line.text, "---")) {
			where = text_begins(h->in->line.text, "--- symbol") ? IN_SYMBOLS : NOWHERE;
		} else if (where == IN_LIBRARIES) {
			add_mapping(h, h->in->line.text);
		} else {
			if (where == IN_SYMBOLS)
				add_symbol(h, h->in->line.text);
			h->threads = h->threads || is_of_thread(h->in->line.text);
		}
	}
	find_bases(h);
	return ok;
}

bool
heap_text_check_libraries(struct heap_text *h)
{
	return h->has_libraries ||
	       reader_issue(h->in, ISSUE_REPORT_CUT,
		       "the file has no MAPPED_LIBRARIES: addresses have no module");
}

static const struct heap_mapping *
find_mapping(const struct heap_text *h, uint64_t address)
{
	size_t low = 0;
	size_t high = h->mapping_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (h->mappings[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < h->mappings[low - 1].end ? &h->mappings[low - 1] : NULL;
}

/* Pushes a frame for each name; names of inlined functions come innermost first. */
static bool
push_names(struct heap_text *h, struct text names, struct frame *f)
{
	for (;;) {
		size_t end = text_find(names, "--");

		f->function = text_trim(text_up_to(names, end));
		if (f->function.size && !stack_push(h->frames, f, h->in->err))
			return false;
		if (end == TEXT_NOT_FOUND)
			return true;
		names = text_from_at(names, end + 2);
	}
}

/* Pushes the frames of an address: its symbols in the file, or its place in a library. */
static bool
push_address(struct heap_text *h, uint64_t address)
{
	const struct heap_mapping *m = find_mapping(h, address);
	struct frame f = { .line = MODEL_NULL, .start_line = MODEL_NULL, .address = address };
	uint32_t symbol = pair_map_get(&h->symbol_of, (int64_t)address, 0);

	if (m)
		frame_place(&f, m->path, address, m->base);
	/* A caller's address is a return address; the call itself is one byte or more before it. */
	if (symbol == PAIR_MAP_NONE && address)
		symbol = pair_map_get(&h->symbol_of, (int64_t)(address - 1), 0);
	return symbol == PAIR_MAP_NONE ? stack_push(h->frames, &f, h->in->err)
				       : push_names(h, h->symbols[symbol], &f);
}

bool
heap_text_stack(struct heap_text *h, stack_number *stack)
{
	stack_begin(h->frames);
	for (size_t i = 0; i < h->address_count; i++)
		if (!push_address(h, h->addresses[i]))
			return false;
	return stack_end_reported(h->frames, h->in, stack);
}
