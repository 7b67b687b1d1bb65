/*
 * Digests and hashes. Only base/hash.c uses the digest libraries.
 *
 * SHA-256 (libcrypto) identifies content permanently: inputs, frames and stacks. The 128-bit hash
 * (XXH3) is used for tables in memory, and for the checksum of a result set's rows. The checksum is
 * a sum of hashes, so it does not depend on the order of the rows.
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

struct sha256; /* a digest in progress */

struct sha256 *sha256_new(void);
void sha256_free(struct sha256 *s);
void sha256_update(struct sha256 *s, const void *data, size_t size);

/* Writes the digest and starts a new one. */
void sha256_finish(struct sha256 *s, uint8_t out[SHA256_BYTES]);

/* Writes the HMAC (RFC 2104) of the data. */
void sha256_hmac(
	const void *key, size_t key_size, const void *data, size_t size, uint8_t out[SHA256_BYTES]);

struct hash128 {
	uint64_t low;
	uint64_t high;
};

struct hash128 hash128(const void *data, size_t size);
/* A keyed hash, for tables whose keys come from an input or a client. */
struct hash128 hash128_seeded(const void *data, size_t size, uint64_t seed);

/*
 * Hashes two integers for a table in memory: two rounds of multiply and fold, with a seed that no
 * input can predict (process_seed). All 64 bits of the result are well mixed.
 */
static inline uint64_t
pair_hash(uint64_t seed, uint64_t a, uint64_t b)
{
	wide_bits m = (wide_bits)(a ^ seed) * UINT64_C(0x9E3779B97F4A7C15);
	uint64_t h = (uint64_t)m ^ (uint64_t)(m >> 64);

	m = (wide_bits)(h + b) * (seed ^ UINT64_C(0xD6E8FEB86659FD93));
	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Adds h to *sum modulo 2^128, so the order of the terms does not matter. */
void hash128_add(struct hash128 *sum, struct hash128 h);

static inline bool
hash128_equal(struct hash128 a, struct hash128 b)
{
	return a.low == b.low && a.high == b.high;
}

/* Writes lower-case hex and NUL: 2 * size + 1 bytes. */
void hex_format(const void *data, size_t size, char *out);

enum {
	HASH128_HEX_BYTES = 33
};

/* Writes lower-case hex, high half first, so that the text sorts like the number. */
void hash128_hex(struct hash128 h, char out[HASH128_HEX_BYTES]);

#endif
