/* Decodes table files to UTF-8. */
#include "csv_private.h"

#include "base/arena.h"
#include "base/fd.h"

#include <errno.h>
#include <stdlib.h>

enum {
	RAW_BYTES = 64 * 1024
};

/* Reads some bytes and counts them. */
static bool
read_some(struct csv_decoder *d, void *out, size_t room, size_t *got, struct error *err)
{
	ssize_t n;

	*got = 0;
	if (d->eof)
		return true;
	n = fd_read(d->fd, out, room);
	if (n < 0)
		return error_set_errno(err, ERROR_FILE, "cannot be read");
	d->eof = n == 0;
	*got = (size_t)n;
	if (d->consumed)
		*d->consumed += n;
	return true;
}

/* Fills d->raw with at least `least` bytes or with the rest of the file. */
static bool
refill(struct csv_decoder *d, size_t least, struct error *err)
{
	size_t got;

	if (d->start) {
		memmove(d->raw, d->raw + d->start, d->end - d->start);
		d->end -= d->start;
		d->start = 0;
	}
	while (d->end < least && !d->eof) {
		if (!read_some(d, d->raw + d->end, least - d->end, &got, err))
			return false;
		d->end += got;
	}
	return true;
}

/* Returns whether the encoding is UTF-16 of unknown byte order. The BOM then shows the byte order. */
static bool
is_any_utf16(const char *encoding)
{
	static const char *const names[] = { "UTF-16", "UTF16", "UCS-2", NULL };

	return text_among_nocase(text_from(encoding), names);
}

static void
skip_bom(struct csv_decoder *d, const char *encoding)
{
	static const char *const boms[] = {
		[CSV_UTF8] = "\xEF\xBB\xBF", [CSV_UTF16LE] = "\xFF\xFE", [CSV_UTF16BE] = "\xFE\xFF"
	};
	static const char *const names[] = {
		[CSV_UTF8] = "UTF-8", [CSV_UTF16LE] = "UTF-16LE", [CSV_UTF16BE] = "UTF-16BE"
	};

	for (int i = CSV_UTF8; i <= CSV_UTF16BE; i++)
		if (text_begins((struct text){ (const char *)d->raw, d->end }, boms[i])) {
			if (encoding && (int)d->encoding != i &&
				(i == CSV_UTF8 || !is_any_utf16(encoding)))
				d->mark = names[i];
			d->encoding = (enum csv_encoding)i;
			d->start = d->offset = strlen(boms[i]);
		}
}

/* Whether every byte by itself decodes to at most one character. */
static bool
is_single_byte(iconv_t cd)
{
	for (int c = 1; c < 256; c++) {
		char byte = (char)c;
		char text[8];
		char *in = &byte;
		char *out = text;
		size_t in_left = 1;
		size_t out_left = sizeof(text);
		size_t made;

		iconv(cd, NULL, NULL, NULL, NULL);
		if (iconv(cd, &in, &in_left, &out, &out_left) == (size_t)-1) {
			if (errno != EILSEQ)
				return false;
			continue;
		}
		made = sizeof(text) - out_left;
		for (size_t i = 1; i < made; i++)
			if (((unsigned char)text[i] & 0xC0) != 0x80)
				return false;
		if (made == 0)
			return false;
	}
	return true;
}

static bool
open_encoding(struct csv_decoder *d, const char *encoding, struct error *err)
{
	static const char *const utf8[] = { "UTF-8", "UTF8", NULL };
	static const char *const utf16le[] = { "UTF-16LE", "UTF16LE", "UTF-16", "UTF16", "UCS-2LE",
		"UCS-2", NULL };
	static const char *const utf16be[] = { "UTF-16BE", "UTF16BE", "UCS-2BE", NULL };

	if (text_among_nocase(text_from(encoding), utf8)) {
		d->encoding = CSV_UTF8;
	} else if (text_among_nocase(text_from(encoding), utf16le)) {
		d->encoding = CSV_UTF16LE;
	} else if (text_among_nocase(text_from(encoding), utf16be)) {
		d->encoding = CSV_UTF16BE;
	} else {
		d->encoding = CSV_ICONV;
		/* A name with a slash could end with //IGNORE, which hides errors. */
		if (*encoding && !strchr(encoding, '/'))
			d->cd = iconv_open("UTF-8", encoding);
		if (d->cd == (iconv_t)-1) {
			error_set(err, ERROR_USAGE, "the encoding '%s' is not known", encoding);
			return error_hint(err,
				"iconv -l lists the names, such as WINDOWS-1252, CP1251, UTF-16LE");
		}
		d->single_byte = is_single_byte(d->cd);
		iconv(d->cd, NULL, NULL, NULL, NULL);
	}
	return true;
}

bool
csv_decoder_open(
	struct csv_decoder *d, int fd, const char *encoding, int64_t *consumed, struct error *err)
{
	*d = (struct csv_decoder){ .fd = fd, .consumed = consumed, .cd = (iconv_t)-1 };
	d->raw = xmalloc(RAW_BYTES);
	/* An unknown name is an error even if a BOM overrides it. */
	if (encoding && !open_encoding(d, encoding, err))
		return false;
	if (!refill(d, 3, err))
		return false;
	skip_bom(d, encoding);
	return true;
}

void
csv_decoder_close(struct csv_decoder *d)
{
	if (d->cd != (iconv_t)-1)
		iconv_close(d->cd);
	free(d->raw);
	d->raw = NULL;
}

static void
stop_at(struct csv_decoder *d, const char *bad)
{
	d->bad = bad;
	d->ended = true;
}

/* The length of the character with this lead byte; 0 if it is not a lead byte. */
static size_t
utf8_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xC0)
		return 0;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
}

/* The number of bytes before the first invalid byte, which *bad describes. memchr and
 * text_utf8_prefix both process ASCII at several GB/s. */
static size_t
good_prefix(const char *data, size_t size, const char **bad)
{
	const char *nul = memchr(data, '\0', size);
	size_t limit = nul ? (size_t)(nul - data) : size;
	size_t valid = text_utf8_prefix(data, limit);

	*bad = valid < limit ? "bytes that are not UTF-8" : nul ? "a NUL byte" : NULL;
	return valid;
}

static bool
read_utf8(struct csv_decoder *d, char *out, size_t room, size_t *got, struct error *err)
{
	size_t have = d->end - d->start;
	size_t left;
	const char *bad;

	memcpy(out, d->raw + d->start, have);
	d->start = d->end = 0;
	while (have < room && !d->eof) {
		size_t n;

		if (!read_some(d, out + have, room - have, &n, err))
			return false;
		have += n;
	}
	*got = good_prefix(out, have, &bad);
	d->offset += *got;
	left = have - *got;
	if (!d->eof && left && left < utf8_length((unsigned char)out[*got]) &&
		!memchr(out + *got, '\0', left)) {
		/* The buffer seems to end within a character, so keep the bytes of that
		 * character. */
		memcpy(d->raw, out + *got, left);
		d->end = left;
	} else if (bad) {
		stop_at(d, bad);
	} else if (d->eof) {
		d->ended = true;
	}
	return true;
}

/* Converts whole characters of d->raw until `out` has no room for another character. */
static char *
convert_utf16(struct csv_decoder *d, char *out, const char *out_end)
{
	const size_t high = d->encoding == CSV_UTF16LE ? 1 : 0;
	const unsigned char *p = d->raw + d->start;
	const unsigned char *end = d->raw + d->end;

	while (out_end - out >= 4 && end - p >= 2) {
		uint32_t c = (uint32_t)(p[high] << 8 | p[1 - high]);
		size_t size = 2;

		if (c == 0) {
			stop_at(d, "a NUL character");
			break;
		}
		if (c >= 0xD800 && c <= 0xDFFF) {
			uint32_t low;

			if (c < 0xDC00 && end - p < 4 && !d->eof)
				break;
			low = end - p < 4 ? 0 : (uint32_t)(p[2 + high] << 8 | p[3 - high]);
			if (c >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) {
				stop_at(d, "an unpaired surrogate");
				break;
			}
			c = utf16_pair(c, low);
			size = 4;
		}
		out += utf8_encode(c, out);
		p += size;
	}
	d->offset += (size_t)(p - (d->raw + d->start));
	d->start = (size_t)(p - d->raw);
	return out;
}

/* Converts as much of d->raw as fits into `room` bytes. Returns false on invalid bytes. */
static bool
run_iconv(struct csv_decoder *d, char **out, size_t room)
{
	char *in = (char *)d->raw + d->start;
	size_t in_left = d->end - d->start;
	bool ok = iconv(d->cd, &in, &in_left, out, &room) != (size_t)-1 || errno != EILSEQ;

	d->offset += d->end - d->start - in_left;
	d->start = d->end - in_left;
	return ok;
}

static char *
convert_iconv(struct csv_decoder *d, char *begin, const char *end)
{
	const size_t start = d->start;
	const uint64_t offset = d->offset;
	char *out = begin;
	const char *bad;
	size_t good;

	if (!run_iconv(d, &out, (size_t)(end - begin)))
		stop_at(d, "bytes that are invalid in this encoding");
	good = good_prefix(begin, (size_t)(out - begin), &bad);
	if (bad) {
		/* Convert again up to the invalid bytes to find their position on disk (approximate
		 * for encodings with shift states). */
		d->start = start;
		d->offset = offset;
		iconv(d->cd, NULL, NULL, NULL, NULL);
		out = begin;
		run_iconv(d, &out, good);
		stop_at(d, bad);
	}
	return out;
}

static bool
read_converted(struct csv_decoder *d, char *begin, size_t room, size_t *got, struct error *err)
{
	char *out = begin;
	const char *out_end = begin + room;

	while (!d->ended && out_end - out >= CSV_MIN_ROOM / 2) {
		size_t before;

		if (d->end - d->start < 16 && !d->eof && !refill(d, RAW_BYTES, err))
			return false;
		before = d->start;
		out = d->encoding == CSV_ICONV ? convert_iconv(d, out, out_end)
					       : convert_utf16(d, out, out_end);
		if (d->ended || !d->eof || d->start != before)
			continue;
		if (d->start < d->end)
			stop_at(d, "a truncated character");
		d->ended = true;
	}
	*got = (size_t)(out - begin);
	return true;
}

bool
csv_decoder_read(struct csv_decoder *d, char *out, size_t room, size_t *got, struct error *err)
{
	*got = 0;
	if (d->ended)
		return true;
	if (d->encoding == CSV_UTF8)
		return read_utf8(d, out, room, got, err);
	return read_converted(d, out, room, got, err);
}

uint64_t
csv_decoder_disk_bytes(const struct csv_decoder *d, const char *text, size_t size)
{
	size_t characters = 0;
	size_t pairs = 0;

	if (d->encoding == CSV_UTF8 || (d->encoding == CSV_ICONV && !d->single_byte))
		return size;
	for (size_t i = 0; i < size; i++) {
		characters += ((unsigned char)text[i] & 0xC0) != 0x80;
		pairs += (unsigned char)text[i] >= 0xF0;
	}
	return d->encoding == CSV_ICONV ? characters : 2 * (characters + pairs);
}
