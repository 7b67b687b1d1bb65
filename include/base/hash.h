/*
 * Digests and hashes. The only place that knows the digest libraries.
 *
 * SHA-256 (libcrypto) names content for good: inputs, frames and stacks.
 * The 128-bit hash (XXH3) is for tables in memory and for the order-free sum
 * over a result set's rows.
 */
#ifndef PROFDEPOT_BASE_HASH_H
#define PROFDEPOT_BASE_HASH_H

#include "base/decimal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SHA256_BYTES = 32,
	IDENTITY_BYTES = 16
};

struct sha256; /* a running digest */

struct sha256 *sha256_new(void);
void sha256_free(struct sha256 *s);
void sha256_update(struct sha256 *s, const void *data, size_t size);

/* Writes the digest and starts anew. */
void sha256_finish(struct sha256 *s, uint8_t out[SHA256_BYTES]);

struct hash128 {
	uint64_t low;
	uint64_t high;
};

struct hash128 hash128(const void *data, size_t size);
/* For tables whose keys others write. */
struct hash128 hash128_seeded(const void *data, size_t size, uint64_t seed);

/*
 * Of two integers, for tables in memory: two rounds of multiply and fold, begun with
 * a number that no input knows (process_seed). All 64 bits are good.
 */
static inline uint64_t
pair_hash(uint64_t seed, uint64_t a, uint64_t b)
{
	wide_bits m = (wide_bits)(a ^ seed) * UINT64_C(0x9E3779B97F4A7C15);
	uint64_t h = (uint64_t)m ^ (uint64_t)(m >> 64);

	m = (wide_bits)(h + b) * (seed ^ UINT64_C(0xD6E8FEB86659FD93));
	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* sum += h modulo 2^128: the order of the summands does not matter. */
void hash128_add(struct hash128 *sum, struct hash128 h);

static inline bool
hash128_equal(struct hash128 a, struct hash128 b)
{
	return a.low == b.low && a.high == b.high;
}

/* Lower-case hex and NUL: out has 2 * size + 1 bytes. */
void hex_format(const void *data, size_t size, char *out);

/* 16 bytes, high half first, so that the hex of two sums sorts alike. */
void hash128_bytes(struct hash128 h, uint8_t out[16]);

#endif
