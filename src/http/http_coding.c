/* Entity tags and compression of complete answers (RFC 9110, 8.4 and 13.1.2). */
#include "http_coding.h"
#include "http_private.h"

#include "base/hash.h"
#include "input/gzip.h"
#include "input/spool.h"

#include <string.h>

enum {
	/* A larger body has no tag. Computing its tag would take long, and clients would rarely use it. */
	MAX_TAGGED_BYTES = 16 * 1024 * 1024,
	MIN_PACKED_BYTES = 1024,
	MAX_PACKED_BYTES = 64 * 1024 * 1024,
	PIECE_BYTES = 32 * 1024,
	TAG_BYTES = HASH128_HEX_BYTES + 4,
};

/* --- entity tags ----------------------------------------------------------------------------- */

/* Adds a tag. It is weak, because the packed and the unpacked body have the same tag. */
static void
add_tag(struct exchange *x)
{
	struct error err = ERROR_INIT;
	struct hash128 h = { 0, 0 };
	char piece[PIECE_BYTES], hex[HASH128_HEX_BYTES];
	uint64_t left = spool_size(x->sent);
	bool ok = spool_rewind(x->sent, &err);
	char *tag = arena_alloc(&x->arena, TAG_BYTES);

	while (ok && left) {
		size_t n = left < sizeof(piece) ? (size_t)left : sizeof(piece);

		ok = spool_read(x->sent, piece, n, &err);
		h = hash128_seeded(piece, n, h.low ^ h.high);
		left -= n;
	}
	hash128_hex(h, hex);
	snprintf(tag, TAG_BYTES, "W/\"%s\"", hex);
	if (!ok)
		return;
	http_answer_field(&x->answer, "ETag", tag);
	http_answer_field(&x->answer, "Cache-Control", "private, no-cache");
}

/* Returns whether If-None-Match, a list of tags, contains the tag. Tags are compared without "W/". */
static bool
is_known(const struct exchange *x, const char *tag)
{
	struct text known = http_header_find(&x->request.headers, "If-None-Match");
	const char *opaque = strchr(tag, '"');

	return known.data && (strcmp(known.data, "*") == 0 || strstr(known.data, opaque));
}

/* --- compression ----------------------------------------------------------------------------- */

static bool
is_text(const char *type)
{
	static const char *const types[] = { "text/", "application/json", "application/x-ndjson",
		"application/xml", "image/svg+xml" };

	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (strncmp(type, types[i], strlen(types[i])) == 0)
			return true;
	return false;
}

/* Compresses the body. If this fails, the body remains unchanged. */
static void
pack_body(struct exchange *x)
{
	struct spool *packed = http_spool_new(x);
	struct error err = ERROR_INIT;

	if (!gzip_spool(x->sent, packed, &err)) {
		spool_free(packed);
		return;
	}
	http_replace_body(x, packed);
	http_answer_field(&x->answer, "Content-Encoding", "gzip");
}

static bool
can_pack(const struct http_answer *a, uint64_t size)
{
	if (a->constant.data)
		return a->packed.data;
	return is_text(a->content_type) && size >= MIN_PACKED_BYTES && size <= MAX_PACKED_BYTES;
}

/* Sends the body compressed if the client accepts gzip. */
static void
encode(struct exchange *x)
{
	struct http_answer *a = &x->answer;
	struct text accepted = http_header_find(&x->request.headers, "Accept-Encoding");

	if (!can_pack(a, spool_size(x->sent)))
		return;
	http_answer_field(a, "Vary", "Accept-Encoding");
	if (text_is_empty(accepted) || http_accept_quality(accepted.data, "gzip") == 0)
		return;
	if (a->constant.data) {
		a->constant = a->packed;
		http_answer_field(a, "Content-Encoding", "gzip");
	} else {
		pack_body(x);
	}
}

void
http_code_body(struct exchange *x)
{
	struct http_answer *a = &x->answer;
	bool at_once = x->route->lane == HTTP_AT_ONCE;
	struct text tag;

	if (a->status != 200 || x->request.method != HTTP_GET || (at_once && !a->constant.data))
		return;
	if (!at_once && spool_size(x->sent) <= MAX_TAGGED_BYTES &&
		!http_answer_value(a, "Cache-Control").data)
		add_tag(x);
	tag = http_answer_value(a, "ETag");
	if (tag.data && is_known(x, tag.data)) {
		a->status = 304;
		http_replace_body(x, http_spool_new(x));
	} else {
		encode(x);
	}
}
