/* A row of numbers as a row of bars in text. */
#ifndef PROFDEPOT_ANALYSIS_SPARKLINE_H
#define PROFDEPOT_ANALYSIS_SPARKLINE_H

#include "base/decimal.h"

struct strbuf;

struct sparkline_value {
	bool known;
	wide_int value;
};

/* Appends one of U+2581 .. U+2588 per value: the smallest is lowest, the largest highest; all are
 * half high if they are equal. An unknown value is a blank. */
void sparkline_append(struct strbuf *b, const struct sparkline_value *values, size_t count);

#endif
