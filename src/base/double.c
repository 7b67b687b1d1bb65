/* Conversion of doubles from and to text, in the form of ECMAScript's Number::toString. */
#include "base/double.h"

#include "base/arena.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtod depends on the locale, so the thread uses the locale "C" during the call. */
double
double_parse(struct text t)
{
	char small[64];
	char *copy = t.size < sizeof(small) ? small : xmalloc(t.size + 1);
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t old = c ? uselocale(c) : (locale_t)0;
	double v;

	memcpy(copy, t.data, t.size);
	copy[t.size] = '\0';
	v = strtod(copy, NULL);
	if (c) {
		uselocale(old);
		freelocale(c);
	}
	if (copy != small)
		free(copy);
	return v;
}

/* A number's significant digits, and the power of ten of the first digit. */
struct digits {
	char text[DBL_DECIMAL_DIG + 1];
	int count, exponent;
};

/* Rounds v > 0 to `count` digits and drops trailing zeros. */
static void
take_digits(struct digits *d, double v, int count)
{
	char text[DOUBLE_TEXT_MAX];
	const char *e;

	snprintf(text, sizeof(text), "%.*e", count - 1, v);
	d->count = 0;
	/* Skips the decimal point, which depends on the locale. */
	for (e = text; *e != 'e'; e++)
		if (char_is_digit(*e))
			d->text[d->count++] = *e;
	while (d->count > 1 && d->text[d->count - 1] == '0')
		d->count--;
	d->exponent = (int)strtol(e + 1, NULL, 10);
}

static bool
comes_back(const struct digits *d, double v)
{
	char text[DOUBLE_TEXT_MAX];
	int size = snprintf(
		text, sizeof(text), "%.*se%d", d->count, d->text, d->exponent - d->count + 1);
	double back = double_parse((struct text){ .data = text, .size = (size_t)size });

	return !(back < v) && !(back > v);
}

/* Finds the fewest digits that convert back to v. For a normal double, the first attempt has DBL_DIG digits: a
 * number with up to DBL_DIG digits survives the conversion to double and back. If fewer digits are enough, the
 * others are therefore zeros, and take_digits drops them. A subnormal double is less exact, so the first attempt
 * has one digit. */
static void
shortest_digits(struct digits *d, double v)
{
	int count = v < DBL_MIN ? 1 : DBL_DIG;

	for (take_digits(d, v, count); count < DBL_DECIMAL_DIG && !comes_back(d, v);)
		take_digits(d, v, ++count);
}

static char *
put_zeros(char *p, int count)
{
	for (; count > 0; count--)
		*p++ = '0';
	return p;
}

static char *
put_digits(char *p, const struct digits *d, int from, int to)
{
	if (to > from) {
		memcpy(p, d->text + from, (size_t)(to - from));
		p += to - from;
	}
	return p;
}

/* 0.00123, 123, 12300, 1.23 */
static char *
put_plain(char *p, const struct digits *d)
{
	int whole = d->exponent + 1;

	if (whole <= 0) {
		*p++ = '0';
		*p++ = '.';
		p = put_zeros(p, -whole);
		return put_digits(p, d, 0, d->count);
	}
	p = put_digits(p, d, 0, whole < d->count ? whole : d->count);
	p = put_zeros(p, whole - d->count);
	if (d->count > whole)
		*p++ = '.';
	return put_digits(p, d, whole, d->count);
}

size_t
double_format(double v, char out[DOUBLE_TEXT_MAX])
{
	struct digits d;
	char *p = out;

	if (isnan(v))
		return (size_t)snprintf(out, DOUBLE_TEXT_MAX, "NaN");
	if (v < 0)
		*p++ = '-';
	v = fabs(v);
	if (isinf(v))
		return (size_t)(p - out) + (size_t)snprintf(p, DOUBLE_TEXT_MAX - 1, "Infinity");
	if (!(v > 0))
		return (size_t)snprintf(out, DOUBLE_TEXT_MAX, "0");
	shortest_digits(&d, v);
	if (d.exponent < 21 && d.exponent >= -6) {
		p = put_plain(p, &d);
		*p = '\0';
		return (size_t)(p - out);
	}
	*p++ = d.text[0];
	if (d.count > 1)
		*p++ = '.';
	p = put_digits(p, &d, 1, d.count);
	return (size_t)(p - out) + (size_t)snprintf(p, 8, "e%+d", d.exponent);
}
