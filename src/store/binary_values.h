/* Values in the server's binary format. */
#ifndef PROFDEPOT_SRC_STORE_BINARY_VALUES_H
#define PROFDEPOT_SRC_STORE_BINARY_VALUES_H

#include "base/decimal.h"
#include "base/text.h"
#include "db/connection.h"

#include <string.h>

enum {
	BINARY_ARRAY_HEADER_BYTES = 20
};

static inline uint64_t
binary_unsigned(const char *p, size_t bytes)
{
	uint64_t v = 0;

	for (size_t i = 0; i < bytes; i++)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

/* Reads a value of any integer type. Returns 0 if no integer type has the length of t. */
static inline int64_t
binary_integer(struct text t)
{
	switch (t.size) {
	case 8:
		return (int64_t)binary_unsigned(t.data, 8);
	case 4:
		return (int32_t)binary_unsigned(t.data, 4);
	case 2:
		return (int16_t)binary_unsigned(t.data, 2);
	default:
		return 0;
	}
}

/* Parses a size in bytes, written in decimal digits. A fraction is ignored. */
static inline wide_int
binary_wide(struct text digits)
{
	wide_int v = 0;

	for (size_t i = 0; i < digits.size && digits.data[i] != '.'; i++)
		if (digits.data[i] >= '0' && digits.data[i] <= '9')
			v = v * 10 + (digits.data[i] - '0');
	return v;
}

/* Removes the first word and the space after it from the text, and returns the word. */
static inline struct text
binary_next_word(struct text *words)
{
	const char *space = words->size ? memchr(words->data, ' ', words->size) : NULL;
	struct text word = { words->data, space ? (size_t)(space - words->data) : words->size };
	size_t n = word.size + (space != NULL);

	*words = (struct text){ words->data + n, words->size - n };
	return word;
}

/* Reads an array: a header, then the length and value of each element. */
struct binary_array {
	const char *at, *end;
	size_t left;
};

static inline struct binary_array
binary_array_of(const struct db_result *row, size_t column)
{
	struct text t = db_result_value(row, 0, column);
	struct binary_array e = { t.data, t.data + t.size, 0 };

	if (t.size >= BINARY_ARRAY_HEADER_BYTES && binary_unsigned(t.data, 4) == 1) {
		e.left = (size_t)binary_unsigned(t.data + 12, 4);
		e.at += BINARY_ARRAY_HEADER_BYTES;
	}
	return e;
}

/* Returns the next element; the NULL text for a NULL element and after the last element. */
static inline struct text
binary_next(struct binary_array *e)
{
	struct text t = TEXT_NULL;
	int32_t size;

	if (!e->left || e->end - e->at < 4)
		return t;
	e->left--;
	size = (int32_t)binary_unsigned(e->at, 4);
	e->at += 4;
	if (size < 0 || e->end - e->at < size)
		return t;
	t = (struct text){ e->at, (size_t)size };
	e->at += size;
	return t;
}

#endif
