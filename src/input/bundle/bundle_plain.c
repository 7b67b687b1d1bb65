/*
 * Converts two encodings that libarchive does not support: bare zlib streams, which browser tools
 * write, and JSON in UTF-16. Both are recognised by their first bytes and by the converted text, so
 * that other files with the same first bytes are left unchanged.
 */
#include "bundle_private.h"
#include "input/temp_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum {
	IN_BYTES = 64 * 1024,
	OUT_BYTES = 256 * 1024,
	LOOK_BYTES = 512,
	BAD_UTF8 = 0xFF, /* replaces invalid UTF-16; the format's reader reports it */
};

struct plain {
	struct bundle *bundle;
	struct bundle_entry *entry;
	int in, out;
	int64_t size; /* bytes written */
	bool nested;  /* the file is a member of an archive */
	unsigned char *from;
	char *to;
};

static unsigned
unit_at(const unsigned char *p, bool big)
{
	return big ? (unsigned)p[0] << 8 | p[1] : (unsigned)p[1] << 8 | p[0];
}

/* Whether p begins with a BOM, optional blanks, and a bracket that begins JSON. */
static bool
is_json_utf16(const unsigned char *p, size_t size, bool *big)
{
	if (size < 4 || ((p[0] != 0xFE || p[1] != 0xFF) && (p[0] != 0xFF || p[1] != 0xFE)))
		return false;
	*big = p[0] == 0xFE;
	for (size_t i = 2; i + 1 < size; i += 2) {
		unsigned c = unit_at(p + i, *big);

		if (c > 0x7F || !char_is_space((char)c))
			return c == '{' || c == '[';
	}
	return false;
}

/* Decodes the complete characters in `size` bytes and sets *used to their size in bytes. */
static size_t
decode(const struct plain *p, size_t size, bool big, bool last, size_t *used)
{
	size_t n = 0;
	size_t i = 0;

	for (; i + 1 < size; i += 2) {
		unsigned c = unit_at(p->from + i, big);
		unsigned low;

		if (c < 0xD800 || c > 0xDFFF) {
			n += utf8_encode(c, p->to + n);
			continue;
		}
		if (c < 0xDC00 && i + 3 >= size && !last)
			break;
		low = c < 0xDC00 && i + 3 < size ? unit_at(p->from + i + 2, big) : 0;
		if (low >= 0xDC00 && low <= 0xDFFF) {
			n += utf8_encode(utf16_pair(c, low), p->to + n);
			i += 2;
		} else {
			p->to[n++] = (char)BAD_UTF8;
		}
	}
	if (last && i < size) {
		p->to[n++] = (char)BAD_UTF8;
		i = size;
	}
	*used = i;
	return n;
}

static ssize_t
read_block(const struct plain *p, size_t have, int64_t at, struct error *err)
{
	ssize_t n = pread(p->in, p->from + have, IN_BYTES - have, at);

	if (n < 0)
		error_set_errno(err, ERROR_FILE, "%s: cannot be read", p->entry->member.name);
	return n;
}

static bool
write_block(struct plain *p, size_t n, struct error *err)
{
	p->size += (int64_t)n;
	return bundle_may_write(p->bundle, (int64_t)n, p->nested, err) &&
	       temp_write(p->out, p->to, n, err);
}

static bool
write_utf8(struct plain *p, bool big, struct error *err)
{
	int64_t at = 2; /* after the BOM */
	size_t have = 0;
	bool last = false;

	while (!last) {
		ssize_t n = read_block(p, have, at, err);
		size_t used;

		if (n < 0)
			return false;
		last = n == 0;
		at += n;
		have += (size_t)n;
		if (!write_block(p, decode(p, have, big, last, &used), err))
			return false;
		have -= used;
		memmove(p->from, p->from + used, have);
	}
	return true;
}

/* Whether a zlib header is followed by compressed JSON, possibly in UTF-16. */
static bool
is_json_zlib(unsigned char *head, size_t size)
{
	unsigned char text[LOOK_BYTES];
	z_stream z = { .next_in = head, .avail_in = (uInt)size };
	size_t n;
	size_t i = 0;
	bool big;

	if (size < 2 || (head[0] & 0x0F) != Z_DEFLATED || (head[0] << 8 | head[1]) % 31 != 0)
		return false;
	if (inflateInit(&z) != Z_OK)
		return false;
	z.next_out = text;
	z.avail_out = sizeof(text);
	/* Ignore errors: if the stream is damaged, unpacking reports it. */
	(void)inflate(&z, Z_SYNC_FLUSH);
	n = sizeof(text) - z.avail_out;
	inflateEnd(&z);
	if (is_json_utf16(text, n, &big))
		return true;
	if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		i = 3;
	while (i < n && char_is_space((char)text[i]))
		i++;
	return i < n && (text[i] == '{' || text[i] == '[');
}

static bool
inflate_all(struct plain *p, z_stream *z, struct error *err)
{
	int64_t at = 0;
	int r = Z_OK;

	while (r != Z_STREAM_END) {
		if (z->avail_in == 0) {
			ssize_t n = read_block(p, 0, at, err);

			if (n < 0)
				return false;
			at += n;
			z->next_in = p->from;
			z->avail_in = (uInt)n;
		}
		z->next_out = (unsigned char *)p->to;
		z->avail_out = OUT_BYTES;
		r = inflate(z, Z_NO_FLUSH);
		if (r != Z_OK && r != Z_STREAM_END)
			return error_set(err, ERROR_INPUT,
				"%s: the zlib stream is damaged or truncated at byte %" PRId64,
				p->entry->member.name, at - (int64_t)z->avail_in);
		if (!write_block(p, OUT_BYTES - z->avail_out, err))
			return false;
	}
	if (z->avail_in == 0 && at >= p->entry->member.size)
		return true;
	return error_set(err, ERROR_INPUT, "%s: something follows the zlib stream at byte %" PRId64,
		p->entry->member.name, at - (int64_t)z->avail_in);
}

static bool
write_inflated(struct plain *p, struct error *err)
{
	z_stream z = { .next_in = NULL };
	bool ok;

	if (inflateInit(&z) != Z_OK)
		return error_set(err, ERROR_INTERNAL, "cannot initialise zlib");
	ok = inflate_all(p, &z, err);
	inflateEnd(&z);
	return ok;
}

/* Replaces the member by its converted content. */
static bool
replace(struct plain *p, bool zlib, bool big, struct error *err)
{
	struct bundle *b = p->bundle;
	bool ok;

	p->size = 0;
	p->nested = bundle_count_packed(b, p->entry);
	p->out = temp_open(err);
	if (p->out < 0)
		return false;
	b->size -= p->entry->member.size;
	ok = zlib ? write_inflated(p, err) : write_utf8(p, big, err);
	if (!ok) {
		close(p->out);
		return error_prefix(
			err, "%s", strcmp(b->path, "-") == 0 ? "standard input" : b->path);
	}
	if (p->entry->fd >= 0)
		close(p->entry->fd);
	p->entry->fd = p->out;
	p->entry->member.size = p->size;
	b->size += p->size;
	return true;
}

static bool
make_plain(struct plain *p, bool *again, struct error *err)
{
	unsigned char head[LOOK_BYTES];
	ssize_t n = pread(p->in, head, sizeof(head), 0);
	bool big = false;
	bool zlib = n > 0 && is_json_zlib(head, (size_t)n);
	bool ok;

	*again = false;
	if (!zlib && (n <= 0 || !is_json_utf16(head, (size_t)n, &big)))
		return true;
	p->from = xmalloc(IN_BYTES);
	p->to = xmalloc(OUT_BYTES);
	ok = replace(p, zlib, big, err);
	free(p->from);
	free(p->to);
	*again = zlib;
	return ok;
}

bool
bundle_plain_members(struct bundle *b, struct error *err)
{
	for (size_t i = 0; i < b->count; i++) {
		struct plain p = { .bundle = b, .entry = &b->entries[i] };
		bool again = true;

		while (again) {
			bool ok;

			/* The format's reader reports unreadable members. */
			p.in = bundle_open_member(b, i, &(struct error){ .code = ERROR_NONE });
			if (p.in < 0)
				break;
			ok = make_plain(&p, &again, err);
			close(p.in);
			if (!ok)
				return false;
		}
	}
	return true;
}
