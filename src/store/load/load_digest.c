/* Frame identities: SHA-256 over names. A frame has the same identity in every result set. */
#include "load_private.h"

static void
add_name(struct sha256 *sha, struct text t, bool last)
{
	static const char separator = 0x1f;

	if (t.size)
		sha256_update(sha, t.data, t.size);
	if (!last)
		sha256_update(sha, &separator, 1);
}

static void
finish(struct sha256 *sha, uint8_t out[IDENTITY_BYTES])
{
	uint8_t whole[SHA256_BYTES];

	sha256_finish(sha, whole);
	memcpy(out, whole, IDENTITY_BYTES);
}

void
frame_identity(struct sha256 *sha, const struct load_routine *r, uint8_t out[IDENTITY_BYTES])
{
	add_name(sha, r->module, false);
	add_name(sha, r->class_name, false);
	add_name(sha, r->routine, true);
	finish(sha, out);
}

void
line_identity(
	struct sha256 *sha, const struct load_routine *r, int64_t line, uint8_t out[IDENTITY_BYTES])
{
	char digits[24];

	add_name(sha, r->module, false);
	add_name(sha, r->class_name, false);
	add_name(sha, r->routine, false);
	add_name(sha, r->file, false);
	if (line != MODEL_NULL)
		add_name(sha, (struct text){ digits, number_format_int64(line, digits) }, true);
	finish(sha, out);
}
