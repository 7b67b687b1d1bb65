/*
 * A hash table from a pair of integers to a small number.
 *
 * It holds a load's dictionaries. An entry takes a few tens of bytes, and an empty map uses no
 * memory. Keys are never removed. An empty map is all zeros. A seed prevents deliberate collisions.
 */
#ifndef PROFDEPOT_BASE_PAIR_MAP_H
#define PROFDEPOT_BASE_PAIR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAIR_MAP_NONE UINT32_MAX /* larger than any value */

struct pair_entry {
	int64_t a, b;
	uint32_t value;
	uint32_t used;
};

struct pair_map {
	struct pair_entry *entries;
	size_t capacity; /* power of two, or 0 */
	size_t count;
};

/* Frees the memory; the map is empty afterwards. */
void pair_map_release(struct pair_map *m);

/* Returns the value of the key, or PAIR_MAP_NONE if the key is absent. */
uint32_t pair_map_get(const struct pair_map *m, int64_t a, int64_t b);

/* Adds the key with `value` if the key is absent. Returns the key's value. If `added` is not NULL,
 * sets *added to whether the key was added. */
uint32_t pair_map_add(struct pair_map *m, int64_t a, int64_t b, uint32_t value, bool *added);

/* Like pair_map_add, but the key is the 128-bit hash of the bytes. */
uint32_t pair_map_add_bytes(
	struct pair_map *m, const void *data, size_t size, uint32_t value, bool *added);
/* Returns the value of a key that pair_map_add_bytes added, or PAIR_MAP_NONE. */
uint32_t pair_map_get_bytes(const struct pair_map *m, const void *data, size_t size);

uint64_t random_number(void);

/* Returns a random number that is not 0 and does not change within a process. */
uint64_t process_seed(void);

#endif
