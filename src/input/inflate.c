/* Decompression of gzip (RFC 1952) and zlib (RFC 1950) streams. */
#include "input/inflate.h"

#include "base/memory.h"

#include <zlib.h>

enum {
	IN_BYTES = 32 * 1024,
	OUT_BYTES = 64 * 1024,
	GZIP_OR_ZLIB = 32 /* detect the format from the first bytes */
};

struct unpacking {
	z_stream z;
	struct spool *spool;
	uint64_t left; /* bytes of the spool that have not been read */
	struct strbuf *out;
	unsigned char in[IN_BYTES];
};

static bool
feed(struct unpacking *u, struct error *err)
{
	size_t n = u->left < IN_BYTES ? (size_t)u->left : IN_BYTES;

	if (u->z.avail_in)
		return true;
	if (n == 0)
		return error_set(err, ERROR_INPUT, "the compressed body is truncated");
	if (!spool_read(u->spool, u->in, n, err))
		return false;
	u->left -= n;
	u->z.next_in = u->in;
	u->z.avail_in = (uInt)n;
	return true;
}

/* Decompresses one stream; sets *ended once the stream is complete. */
static bool
step(struct unpacking *u, bool *ended, struct error *err)
{
	char *room = strbuf_reserve(u->out, OUT_BYTES);
	int status;

	/* If there is no room for a full block, the last bytes may still fit. */
	size_t size = room ? OUT_BYTES : u->out->max - u->out->size;

	if (!room) {
		u->out->failed = false;
		room = size ? strbuf_reserve(u->out, size) : NULL;
	}
	if (!room)
		return error_set(err, ERROR_LIMIT, "the uncompressed body has more than %zu bytes",
			u->out->max);
	u->z.next_out = (Bytef *)room;
	u->z.avail_out = (uInt)size;
	status = inflate(&u->z, Z_NO_FLUSH);
	u->out->size += size - u->z.avail_out;
	*ended = status == Z_STREAM_END;
	if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
		return true;
	return error_set(err, ERROR_INPUT, "the compressed body is damaged");
}

static bool
has_memory(struct error *err)
{
	return memory_budget_fits(0) ||
	       error_set(err, ERROR_MEMORY, "there is no memory left for the uncompressed body");
}

static bool
unpack(struct unpacking *u, struct error *err)
{
	bool ended = false;

	do {
		if (ended && inflateReset(&u->z) != Z_OK)
			return error_set(err, ERROR_INTERNAL, "cannot reset zlib");
		ended = false;
		while (!ended)
			if (!feed(u, err) || !step(u, &ended, err) || !has_memory(err))
				return false;
	} while (u->z.avail_in || u->left);
	return true;
}

bool
inflate_spool(struct spool *s, struct strbuf *out, struct error *err)
{
	struct unpacking u = { .spool = s, .left = spool_size(s), .out = out };
	bool ok;

	if (inflateInit2(&u.z, MAX_WBITS + GZIP_OR_ZLIB) != Z_OK)
		return error_set(err, ERROR_INTERNAL, "cannot initialise zlib");
	ok = unpack(&u, err);
	inflateEnd(&u.z);
	return ok;
}
