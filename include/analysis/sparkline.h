/* Sparklines: a text line with one bar per number. */
#ifndef PROFDEPOT_ANALYSIS_SPARKLINE_H
#define PROFDEPOT_ANALYSIS_SPARKLINE_H

#include "base/decimal.h"

struct strbuf;

struct sparkline_value {
	bool known;
	wide_int value;
};

/* Appends one of U+2581 .. U+2588 per value: the smallest value has the lowest bar, the largest the
 * highest; if all values are equal, all bars have half height. An unknown value becomes a blank. */
void sparkline_append(struct strbuf *b, const struct sparkline_value *values, size_t count);

#endif
