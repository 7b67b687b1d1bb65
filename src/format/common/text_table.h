/*
 * Gives each distinct text a number, and stores one copy of it.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_TEXT_TABLE_H
#define PROFDEPOT_FORMAT_COMMON_TEXT_TABLE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/pair_map.h"
#include "base/text.h"

/* Initialize it with zeros. The owner releases `map` and frees `items`. */
struct text_table {
	struct pair_map map;
	struct text *items; /* indexed by number, from 0 */
	size_t count, room;
};

/* Returns the number of the text. Copies a new text into the arena. */
static inline uint32_t
text_table_add(struct text_table *t, struct arena *a, struct text text)
{
	bool added;
	uint32_t number =
		pair_map_add_bytes(&t->map, text.data, text.size, (uint32_t)t->count, &added);

	if (added)
		*ARRAY_ADD(t->items, t->count, t->room) = arena_text(a, text);
	return number;
}

#endif
