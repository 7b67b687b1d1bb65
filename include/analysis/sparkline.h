/* Sparklines: a text line with one bar per number. */
#ifndef PROFDEPOT_ANALYSIS_SPARKLINE_H
#define PROFDEPOT_ANALYSIS_SPARKLINE_H

#include "base/decimal.h"

struct strbuf;

struct sparkline_value {
	bool known;
	wide_int value;
};

/* Appends one of U+2581 .. U+2588 per value. The smallest value has the lowest bar, the largest has
 * the highest. If all values are equal, all bars have half height. An unknown value is a blank. */
void sparkline_append(struct strbuf *b, const struct sparkline_value *values, size_t count);

#endif
