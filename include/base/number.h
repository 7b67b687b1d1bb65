/*
 * Whole numbers as exporters write them, without locale.
 *
 * AQTime's "Decimal" is an engine Int64 whose handles may come sign-extended,
 * so a number spans -2^63 .. 2^64-1: magnitude and sign.
 */
#ifndef PROFDEPOT_BASE_NUMBER_H
#define PROFDEPOT_BASE_NUMBER_H

#include "base/text.h"

#include <stdint.h>

struct number {
	uint64_t magnitude; /* at most 2^63 when negative */
	bool negative;      /* never set for zero */
	bool null;
};

enum number_result {
	NUMBER_OK,
	NUMBER_NOT_A_NUMBER, /* letters, blanks inside, nothing at all */
	NUMBER_FRACTION,     /* a fraction other than zeros */
	NUMBER_RANGE,        /* outside -2^63 .. 2^64-1 */
};

#define NUMBER_NULL ((struct number){ .null = true })

/* [+-]digits, then optionally '.' or ',' and zeros; blanks at the ends are
 * dropped. `t` must not be NULL. On failure *out is left alone. */
enum number_result number_parse(struct text t, struct number *out);

struct number number_from_int64(int64_t v);

/* False when it does not fit. The null flag is not looked at. */
bool number_to_int64(struct number n, int64_t *out);

/* -1, 0, 1; NULL sorts first. */
int number_compare(struct number a, struct number b);

/* Digits and NUL into out, at least 22 bytes. Returns the length. */
size_t number_format(struct number n, char *out);

/* The same for a plain integer. */
size_t number_format_int64(int64_t v, char *out);

#endif
