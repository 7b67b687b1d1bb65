/*
 * Digests and hashes. The only place that knows the digest libraries.
 *
 * SHA-256 (libcrypto) names content for good: inputs, frames and stacks.
 * The 128-bit hash (XXH3) is for tables in memory and for the order-free sum
 * over a result set's rows.
 */
#ifndef PROFDEPOT_BASE_HASH_H
#define PROFDEPOT_BASE_HASH_H

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
