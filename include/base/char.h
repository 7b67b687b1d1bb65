/* Classes of ASCII characters, the same in every locale. */
#ifndef PROFDEPOT_BASE_CHAR_H
#define PROFDEPOT_BASE_CHAR_H

#include <stdbool.h>

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

/* Letters, digits and the underscore. */
static inline bool
char_is_word(char c)
{
	return char_is_letter(c) || char_is_digit(c) || c == '_';
}

/* Space and tab. */
static inline bool
char_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Space, tab, CR and LF. */
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

/* 0 to 15, or -1 if c is not a hex digit of either case. */
static inline int
char_hex_value(char c)
{
	if (char_is_digit(c))
		return c - '0';
	c = char_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
