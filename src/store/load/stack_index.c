/* A hash table with open addressing, whose slots do not contain the keys. */
#include "stack_index.h"

#include "base/arena.h"
#include "base/array.h"

#include <stdlib.h>

enum {
	TAG_BITS = 32,
	FIRST_LOG2 = 6,
};

void
stack_index_release(struct stack_index *x)
{
	free(x->slots);
	free(x->keys);
	*x = (struct stack_index){ 0 };
}

static uint32_t
tag_of(uint64_t hash)
{
	return (uint32_t)(hash >> TAG_BITS);
}

static size_t
mask_of(const struct stack_index *x)
{
	return ((size_t)1 << x->size_log2) - 1;
}

uint32_t
stack_index_find(const struct stack_index *x, const struct stack_key *key)
{
	const uint32_t tag = tag_of(key->hash);
	size_t i;

	if (!x->slots)
		return STACK_NONE;
	for (i = tag >> (TAG_BITS - x->size_log2); x->slots[i].stack; i = (i + 1) & mask_of(x)) {
		const struct stack_key *k = &x->keys[x->slots[i].stack - 1];

		if (x->slots[i].tag == tag && k->hash == key->hash &&
			hash128_equal(k->content, key->content))
			return x->slots[i].stack - 1;
	}
	return STACK_NONE;
}

static void
put(struct stack_index *x, struct stack_slot slot)
{
	size_t i = slot.tag >> (TAG_BITS - x->size_log2);

	while (x->slots[i].stack)
		i = (i + 1) & mask_of(x);
	x->slots[i] = slot;
}

static void
grow(struct stack_index *x)
{
	const struct stack_index old = *x;

	x->size_log2 = old.slots ? old.size_log2 + 1 : (unsigned)FIRST_LOG2;
	x->slots = xcalloc_table((size_t)1 << x->size_log2, sizeof(*x->slots));
	for (size_t i = 0; old.slots && i <= mask_of(&old); i++)
		if (old.slots[i].stack)
			put(x, old.slots[i]);
	free(old.slots);
}

void
stack_index_add(struct stack_index *x, const struct stack_key *key, bool is_private)
{
	*ARRAY_ADD(x->keys, x->count, x->room) = *key;
	if (is_private)
		return;
	if (!x->slots || x->used >= mask_of(x) / 4 * 3)
		grow(x);
	put(x, (struct stack_slot){ tag_of(key->hash), (uint32_t)x->count });
	x->used++;
}
