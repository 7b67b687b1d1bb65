/* Maps IDs to small numbers. */
#include "base/arena.h"
#include "id_map_private.h"

#include <stdlib.h>

void
id_map_fill(struct id_map *m, const int64_t *ids, const uint32_t *numbers, size_t count)
{
	m->first = INT64_MAX;
	m->last = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		m->first = ids[i] < m->first ? ids[i] : m->first;
		m->last = ids[i] > m->last ? ids[i] : m->last;
	}
	if (count && (uint64_t)m->last - (uint64_t)m->first < 4 * (uint64_t)count)
		m->by_number = xcalloc((size_t)(m->last - m->first) + 1, sizeof(*m->by_number));
	for (size_t i = 0; i < count; i++) {
		const uint32_t number = numbers ? numbers[i] : (uint32_t)i;

		if (m->by_number)
			m->by_number[ids[i] - m->first] = number + 1;
		else
			pair_map_add(&m->map, ids[i], 0, number, NULL);
	}
}

void
id_map_release(struct id_map *m)
{
	pair_map_release(&m->map);
	free(m->by_number);
}
