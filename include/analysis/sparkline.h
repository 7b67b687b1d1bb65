/*
 * A row of numbers as a row of bars, for text.
 */
#ifndef PROFDEPOT_ANALYSIS_SPARKLINE_H
#define PROFDEPOT_ANALYSIS_SPARKLINE_H

#include "base/decimal.h"

struct strbuf;

struct sparkline_value {
	bool known;
	wide_int value;
};

/* Appends one of U+2581 .. U+2588 a value, the least lowest and the greatest
 * highest, all half high when they are equal; a blank where it is unknown. */
void sparkline_append(struct strbuf *b, const struct sparkline_value *values, size_t count);

#endif
