/*
 * Exact decimal numbers as JSON and profilers write them.
 *
 * Nearly all fit a 64-bit mantissa and up to 18 digits behind the point; what
 * does not is kept as its text, so that nothing is rounded on its way into
 * PostgreSQL's numeric.
 */
#ifndef PROFDEPOT_BASE_DECIMAL_H
#define PROFDEPOT_BASE_DECIMAL_H

#include "base/text.h"

#include <stdint.h>

/* Sums of up to 2^63 values need more than 64 bits. */
__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_bits;

enum decimal_kind {
	DECIMAL_NULL,    /* no value; what {0} is */
	DECIMAL_COMPACT, /* mantissa / 10^scale */
	DECIMAL_TEXT,    /* in text only */
};

struct decimal {
	int64_t mantissa;
	uint8_t scale;    /* digits behind the point, 0..18; trailing zeros count, as in numeric */
	uint8_t kind;     /* enum decimal_kind */
	struct text text; /* of DECIMAL_TEXT: [-]digits[.digits][e[+-]digits]; borrowed */
};

enum {
	DECIMAL_MAX_SCALE = 18,
	DECIMAL_MAX_DIGITS = 1000, /* on either side of the point; what passes it is refused */
};

enum decimal_result {
	DECIMAL_OK,
	DECIMAL_NOT_A_NUMBER,
	DECIMAL_RANGE, /* passes DECIMAL_MAX_DIGITS once its exponent is applied */
};

/* JSON's number grammar. The text is borrowed when the number is not compact. */
enum decimal_result decimal_parse(struct text t, struct decimal *out);

struct decimal decimal_from_int64(int64_t v);

/* A number without its exponent: the digits before the point, without leading
 * zeros, and those behind it. Sizes are at most DECIMAL_MAX_DIGITS each. */
struct decimal_digits {
	bool negative;
	int whole, scale;
	char digits[2 * DECIMAL_MAX_DIGITS];
};

/* t: the text of a DECIMAL_TEXT. */
void decimal_expand(struct text t, struct decimal_digits *out);

enum {
	DECIMAL_TEXT_BYTES = 48 /* room for decimal_text with powers from -9 to 9 */
};

/* d * 10^power as JSON, exact, without an exponent: in `out`, or d's own text if power is 0. A
 * DECIMAL_TEXT takes no power: it must be 0. NULL is "0". */
struct text decimal_text(struct decimal d, int power, char out[DECIMAL_TEXT_BYTES]);

/* Does numeric give back this very text: no exponent, no "-0"? */
bool decimal_is_verbatim(struct text t);

/* a - b and a + b, exact; false when the result is not compact or one is NULL
 * or not compact. */
bool decimal_subtract(struct decimal a, struct decimal b, struct decimal *out);
bool decimal_add(struct decimal a, struct decimal b, struct decimal *out);

/* -1, 0, 1, exact for compact numbers, by double otherwise; NULL sorts first. */
int decimal_compare(struct decimal a, struct decimal b);

/* Nearest double; NULL is 0. */
double decimal_to_double(struct decimal d);

/* d * 10^18, rounded to nearest; what does not fit saturates. NULL is 0. The
 * unit in which totals are summed. */
wide_int decimal_to_fixed(struct decimal d);

/* 10^n, n up to DECIMAL_MAX_SCALE. */
int64_t decimal_power(unsigned n);

/* Sums that stop at the ends of 128 bits rather than turn around. */
static inline wide_int
fixed_add(wide_int a, wide_int b)
{
	static const wide_int most = (wide_int)(~(wide_bits)0 >> 1);
	wide_int sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? -most - 1 : most;
	return sum;
}

static inline wide_int
fixed_subtract(wide_int a, wide_int b)
{
	static const wide_int most = (wide_int)(~(wide_bits)0 >> 1);
	wide_int difference;

	if (__builtin_sub_overflow(a, b, &difference))
		return b > 0 ? -most - 1 : most;
	return difference;
}

/* A whole number as a fixed sum. */
static inline wide_int
fixed_from_wide(wide_int v)
{
	static const wide_int most = (wide_int)(~(wide_bits)0 >> 1);
	wide_int product;

	if (__builtin_mul_overflow(v, (wide_int)1000000000000000000, &product))
		return v < 0 ? -most - 1 : most;
	return product;
}

enum {
	DECIMAL_FIXED_SCALE = 18,
	DECIMAL_FIXED_TEXT_MAX = 48, /* bytes that fixed_format may write, with NUL */
};

/* A fixed sum as decimal text without trailing zeros. Returns the length. */
size_t fixed_format(wide_int v, char *out);

#endif
