#include "load_private.h"

/*
 * The result set's digest: a 128-bit hash of each row over its relation, its
 * numbers and its texts (length first; NULL and "" are the same), summed.
 */
void
digest_row(struct load *l, struct load_set *set, int tag, const int64_t *words, size_t word_count,
	const struct text *texts, size_t text_count)
{
	int64_t first = tag;

	strbuf_reset(&l->scratch);
	strbuf_append(&l->scratch, &first, sizeof(first));
	strbuf_append(&l->scratch, words, word_count * sizeof(*words));
	for (size_t i = 0; i < text_count; i++) {
		uint64_t size = texts[i].size;

		strbuf_append(&l->scratch, &size, sizeof(size));
		strbuf_append(&l->scratch, texts[i].data ? texts[i].data : "", texts[i].size);
	}
	hash128_add(&set->outcome.digest, hash128(l->scratch.data, l->scratch.size));
}

void
digest_decimal(struct decimal d, int64_t out[2])
{
	out[0] = d.mantissa;
	out[1] = d.kind << 8 | d.scale;
	if (d.kind == DECIMAL_TEXT)
		out[0] = (int64_t)hash128(d.text.data, d.text.size).low;
}

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
