/* Arrays that grow by doubling (the slow paths of base/array.h), and sorting. */
#include "base/array.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIRST_ROOM = 4, /* items */
};

void *
array_grow(void *items, size_t *room, size_t count, size_t item_bytes)
{
	size_t wanted = *room ? *room : FIRST_ROOM;
	size_t bytes;

	while (wanted < count && wanted <= SIZE_MAX / 2)
		wanted *= 2;
	if (wanted < count || __builtin_mul_overflow(wanted, item_bytes, &bytes))
		bytes = SIZE_MAX; /* too large for any allocation, so xrealloc ends the process */
	items = xrealloc(items, bytes);
	*room = wanted;
	return items;
}

void *
array_reserve_zeroed(void *items, size_t *room, size_t count, size_t item_bytes)
{
	const size_t old = *room;
	char *bytes = array_reserve(items, room, count, item_bytes);

	if (*room > old)
		memset(bytes + old * item_bytes, 0, (*room - old) * item_bytes);
	return bytes;
}

void
array_sort(
	void *items, size_t count, size_t item_bytes, int (*compare)(const void *a, const void *b))
{
	const char *item = items;

	for (size_t i = 1; i < count; i++, item += item_bytes)
		if (compare(item, item + item_bytes) > 0) {
			qsort(items, count, item_bytes, compare);
			return;
		}
}
