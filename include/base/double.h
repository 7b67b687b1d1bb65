/*
 * Converts doubles from and to text, independently of the locale.
 */
#ifndef PROFDEPOT_BASE_DOUBLE_H
#define PROFDEPOT_BASE_DOUBLE_H

#include "base/text.h"

enum {
	DOUBLE_TEXT_MAX = 32, /* bytes that double_format may write, including NUL */
};

/* Returns the double nearest to a decimal number, [+-]digits[.digits][e[+-]digits]. Beyond the
 * largest double the result is infinite. */
double double_parse(struct text t);

/* Writes the shortest text that double_parse converts back to v, in the form of JavaScript's
 * Number: 0.1, 1e+21, 1.5e-7, NaN, -Infinity. Both zeros become 0. Returns the length. */
size_t double_format(double v, char out[DOUBLE_TEXT_MAX]);

#endif
