/*
 * Exact decimal numbers, as JSON and profilers write them.
 *
 * Nearly all numbers fit into a 64-bit mantissa with up to 18 fraction digits. Other numbers keep
 * their text, so that PostgreSQL's numeric receives them without rounding.
 */
#ifndef PROFDEPOT_BASE_DECIMAL_H
#define PROFDEPOT_BASE_DECIMAL_H

#include "base/text.h"

#include <stdint.h>

/* Sums of up to 2^63 values need more than 64 bits. */
__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_bits;
#define WIDE_MAX ((wide_int)(~(wide_bits)0 >> 1))
#define WIDE_MIN (-WIDE_MAX - 1)

enum decimal_kind {
	DECIMAL_NULL,    /* no value; the kind of a zeroed struct */
	DECIMAL_COMPACT, /* mantissa / 10^scale */
	DECIMAL_TEXT,    /* available only as text */
};

struct decimal {
	int64_t mantissa;
	uint8_t scale;    /* number of fraction digits, 0..18, including trailing zeros */
	uint8_t kind;     /* enum decimal_kind */
	struct text text; /* DECIMAL_TEXT: [-]digits[.digits][e[+-]digits]; borrowed */
};

enum {
	DECIMAL_MAX_SCALE = 18,
	DECIMAL_MAX_DIGITS = 1000, /* maximum number of digits on each side of the decimal point */
};

enum decimal_result {
	DECIMAL_OK,
	DECIMAL_NOT_A_NUMBER,
	DECIMAL_RANGE, /* exceeds DECIMAL_MAX_DIGITS when written without an exponent */
};

/* Parses a number in JSON's grammar. A result that is not compact borrows the text. */
enum decimal_result decimal_parse(struct text t, struct decimal *out);

struct decimal decimal_from_int64(int64_t v);

/* A number without its exponent: the digits before the point, without leading zeros, then the
 * fraction digits. Each part has at most DECIMAL_MAX_DIGITS. */
struct decimal_digits {
	bool negative;
	int whole, scale;
	char digits[2 * DECIMAL_MAX_DIGITS];
};

/* Converts the text of a DECIMAL_TEXT. */
void decimal_expand(struct text t, struct decimal_digits *out);

enum {
	DECIMAL_TEXT_BYTES = 48 /* enough for decimal_text with powers from -9 to 9 */
};

/* Writes d * 10^power to `out` as JSON, exactly. Returns the text of a DECIMAL_TEXT unchanged,
 * without applying the power. Returns "0" for NULL. */
struct text decimal_text(struct decimal d, int power, char out[DECIMAL_TEXT_BYTES]);

/* Returns whether PostgreSQL's type numeric keeps the text of a number unchanged. It changes only
 * negative zeros, such as "-0", and numbers with an exponent. */
bool decimal_is_verbatim(struct text t);

/* Compute a - b and a + b exactly. Return false if an operand or the result is not compact. */
bool decimal_subtract(struct decimal a, struct decimal b, struct decimal *out);
bool decimal_add(struct decimal a, struct decimal b, struct decimal *out);

/* Returns -1, 0 or 1. Compares compact numbers exactly and other numbers as doubles. NULL sorts
 * first. */
int decimal_compare(struct decimal a, struct decimal b);

/* Returns the nearest double; 0 for NULL. */
double decimal_to_double(struct decimal d);

/* Returns d * 10^18, rounded to the nearest integer. All totals are in this form. A result out of
 * range becomes WIDE_MIN or WIDE_MAX. Returns 0 for NULL. */
wide_int decimal_to_fixed(struct decimal d);

/* Returns 10^n, for n up to DECIMAL_MAX_SCALE. */
int64_t decimal_power(unsigned n);

/* Add and subtract. A result out of range becomes WIDE_MIN or WIDE_MAX and does not wrap around. */
static inline wide_int
fixed_add(wide_int a, wide_int b)
{
	wide_int sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? WIDE_MIN : WIDE_MAX;
	return sum;
}

static inline wide_int
fixed_subtract(wide_int a, wide_int b)
{
	wide_int difference;

	if (__builtin_sub_overflow(a, b, &difference))
		return b > 0 ? WIDE_MIN : WIDE_MAX;
	return difference;
}

/* Converts a whole number to fixed-point. */
static inline wide_int
fixed_from_wide(wide_int v)
{
	wide_int product;

	if (__builtin_mul_overflow(v, (wide_int)1000000000000000000, &product))
		return v < 0 ? WIDE_MIN : WIDE_MAX;
	return product;
}

enum {
	DECIMAL_FIXED_SCALE = 18,
	DECIMAL_FIXED_TEXT_MAX = 48, /* bytes that fixed_format may write, including NUL */
};

/* Writes a fixed-point number as decimal text without trailing zeros. Returns the length. */
size_t fixed_format(wide_int v, char *out);

struct arena;

/* Like fixed_format, but returns a copy in the arena, with a NUL after it. */
struct text fixed_text(struct arena *a, wide_int v);

#endif
