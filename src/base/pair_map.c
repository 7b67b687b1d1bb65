/* A hash table with open addressing. */
#define _DEFAULT_SOURCE /* getentropy */
#include "base/pair_map.h"

#include "base/arena.h"
#include "base/hash.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
	FIRST_CAPACITY = 16, /* small, because a log with 10,000 reports needs 100,000 maps */
};

uint64_t
random_number(void)
{
	uint64_t n;

	if (getentropy(&n, sizeof(n)) != 0)
		n = (uint64_t)getpid() * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)time(NULL);
	return n;
}

static _Atomic uint64_t drawn_seed;

static __attribute__((noinline, cold)) uint64_t
draw_seed(void)
{
	uint64_t fresh = random_number() | 1;
	uint64_t known = 0;

	return atomic_compare_exchange_strong(&drawn_seed, &known, fresh) ? fresh : known;
}

/* Inlined, because every look-up needs it. */
static inline uint64_t
seed(void)
{
	uint64_t known = atomic_load_explicit(&drawn_seed, memory_order_relaxed);

	return known ? known : draw_seed();
}

uint64_t
process_seed(void)
{
	return seed();
}

void
pair_map_release(struct pair_map *m)
{
	free(m->entries);
	*m = (struct pair_map){ 0 };
}

/* The key's slot, or the free slot for the key. */
static inline size_t
place(const struct pair_map *m, uint64_t seeded, int64_t a, int64_t b)
{
	size_t i = (size_t)pair_hash(seeded, (uint64_t)a, (uint64_t)b) & (m->capacity - 1);

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
	i = place(m, seed(), a, b);
	return m->entries[i].used ? m->entries[i].value : PAIR_MAP_NONE;
}

static void
grow(struct pair_map *m)
{
	struct pair_map bigger = *m;

	bigger.capacity = m->capacity ? m->capacity * 2 : FIRST_CAPACITY;
	bigger.entries = xcalloc(bigger.capacity, sizeof(*bigger.entries));
	for (size_t i = 0; i < m->capacity; i++)
		if (m->entries[i].used)
			bigger.entries[place(&bigger, seed(), m->entries[i].a, m->entries[i].b)] =
				m->entries[i];
	free(m->entries);
	*m = bigger;
}

static inline uint32_t
add(struct pair_map *m, uint64_t seeded, int64_t a, int64_t b, uint32_t value, bool *added)
{
	struct pair_entry *e;

	if (m->count * 4 >= m->capacity * 3)
		grow(m);
	e = &m->entries[place(m, seeded, a, b)];
	if (added)
		*added = !e->used;
	if (!e->used) {
		*e = (struct pair_entry){ .a = a, .b = b, .value = value, .used = 1 };
		m->count++;
	}
	return e->value;
}

uint32_t
pair_map_add(struct pair_map *m, int64_t a, int64_t b, uint32_t value, bool *added)
{
	return add(m, seed(), a, b, value, added);
}

uint32_t
pair_map_add_bytes(struct pair_map *m, const void *data, size_t size, uint32_t value, bool *added)
{
	uint64_t seeded = seed();
	struct hash128 key = hash128_seeded(data, size, seeded);

	return add(m, seeded, (int64_t)key.low, (int64_t)key.high, value, added);
}

uint32_t
pair_map_get_bytes(const struct pair_map *m, const void *data, size_t size)
{
	struct hash128 key = hash128_seeded(data, size, seed());

	return pair_map_get(m, (int64_t)key.low, (int64_t)key.high);
}
