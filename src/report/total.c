/* Exact sums of decimals. */
#include "report_private.h"

#include "base/number.h"

enum {
	DIGITS_MAX = 64 /* 39 digits before the point, 18 after it */
};

static const int64_t ONE = INT64_C(1000000000000000000);

static void
add_decimal(struct total *t, struct decimal d)
{
	int64_t power = decimal_power(d.scale);

	t->whole += d.mantissa / power;
	t->fraction += d.mantissa % power * (ONE / power);
	t->whole += t->fraction / ONE;
	t->fraction %= ONE;
	if (d.scale > t->scale)
		t->scale = d.scale;
}

void
total_add(struct total *t, struct text digits)
{
	struct decimal d;
	struct number n;

	if (text_is_null(digits)) {
		t->unknown = true;
		return;
	}
	t->known = true;
	if (decimal_parse(digits, &d) == DECIMAL_OK && d.kind == DECIMAL_COMPACT)
		add_decimal(t, d);
	else if (number_parse(digits, &n) == NUMBER_OK)
		t->whole += n.negative ? -(wide_int)n.magnitude : (wide_int)n.magnitude;
	else
		t->beyond = true;
}

/* Writes v with at least `least` digits; the last digit is before position `at`. Returns the
 * position of the first digit. */
static size_t
put_digits(char *digits, size_t at, wide_bits v, unsigned least)
{
	for (; v || least > 0; v /= 10) {
		digits[--at] = (char)('0' + (unsigned)(v % 10));
		if (least > 0)
			least--;
	}
	return at;
}

struct text
total_text(const struct total *t, struct arena *a)
{
	char digits[DIGITS_MAX];
	size_t at = sizeof(digits);
	wide_int whole = t->whole;
	int64_t fraction = t->fraction;
	bool negative = whole < 0 || (whole == 0 && fraction < 0);

	if (t->beyond || (t->unknown && !t->known))
		return TEXT_NULL;
	if (negative) {
		whole = -whole;
		fraction = -fraction;
	}
	if (fraction < 0) {
		whole--;
		fraction += ONE;
	}
	if (t->scale) {
		fraction /= decimal_power(DECIMAL_MAX_SCALE - t->scale);
		at = put_digits(digits, at, (wide_bits)fraction, t->scale);
		digits[--at] = '.';
	}
	at = put_digits(digits, at, (wide_bits)whole, 1);
	if (negative)
		digits[--at] = '-';
	return arena_text(a, (struct text){ digits + at, sizeof(digits) - at });
}
