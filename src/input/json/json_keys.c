/*
 * The keys of the open objects, to find duplicates. One open addressing table holds all the keys.
 * Keys are removed in the reverse order of their insertion. When an object ends, it is therefore
 * enough to empty the slots that were filled last.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "json_private.h"

#include <stdlib.h>

struct key {
	struct hash128 hash; /* hash of the object's number and the key */
	size_t slot;
	size_t offset; /* offset of the key in `bytes` */
	size_t size;
	uint64_t object;
};

struct open_object {
	uint64_t number;
	size_t first_key;
};

struct json_keys {
	struct strbuf bytes; /* the text of all keys */
	struct key *keys;    /* in order of arrival */
	size_t count;
	size_t capacity;
	size_t *slots; /* index + 1; 0 if free */
	size_t slot_count;
	struct open_object *objects; /* outermost first */
	size_t depth;
	size_t max_depth;
	uint64_t next_object;
};

enum {
	FIRST_SLOTS = 64
};

struct json_keys *
json_keys_new(size_t max_bytes)
{
	struct json_keys *k = xcalloc(1, sizeof(*k));

	strbuf_init(&k->bytes, max_bytes);
	k->slot_count = FIRST_SLOTS;
	k->slots = xcalloc(k->slot_count, sizeof(*k->slots));
	return k;
}

void
json_keys_free(struct json_keys *k)
{
	if (!k)
		return;
	strbuf_release(&k->bytes);
	free(k->keys);
	free(k->slots);
	free(k->objects);
	free(k);
}

void
json_keys_enter(struct json_keys *k)
{
	*ARRAY_ADD(k->objects, k->depth, k->max_depth) =
		(struct open_object){ k->next_object++, k->count };
}

void
json_keys_leave(struct json_keys *k)
{
	size_t first = k->objects[--k->depth].first_key;

	while (k->count > first) {
		const struct key *last = &k->keys[--k->count];

		k->slots[last->slot] = 0;
		k->bytes.size = last->offset;
	}
}

static size_t
free_slot(const struct json_keys *k, struct hash128 hash)
{
	size_t slot = hash.low & (k->slot_count - 1);

	while (k->slots[slot])
		slot = (slot + 1) & (k->slot_count - 1);
	return slot;
}

/* Inserts all keys again in the same order, because json_keys_leave relies on this order. */
static void
grow(struct json_keys *k)
{
	free(k->slots);
	k->slot_count *= 2;
	k->slots = xcalloc(k->slot_count, sizeof(*k->slots));
	for (size_t i = 0; i < k->count; i++) {
		k->keys[i].slot = free_slot(k, k->keys[i].hash);
		k->slots[k->keys[i].slot] = i + 1;
	}
}

enum json_keys_result
json_keys_add(struct json_keys *k, struct text key)
{
	uint64_t object = k->objects[k->depth - 1].number;
	struct hash128 hash = hash128(key.data, key.size);
	size_t slot;

	hash.low += object * UINT64_C(0x9E3779B97F4A7C15);
	slot = hash.low & (k->slot_count - 1);
	for (; k->slots[slot]; slot = (slot + 1) & (k->slot_count - 1)) {
		const struct key *other = &k->keys[k->slots[slot] - 1];

		if (other->object == object && hash128_equal(other->hash, hash) &&
			other->size == key.size &&
			memcmp(k->bytes.data + other->offset, key.data, key.size) == 0)
			return JSON_KEYS_TWICE;
	}
	ARRAY_RESERVE(k->keys, k->capacity, k->count + 1);
	k->keys[k->count] = (struct key){ hash, slot, k->bytes.size, key.size, object };
	strbuf_append_text(&k->bytes, key);
	if (k->bytes.failed)
		return JSON_KEYS_FULL;
	k->slots[slot] = ++k->count;
	if (k->count * 2 > k->slot_count)
		grow(k);
	return JSON_KEYS_NEW;
}
