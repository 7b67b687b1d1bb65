/* Classifies ASCII characters independently of the locale; encodes and decodes UTF-8 and UTF-16. */
#ifndef PROFDEPOT_BASE_CHAR_H
#define PROFDEPOT_BASE_CHAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool
char_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
char_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True for control characters: C0 and DEL. */
static inline bool
char_is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\x7f';
}

/* True for letters, digits and the underscore. */
static inline bool
char_is_word(char c)
{
	return char_is_letter(c) || char_is_digit(c) || c == '_';
}

/* True for space and tab. */
static inline bool
char_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* True for space, tab, CR and LF. */
static inline bool
char_is_space(char c)
{
	return char_is_blank(c) || c == '\n' || c == '\r';
}

static inline char
char_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline char
char_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

/* Returns the value of the hex digit c in either case, or -1 if c is not a hex digit. */
static inline int
char_hex_value(char c)
{
	if (char_is_digit(c))
		return c - '0';
	c = char_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the code point of a surrogate pair. */
static inline uint32_t
utf16_pair(uint32_t high, uint32_t low)
{
	return 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
}

/* Encodes a code point up to U+10FFFF. Does not reject surrogates. Returns the number of bytes. */
static inline size_t
utf8_encode(uint32_t c, char out[4])
{
	static const uint8_t leads[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3F));
	out[0] = (char)(leads[n] | c);
	return n;
}

/*
 * Returns the length of the UTF-8 sequence at p. The first of the `size` bytes at p must be >=
 * 0x80. Returns 0 if the sequence is invalid; *bad is then the number of bytes to replace.
 */
static inline size_t
utf8_sequence(const char *p, size_t size, size_t *bad)
{
	const unsigned char c = (unsigned char)p[0];
	const size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
	unsigned char low = 0x80; /* range of the second byte */
	unsigned char high = 0xBF;

	*bad = 1;
	if (c < 0xC2 || c > 0xF4)
		return 0;
	if (c == 0xE0)
		low = 0xA0; /* with a lower byte, the form is overlong */
	else if (c == 0xED)
		high = 0x9F; /* higher bytes encode surrogates */
	else if (c == 0xF0)
		low = 0x90;
	else if (c == 0xF4)
		high = 0x8F; /* higher bytes encode values beyond U+10FFFF */
	if (size < 2 || (unsigned char)p[1] < low || (unsigned char)p[1] > high)
		return 0;
	for (*bad = 2; *bad < length; ++*bad)
		if (*bad == size || ((unsigned char)p[*bad] & 0xC0) != 0x80)
			return 0;
	return length;
}

/* Decodes one unit of UTF-16 into at most 6 bytes. An unpaired surrogate becomes U+FFFD. *high is
 * initially 0; between calls it holds a high surrogate that waits for its low surrogate. */
static inline size_t
utf16_decode(uint16_t *high, uint16_t unit, char *out)
{
	const bool is_low = unit >= 0xDC00 && unit <= 0xDFFF;
	const uint16_t pending = *high;
	size_t n = 0;

	*high = unit >= 0xD800 && unit <= 0xDBFF ? unit : 0;
	if (pending && is_low)
		return utf8_encode(utf16_pair(pending, unit), out);
	if (pending)
		n = utf8_encode(0xFFFD, out);
	return *high ? n : n + utf8_encode(is_low ? 0xFFFD : unit, out + n);
}

#endif
