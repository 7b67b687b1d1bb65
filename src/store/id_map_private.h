/* A map from IDs, such as those of routines, to small numbers. It is an array if the IDs are dense. */
#ifndef PROFDEPOT_SRC_STORE_ID_MAP_PRIVATE_H
#define PROFDEPOT_SRC_STORE_ID_MAP_PRIVATE_H

#include "base/pair_map.h"

struct id_map {
	struct pair_map map;
	uint32_t *by_number; /* 1 + number, or 0; NULL if the IDs are not dense */
	int64_t first, last;
};

/* Maps ids[i] to numbers[i], or to i if `numbers` is NULL. */
void id_map_fill(struct id_map *m, const int64_t *ids, const uint32_t *numbers, size_t count);

void id_map_release(struct id_map *m);

/* Returns PAIR_MAP_NONE for an unknown ID. */
static inline uint32_t
id_map_get(const struct id_map *m, int64_t id)
{
	if (!m->by_number)
		return pair_map_get(&m->map, id, 0);
	if (id < m->first || id > m->last)
		return PAIR_MAP_NONE;
	return m->by_number[id - m->first] - 1; /* 0 - 1 is PAIR_MAP_NONE */
}

#endif
