/*
 * Arrays that grow by doubling.
 *
 * The owner keeps three variables: the items (NULL at first), their number, and the capacity in
 * items (a size_t, 0 at first). Items can move when the array grows. Release them with free(). If
 * memory runs out or a size exceeds SIZE_MAX, the process ends, so sizes that come from an input
 * need a limit.
 */
#ifndef PROFDEPOT_BASE_ARRAY_H
#define PROFDEPOT_BASE_ARRAY_H

#include <stddef.h>

/* Makes room for at least `count` items in total. New items are not initialised. */
#define ARRAY_RESERVE(items, room, count) \
	((items) = array_reserve((items), &(room), (count), sizeof(*(items))))

/* Like ARRAY_RESERVE, but new items are zeroed. */
#define ARRAY_RESERVE_ZEROED(items, room, count) \
	((items) = array_reserve_zeroed((items), &(room), (count), sizeof(*(items))))

/* Adds one item, increments count and returns the new item's address:
 * *ARRAY_ADD(l->lines, l->count, l->room) = line; */
#define ARRAY_ADD(items, count, room) \
	(ARRAY_RESERVE((items), (room), (count) + 1), &(items)[(count)++])

/* Sorts the items, unless they are in order already. Equal items may change places. */
void array_sort(
	void *items, size_t count, size_t item_bytes, int (*compare)(const void *a, const void *b));

/* Only for the macros above. */
void *array_grow(void *items, size_t *room, size_t count, size_t item_bytes);
void *array_reserve_zeroed(void *items, size_t *room, size_t count, size_t item_bytes);

static inline void *
array_reserve(void *items, size_t *room, size_t count, size_t item_bytes)
{
	return count <= *room ? items : array_grow(items, room, count, item_bytes);
}

#endif
