/* Digests of an input and its members. */
#include "base/fd.h"
#include "bundle_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	DIGEST_BLOCK_BYTES = 128 * 1024 /* small enough to be hashed while in the CPU's cache */
};

static bool
digest_bytes(struct sha256 *sha, int fd, char *block, int64_t *size, struct error *err)
{
	for (;;) {
		ssize_t n = fd_read(fd, block, DIGEST_BLOCK_BYTES);

		if (n == 0)
			return true;
		if (n < 0)
			return error_set_errno(err, ERROR_FILE, "cannot be read");
		sha256_update(sha, block, (size_t)n);
		*size += n;
	}
}

/* Adds a member's bytes to a digest and sets *size to their number. */
static bool
digest_member(struct bundle *b, size_t i, struct sha256 *sha, int64_t *size, struct error *err)
{
	int fd = bundle_open_member(b, i, err);
	char *block;
	bool ok;

	*size = 0;
	if (fd < 0)
		return false;
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	block = xmalloc(DIGEST_BLOCK_BYTES);
	ok = digest_bytes(sha, fd, block, size, err);
	free(block);
	close(fd);
	return ok || error_prefix(err, "%s", bundle_member(b, i)->name);
}

bool
bundle_digest_line(
	struct bundle *b, size_t i, const char *name, struct sha256 *all, struct error *err)
{
	struct sha256 *one = sha256_new();
	uint8_t digest[SHA256_BYTES];
	char hex[2 * SHA256_BYTES + 1];
	char rest[2 * SHA256_BYTES + 32];
	int64_t size;
	int n;
	bool ok = digest_member(b, i, one, &size, err);

	sha256_finish(one, digest);
	sha256_free(one);
	if (!ok)
		return false;
	hex_format(digest, sizeof(digest), hex);
	n = snprintf(rest, sizeof(rest), " %" PRId64 " %s\n", size, hex);
	sha256_update(all, name, strlen(name));
	sha256_update(all, rest, (size_t)n);
	return true;
}

bool
bundle_digest(struct bundle *b, uint8_t out[SHA256_BYTES], struct error *err)
{
	struct sha256 *sha = sha256_new();
	int64_t size;
	bool ok = true;

	if (bundle_is_file(b))
		ok = digest_member(b, 0, sha, &size, err);
	for (size_t i = 0; ok && !bundle_is_file(b) && i < bundle_count(b); i++)
		ok = bundle_digest_line(b, i, bundle_member(b, i)->name, sha, err);
	if (ok)
		sha256_finish(sha, out);
	sha256_free(sha);
	return ok;
}
