/* Finds where the encoding of a log changes; see line_encoding.h. */
#include "line_encoding.h"

#include <string.h>

enum {
	UTF16_UNITS = 4,  /* this many ASCII characters in a row prove UTF-16 */
	UTF16_AT_END = 2, /* the same, if the file ends after them */
	BYTES_UNITS = 16, /* this many pairs of ASCII bytes in a row prove 8-bit text */
	BYTES_AT_END = 4, /* the same, if the file ends after them */
	MARK_BYTES = 3,   /* size of UTF-8's byte order mark */
};

/* The number of UTF-16 units at the front that are ASCII characters, at most UTF16_UNITS. */
static size_t
ascii_units(const char *data, size_t size, size_t zero)
{
	size_t n = 0;

	while (n < UTF16_UNITS && 2 * n + 1 < size) {
		unsigned char c = (unsigned char)data[2 * n + 1 - zero];

		if (data[2 * n + zero] || !c || c >= 0x80)
			break;
		n++;
	}
	return n;
}

/* Returns whether UTF-16 begins at `at`: 1 yes, 0 no, -1 undecided. In each unit, the byte at the
 * index `zero` (0 or 1) must be zero. */
static int
is_utf16(const char *data, size_t size, size_t at, size_t zero, bool ended)
{
	size_t n = ascii_units(data + at, size - at, zero);

	if (n == UTF16_UNITS)
		return 1;
	if (at + 2 * n + 1 < size)
		return 0;
	return ended ? n >= UTF16_AT_END : -1;
}

static size_t
with_mark(const char *data, size_t at, const char *mark)
{
	return at >= 2 && memcmp(data + at - 2, mark, 2) == 0 ? at - 2 : at;
}

size_t
encoding_find_utf16(const char *data, size_t size, bool ended, enum line_encoding *encoding)
{
	const char *zero = size ? memchr(data, 0, size) : NULL;

	*encoding = ENCODING_BYTES;
	while (zero) {
		size_t at = (size_t)(zero - data);
		int little, big;

		/* UTF-16 of ASCII has no two zeros in a row. */
		while (at + 2 < size && !data[at + 1] && !data[at + 2])
			at++;
		zero = data + at;
		little = at ? is_utf16(data, size, at - 1, 1, ended) : 0;
		big = is_utf16(data, size, at, 0, ended);

		if (little > 0 || (little == 0 && big > 0)) {
			*encoding = little > 0 ? ENCODING_UTF16LE : ENCODING_UTF16BE;
			return little > 0 ? with_mark(data, at - 1, "\xFF\xFE")
					  : with_mark(data, at, "\xFE\xFF");
		}
		/* Do not wait for more bytes within a run of zeros, because the run may never
		 * end. */
		if ((little || big) && !(at && !data[at - 1])) {
			*encoding = ENCODING_UNKNOWN;
			return size;
		}
		zero = memchr(zero + 1, 0, size - at - 1);
	}
	return size;
}

static bool
is_text(unsigned char c)
{
	return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
}

size_t
encoding_find_bytes(const unsigned char *data, size_t size, bool ended, size_t *certain)
{
	size_t run = 0;
	size_t i;

	for (i = 0; i + 1 < size && run < BYTES_UNITS; i += 2)
		run = is_text(data[i]) && is_text(data[i + 1]) ? run + 1 : 0;
	*certain = i - 2 * run;
	if (run < (ended ? BYTES_AT_END : BYTES_UNITS)) {
		/* The bytes before the run are uncertain, too: they may be a byte order mark of
		 * UTF-8. */
		*certain = ended ? i : *certain > MARK_BYTES ? *certain - MARK_BYTES - 1 : 0;
		return size;
	}
	/* A byte order mark of UTF-8 just before the run belongs to the 8-bit text. */
	for (size_t back = 2; back <= MARK_BYTES + 1 && back <= *certain; back++)
		if (memcmp(data + *certain - back, "\xEF\xBB\xBF", MARK_BYTES) == 0)
			*certain -= back;
	return *certain;
}

size_t
encoding_utf16_bytes(const char *data, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)data[i];

		if ((c & 0xC0) != 0x80)
			n += c >= 0xF0 ? 4 : 2;
	}
	return n;
}
