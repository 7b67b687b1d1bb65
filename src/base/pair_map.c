/* A hash table with open addressing. */
#define _DEFAULT_SOURCE /* getentropy */
#include "base/pair_map.h"

#include "base/arena.h"
#include "base/hash.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t
process_seed(void)
{
	uint64_t seed;

	if (getentropy(&seed, sizeof(seed)) != 0)
		seed = (uint64_t)getpid() * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)time(NULL);
	return seed;
}

void
pair_map_init(struct pair_map *m)
{
	*m = (struct pair_map){ .seed = process_seed() };
}

void
pair_map_release(struct pair_map *m)
{
	free(m->entries);
	*m = (struct pair_map){ .seed = m->seed };
}

/* The key's slot, or the free slot where it belongs. */
static size_t
place(const struct pair_map *m, int64_t a, int64_t b)
{
	size_t i = (size_t)pair_hash(m->seed, (uint64_t)a, (uint64_t)b) & (m->capacity - 1);

	while (m->entries[i].used && (m->entries[i].a != a || m->entries[i].b != b))
		i = (i + 1) & (m->capacity - 1);
	return i;
}

uint32_t
pair_map_get(const struct pair_map *m, int64_t a, int64_t b)
{
	size_t i;

	if (!m->capacity)
		return PAIR_MAP_NONE;
	i = place(m, a, b);
	return m->entries[i].used ? m->entries[i].value : PAIR_MAP_NONE;
}

static void
grow(struct pair_map *m)
{
	struct pair_map bigger = *m;

	bigger.capacity = m->capacity ? m->capacity * 2 : 64;
	bigger.entries = xcalloc(bigger.capacity, sizeof(*bigger.entries));
	for (size_t i = 0; i < m->capacity; i++)
		if (m->entries[i].used)
			bigger.entries[place(&bigger, m->entries[i].a, m->entries[i].b)] =
				m->entries[i];
	free(m->entries);
	*m = bigger;
}

uint32_t
pair_map_add(struct pair_map *m, int64_t a, int64_t b, uint32_t value, bool *added)
{
	struct pair_entry *e;

	if (m->count * 4 >= m->capacity * 3)
		grow(m);
	e = &m->entries[place(m, a, b)];
	if (added)
		*added = !e->used;
	if (!e->used) {
		*e = (struct pair_entry){ .a = a, .b = b, .value = value, .used = 1 };
		m->count++;
	}
	return e->value;
}

uint32_t
pair_map_add_bytes(struct pair_map *m, const void *data, size_t size, uint32_t value, bool *added)
{
	struct hash128 key = hash128_seeded(data, size, m->seed);

	return pair_map_add(m, (int64_t)key.low, (int64_t)key.high, value, added);
}

uint32_t
pair_map_get_bytes(const struct pair_map *m, const void *data, size_t size)
{
	struct hash128 key = hash128_seeded(data, size, m->seed);

	return pair_map_get(m, (int64_t)key.low, (int64_t)key.high);
}
