/* A sequence of bits, one per item, and the number of set bits before each item. */
#ifndef PROFDEPOT_SRC_MODEL_RANKED_BITS_H
#define PROFDEPOT_SRC_MODEL_RANKED_BITS_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
	BITS_PER_WORD = 64
};

/* A zeroed struct is empty. Release it with ranked_bits_release. */
struct ranked_bits {
	uint64_t *words;
	uint32_t *before; /* for each word: the number of set bits in all words before it */
	size_t room, before_room;
};

static inline uint64_t
bit_of(size_t item)
{
	return UINT64_C(1) << item % BITS_PER_WORD;
}

static inline bool
bit_at(const uint64_t *words, size_t item)
{
	return words[item / BITS_PER_WORD] & bit_of(item);
}

/* Returns the number of set bits before the item. */
static inline uint32_t
ranked_bits_before(const struct ranked_bits *b, size_t item)
{
	const uint64_t word = b->words[item / BITS_PER_WORD] & (bit_of(item) - 1);

	return b->before[item / BITS_PER_WORD] + (uint32_t)__builtin_popcountll(word);
}

/* Adds the next item. `before` is the number of set bits so far. */
static inline void
ranked_bits_add(struct ranked_bits *b, size_t item, bool bit, uint32_t before)
{
	const size_t word = item / BITS_PER_WORD;

	if (item % BITS_PER_WORD == 0) {
		ARRAY_RESERVE(b->words, b->room, word + 1);
		ARRAY_RESERVE(b->before, b->before_room, word + 1);
		b->words[word] = 0;
		b->before[word] = before;
	}
	if (bit)
		b->words[word] |= bit_of(item);
}

static inline void
ranked_bits_release(struct ranked_bits *b)
{
	free(b->words);
	free(b->before);
	*b = (struct ranked_bits){ 0 };
}

#endif
