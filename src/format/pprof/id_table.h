/*
 * Assigns numbers to IDs in order of appearance. As long as the IDs are 1, 2, 3 ..., the table needs
 * no memory.
 */
#ifndef PROFDEPOT_FORMAT_PPROF_ID_TABLE_H
#define PROFDEPOT_FORMAT_PPROF_ID_TABLE_H

#include "base/pair_map.h"

/* Must be zeroed before use. The owner releases `map`. */
struct id_table {
	struct pair_map map; /* used only if the IDs are sparse */
	uint32_t count;
	bool sparse;
};

/* Returns the ID's number, or PAIR_MAP_NONE if the ID is unknown. */
static inline uint32_t
id_table_find(const struct id_table *t, uint64_t id)
{
	if (t->sparse)
		return pair_map_get(&t->map, (int64_t)id, 0);
	return id - 1 < t->count ? (uint32_t)(id - 1) : PAIR_MAP_NONE;
}

/* Returns the ID's number; *added says whether the ID is new. The caller limits the number of IDs. */
static inline uint32_t
id_table_add(struct id_table *t, uint64_t id, bool *added)
{
	uint32_t number;

	if (!t->sparse && id - 1 <= t->count) {
		*added = id - 1 == t->count;
		t->count += *added;
		return (uint32_t)(id - 1);
	}
	if (!t->sparse)
		for (uint32_t i = 0; i < t->count; i++)
			pair_map_add(&t->map, (int64_t)i + 1, 0, i, NULL);
	t->sparse = true;
	number = pair_map_add(&t->map, (int64_t)id, 0, t->count, added);
	t->count += *added;
	return number;
}

#endif
