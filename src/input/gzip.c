/* Compresses into gzip's format. */
#include "input/gzip.h"

#include "input/spool.h"

#include <limits.h>
#include <zlib.h>

enum {
	WINDOW = 15 + 16, /* zlib: the largest window, in gzip's format */
	MEMORY = 8,       /* zlib: the default */
	PIECE_BYTES = 32 * 1024
};

static bool
begin(z_stream *z, int level)
{
	*z = (z_stream){ .zalloc = NULL };
	return deflateInit2(z, level, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
}

struct text
gzip_text(struct arena *a, struct text content)
{
	struct text packed = TEXT_NULL;
	char *out = arena_alloc(a, content.size + 1);
	z_stream z;

	if (content.size > UINT_MAX || !begin(&z, Z_BEST_COMPRESSION))
		return packed;
	z.next_in = (z_const Bytef *)(uintptr_t)content.data;
	z.avail_in = (unsigned)content.size;
	z.next_out = (Bytef *)out;
	z.avail_out = (unsigned)content.size;
	if (deflate(&z, Z_FINISH) == Z_STREAM_END)
		packed = (struct text){ out, z.total_out };
	deflateEnd(&z);
	return packed;
}

static bool
write_packed(z_stream *z, int flush, struct spool *out, struct error *err)
{
	unsigned char piece[PIECE_BYTES];

	do {
		z->next_out = piece;
		z->avail_out = sizeof(piece);
		deflate(z, flush);
		if (!spool_write(out, piece, sizeof(piece) - z->avail_out, err))
			return false;
	} while (z->avail_out == 0);
	return true;
}

bool
gzip_spool(struct spool *in, struct spool *out, struct error *err)
{
	unsigned char piece[PIECE_BYTES];
	uint64_t left = spool_size(in);
	bool ok = spool_rewind(in, err);
	bool more = true;
	z_stream z;

	if (!begin(&z, Z_BEST_SPEED))
		return error_set(err, ERROR_MEMORY, "no memory to compress");
	while (ok && more) {
		size_t n = left < sizeof(piece) ? (size_t)left : sizeof(piece);

		left -= n;
		more = left > 0;
		ok = spool_read(in, piece, n, err);
		z.next_in = piece;
		z.avail_in = (unsigned)n;
		ok = ok && write_packed(&z, more ? Z_NO_FLUSH : Z_FINISH, out, err);
	}
	deflateEnd(&z);
	return ok;
}
