/* SHA-256 by libcrypto, 128-bit hashes by XXH3. */
#include "base/hash.h"

#include "base/arena.h"
#include "base/memory.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct sha256 {
	EVP_MD_CTX *context;
	EVP_MD *md;
};

static void
must(int ok)
{
	/* SHA-256 fails only if the library is broken or memory runs out. */
	if (ok != 1)
		memory_exhausted();
}

struct sha256 *
sha256_new(void)
{
	struct sha256 *s = xmalloc(sizeof(*s));

	/* Fetched once, because EVP_sha256() looks up the algorithm for each digest. */
	s->md = EVP_MD_fetch(NULL, "SHA256", NULL);
	s->context = EVP_MD_CTX_new();
	must(s->md && s->context);
	must(EVP_DigestInit_ex2(s->context, s->md, NULL));
	return s;
}

void
sha256_free(struct sha256 *s)
{
	if (!s)
		return;
	EVP_MD_CTX_free(s->context);
	EVP_MD_free(s->md);
	free(s);
}

void
sha256_update(struct sha256 *s, const void *data, size_t size)
{
	if (size)
		must(EVP_DigestUpdate(s->context, data, size));
}

void
sha256_finish(struct sha256 *s, uint8_t out[SHA256_BYTES])
{
	must(EVP_DigestFinal_ex(s->context, out, NULL));
	must(EVP_DigestInit_ex2(s->context, NULL, NULL));
}

void
sha256_hmac(
	const void *key, size_t key_size, const void *data, size_t size, uint8_t out[SHA256_BYTES])
{
	must(HMAC(EVP_sha256(), key, (int)key_size, data, size, out, NULL) != NULL);
}

struct hash128
hash128(const void *data, size_t size)
{
	XXH128_hash_t h = XXH3_128bits(data, size);

	return (struct hash128){ h.low64, h.high64 };
}

struct hash128
hash128_seeded(const void *data, size_t size, uint64_t seed)
{
	XXH128_hash_t h = XXH3_128bits_withSeed(data, size, seed);

	return (struct hash128){ h.low64, h.high64 };
}

void
hash128_add(struct hash128 *sum, struct hash128 h)
{
	uint64_t low = sum->low + h.low;

	sum->high += h.high + (low < sum->low);
	sum->low = low;
}

void
hash128_hex(struct hash128 h, char out[HASH128_HEX_BYTES])
{
	snprintf(out, HASH128_HEX_BYTES, "%016" PRIx64 "%016" PRIx64, h.high, h.low);
}

void
hex_format(const void *data, size_t size, char *out)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *p = data;

	for (size_t i = 0; i < size; i++) {
		*out++ = digits[p[i] >> 4];
		*out++ = digits[p[i] & 15];
	}
	*out = '\0';
}
