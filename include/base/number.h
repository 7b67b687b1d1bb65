/*
 * Whole numbers, as exporters write them in any locale.
 *
 * AQTime's "Decimal" is an Int64, and handles may be sign-extended. A magnitude and a sign
 * can represent all these numbers, which range from -2^63 to 2^64-1.
 */
#ifndef PROFDEPOT_BASE_NUMBER_H
#define PROFDEPOT_BASE_NUMBER_H

#include "base/text.h"

#include <stdint.h>

struct number {
	uint64_t magnitude; /* at most 2^63 if negative */
	bool negative;      /* never true for zero */
	bool null;
};

enum number_result {
	NUMBER_OK,
	NUMBER_NOT_A_NUMBER, /* letters, inner blanks, or empty */
	NUMBER_FRACTION,     /* a nonzero fraction */
	NUMBER_RANGE,        /* outside -2^63 .. 2^64-1 */
};

#define NUMBER_NULL ((struct number){ .null = true })

/* Parses [+-]digits, then optionally '.' or ',' and zeros; ignores blanks at both ends. `t` must
 * not be NULL. On failure *out is unchanged. */
enum number_result number_parse(struct text t, struct number *out);

struct number number_from_int64(int64_t v);

/* Returns false if n does not fit. Ignores the null flag. */
bool number_to_int64(struct number n, int64_t *out);

/* Returns -1, 0 or 1; NULL sorts first. */
int number_compare(struct number a, struct number b);

/* Writes the number in decimal and a NUL, at most 22 bytes. Returns the length. */
size_t number_format(struct number n, char *out);

/* Like number_format, for a plain integer. */
size_t number_format_int64(int64_t v, char *out);

/* Returns v as an SQL parameter, in memory that lives as long as the enclosing block. */
#define INT64_TEXT(v) int64_text((v), (char[24]){ 0 })
const char *int64_text(int64_t v, char out[24]);

#endif
