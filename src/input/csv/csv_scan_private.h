/*
 * Finds delimiters, quotes and line breaks: each block of 64 bytes becomes a mask with one bit per
 * special byte. There is an SSE2 version and a portable version with the same masks; a unit test
 * compares them.
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_SCAN_PRIVATE_H
#define PROFDEPOT_INPUT_CSV_CSV_SCAN_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
	CSV_BLOCK_BYTES = 64
};

/* Sets the zero bytes of x to 0x80 and all other bytes to 0. */
static inline uint64_t
csv_zero_bytes(uint64_t x)
{
	const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);

	return ~(((x & low) + low) | x | low);
}

static inline uint64_t
csv_equal_bytes(uint64_t word, unsigned char c)
{
	return csv_zero_bytes(word ^ (UINT64_C(0x0101010101010101) * c));
}

static inline uint64_t
csv_load_word(const char *p)
{
	uint64_t word = 0;

	/* Byte i becomes the bits from 8i on, whatever the machine's byte order is. */
	for (int i = 7; i >= 0; i--)
		word = word << 8 | (unsigned char)p[i];
	return word;
}

static inline uint64_t
csv_mask_portable(const char *p, char delimiter)
{
	uint64_t mask = 0;

	for (int i = 0; i < CSV_BLOCK_BYTES; i += 8) {
		uint64_t word = csv_load_word(p + i);
		uint64_t hit = csv_equal_bytes(word, (unsigned char)delimiter) |
			       csv_equal_bytes(word, '"') | csv_equal_bytes(word, '\n') |
			       csv_equal_bytes(word, '\r');

		/* The multiplication moves bit 8k to bit 56 + k, without carries. */
		mask |= ((hit >> 7) * UINT64_C(0x0102040810204080) >> 56) << i;
	}
	return mask;
}

#ifdef __SSE2__
static inline uint64_t
csv_mask_sse2(const char *p, char delimiter)
{
	const __m128i d = _mm_set1_epi8(delimiter);
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i lf = _mm_set1_epi8('\n');
	const __m128i cr = _mm_set1_epi8('\r');
	uint64_t mask = 0;

	for (int i = 0; i < CSV_BLOCK_BYTES; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i hit =
			_mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, d), _mm_cmpeq_epi8(v, quote)),
				_mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)));

		mask |= (uint64_t)(unsigned)_mm_movemask_epi8(hit) << i;
	}
	return mask;
}
#endif

static inline uint64_t
csv_mask(const char *p, char delimiter)
{
#ifdef __SSE2__
	return csv_mask_sse2(p, delimiter);
#else
	return csv_mask_portable(p, delimiter);
#endif
}

/* Index of the lowest bit of a nonzero mask. */
static inline unsigned
csv_lowest_bit(uint64_t mask)
{
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(mask);
#else
	unsigned i = 0;

	for (; !(mask & 1); mask >>= 1)
		i++;
	return i;
#endif
}

/* The state of a scan over [block, end). The CSV_BLOCK_BYTES bytes after `end` must be readable. */
struct csv_scan {
	const char *block;
	const char *end;
	uint64_t mask; /* bits of the block's special bytes that have not been returned yet */
};

static inline uint64_t
csv_scan_block(const char *block, const char *end, char delimiter)
{
	uint64_t mask = csv_mask(block, delimiter);
	size_t left = (size_t)(end - block);

	return left < CSV_BLOCK_BYTES ? mask & ((UINT64_C(1) << left) - 1) : mask;
}

static inline struct csv_scan
csv_scan_begin(const char *p, const char *end, char delimiter)
{
	return (struct csv_scan){ p, end, p < end ? csv_scan_block(p, end, delimiter) : 0 };
}

/* Returns the next special byte; NULL at the end. */
static inline const char *
csv_scan_next(struct csv_scan *s, char delimiter)
{
	const char *p;

	while (!s->mask) {
		if (s->end - s->block <= CSV_BLOCK_BYTES)
			return NULL;
		s->block += CSV_BLOCK_BYTES;
		s->mask = csv_scan_block(s->block, s->end, delimiter);
	}
	p = s->block + csv_lowest_bit(s->mask);
	s->mask &= s->mask - 1;
	return p;
}

#endif
