#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
check_hex(const void *data, size_t size, const char *want)
{
	char hex[129];

	hex_format(data, size, hex);
	assert_string_equal(hex, want);
}

static void
test_hash(void **state)
{
	static const char abc[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	struct sha256 *s = sha256_new();
	uint8_t digest[SHA256_BYTES];
	char hex[HASH128_HEX_BYTES];
	struct hash128 sum = { UINT64_MAX, 1 };
	struct hash128 a = hash128("a", 1), b = hash128("b", 1);
	struct hash128 ab = a, ba = b;

	(void)state;
	/* an example of FIPS 180-4 in one piece and in two pieces, and the empty text */
	sha256_update(s, "abc", 3);
	sha256_finish(s, digest);
	check_hex(digest, sizeof(digest), abc);
	sha256_update(s, "a", 1);
	sha256_update(s, NULL, 0);
	sha256_update(s, "bc", 2);
	sha256_finish(s, digest);
	check_hex(digest, sizeof(digest), abc);
	sha256_finish(s, digest);
	check_hex(digest, sizeof(digest),
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	sha256_free(s);
	sha256_free(NULL);
	/* XXH3's value for the empty text with seed 0 */
	hash128_hex(hash128("", 0), hex);
	assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
	/* an addition carries into the high half, and the order of the terms does not matter */
	hash128_add(&sum, (struct hash128){ 1, UINT64_MAX });
	assert_true(sum.low == 0 && sum.high == 1);
	hash128_add(&ab, b);
	hash128_add(&ba, a);
	assert_true(hash128_equal(ab, ba) && !hash128_equal(a, b));
	check_hex("\x00\xFF", 2, "00ff");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
