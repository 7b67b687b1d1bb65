/*
 * Arrays that grow by doubling.
 *
 * The owner keeps three variables: the items (NULL at first), how many are in use, and a size_t
 * for how many fit (0 at first). The items are freed with free(); they may move when they grow.
 * If memory runs out or a size exceeds SIZE_MAX, the process ends: limit sizes that come from
 * outside.
 */
#ifndef PROFDEPOT_BASE_ARRAY_H
#define PROFDEPOT_BASE_ARRAY_H

#include <stddef.h>

/* Makes room for at least `count` items in all. New items are not initialised. */
#define ARRAY_RESERVE(items, room, count) \
	((items) = array_reserve((items), &(room), (count), sizeof(*(items))))

/* The same, but new items are zeroed. */
#define ARRAY_RESERVE_ZEROED(items, room, count) \
	((items) = array_reserve_zeroed((items), &(room), (count), sizeof(*(items))))

/* Adds one item, increments count and gives the new item's address:
 * *ARRAY_ADD(l->lines, l->count, l->room) = line; */
#define ARRAY_ADD(items, count, room) \
	(ARRAY_RESERVE((items), (room), (count) + 1), &(items)[(count)++])

/* What the macros call when the room is used up. */
void *array_grow(void *items, size_t *room, size_t count, size_t item_bytes);
void *array_reserve_zeroed(void *items, size_t *room, size_t count, size_t item_bytes);

static inline void *
array_reserve(void *items, size_t *room, size_t count, size_t item_bytes)
{
	return count <= *room ? items : array_grow(items, room, count, item_bytes);
}

#endif
