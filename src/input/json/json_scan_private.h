/*
 * Scans runs of plain bytes in JSON, with SSE2 or portable code; a unit test compares the two. A
 * NUL follows the scanned bytes and ends every run. Scans may also read the bytes after this NUL;
 * JSON_PAD is the limit.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_SCAN_PRIVATE_H
#define PROFDEPOT_INPUT_JSON_JSON_SCAN_PRIVATE_H

#include "base/char.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
	JSON_PAD = 64
};

/* Whether a byte is plain in a string: ASCII except control characters, quote and backslash. */
static inline bool
json_is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* Whether a byte can be part of a number or literal. Directly after a number or literal, such a
 * byte is an error. */
static inline bool
json_is_word(char c)
{
	return char_is_word(c) || c == '.' || c == '+' || c == '-';
}

/* Returns the first byte that is not plain. */
static inline const char *
json_scan_plain_portable(const char *p)
{
	while (json_is_plain((unsigned char)*p))
		p++;
	return p;
}

static inline const char *
json_scan_blanks_portable(const char *p)
{
	while (char_is_space(*p))
		p++;
	return p;
}

#ifdef __SSE2__
/* One bit for each of the 16 bytes at p; set if the byte is not plain. */
static inline unsigned
json_mask_plain_sse2(const char *p)
{
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i backslash = _mm_set1_epi8('\\');
	const __m128i blank = _mm_set1_epi8(' ');
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
	/* Bytes from 0x80 on are negative, so they are less than a blank, too. */
	__m128i hit = _mm_or_si128(_mm_cmplt_epi8(v, blank),
		_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)));

	return (unsigned)_mm_movemask_epi8(hit);
}

static inline const char *
json_scan_plain_sse2(const char *p)
{
	for (;; p += 16) {
		unsigned mask = json_mask_plain_sse2(p);

		if (mask)
			return p + __builtin_ctz(mask);
	}
}

static inline const char *
json_scan_blanks_sse2(const char *p)
{
	const __m128i blank = _mm_set1_epi8(' ');
	const __m128i lf = _mm_set1_epi8('\n');
	const __m128i cr = _mm_set1_epi8('\r');
	const __m128i tab = _mm_set1_epi8('\t');

	for (;; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i hit =
			_mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, blank), _mm_cmpeq_epi8(v, lf)),
				_mm_or_si128(_mm_cmpeq_epi8(v, cr), _mm_cmpeq_epi8(v, tab)));
		unsigned mask = (unsigned)_mm_movemask_epi8(hit) ^ 0xFFFFu;

		if (mask)
			return p + __builtin_ctz(mask);
	}
}
#endif

static inline const char *
json_scan_plain(const char *p, bool portable)
{
#ifdef __SSE2__
	if (!portable)
		return json_scan_plain_sse2(p);
#else
	(void)portable;
#endif
	return json_scan_plain_portable(p);
}

static inline const char *
json_scan_blanks(const char *p, bool portable)
{
#ifdef __SSE2__
	if (!portable)
		return json_scan_blanks_sse2(p);
#else
	(void)portable;
#endif
	return json_scan_blanks_portable(p);
}

#endif
