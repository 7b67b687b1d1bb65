/* Exact decimal numbers: parsing, comparison, sums. Grammar: RFC 8259, section 6. */
#include "base/decimal.h"

#include "base/arena.h"
#include "base/double.h"

#include <math.h>

/* Larger than the number of digits of any text that fits into memory. */
static const int64_t EXPONENT_MAX = INT64_C(1000000000000000000);

/* The parts of a number's text. */
struct parts {
	const char *whole, *whole_end;       /* digits before the point */
	const char *fraction, *fraction_end; /* fraction digits; may be empty */
	int64_t exponent;
	bool negative;
	bool has_exponent;
};

int64_t
decimal_power(unsigned n)
{
	static const int64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
		100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
		1000000000000000000 };

	return powers[n];
}

static bool
is_digit(const char *p, const char *end)
{
	return p < end && char_is_digit(*p);
}

static const char *
skip_digits(const char *p, const char *end)
{
	while (is_digit(p, end))
		p++;
	return p;
}

/* Parses [eE][+-]digits at the end of the number. */
static bool
parse_exponent(const char *p, const char *end, struct parts *n)
{
	bool negative = false;

	n->has_exponent = true;
	p++;
	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	if (!is_digit(p, end))
		return false;
	for (; is_digit(p, end); p++)
		if (n->exponent < EXPONENT_MAX / 10)
			n->exponent = n->exponent * 10 + (*p - '0');
		else
			n->exponent = EXPONENT_MAX;
	if (negative)
		n->exponent = -n->exponent;
	return p == end;
}

static bool
parse_parts(struct text t, struct parts *n)
{
	const char *p = t.data;
	const char *end = t.data + t.size;

	*n = (struct parts){ 0 };
	if (p < end && *p == '-') {
		n->negative = true;
		p++;
	}
	n->whole = p;
	n->whole_end = p = skip_digits(p, end);
	if (p == n->whole || (*n->whole == '0' && p - n->whole > 1))
		return false;
	n->fraction = n->fraction_end = p;
	if (p < end && *p == '.') {
		n->fraction = p + 1;
		n->fraction_end = p = skip_digits(p + 1, end);
		if (p == n->fraction)
			return false;
	}
	if (p < end && (*p == 'e' || *p == 'E'))
		return parse_exponent(p, end, n);
	return p == end;
}

/* Appends digits to the number *v; returns false if it would overflow. */
static bool
append_digits(uint64_t *v, const char *p, const char *end)
{
	for (; p < end; p++) {
		unsigned d = (unsigned)(*p - '0');

		if (*v > (UINT64_MAX - d) / 10)
			return false;
		*v = *v * 10 + d;
	}
	return true;
}

/* The number of fraction digits that PostgreSQL's numeric shows. */
static int64_t
parts_scale(const struct parts *n)
{
	int64_t scale = (int64_t)(n->fraction_end - n->fraction) - n->exponent;

	return scale > 0 ? scale : 0;
}

static bool
parts_compact(const struct parts *n, struct decimal *out)
{
	int64_t scale = parts_scale(n);
	int64_t zeros = n->exponent - (int64_t)(n->fraction_end - n->fraction);
	uint64_t v = 0;

	if (scale > DECIMAL_MAX_SCALE || !append_digits(&v, n->whole, n->whole_end) ||
		!append_digits(&v, n->fraction, n->fraction_end))
		return false;
	for (; zeros > 0 && v; zeros--)
		if (__builtin_mul_overflow(v, (uint64_t)10, &v))
			return false;
	if (v > (uint64_t)INT64_MAX + n->negative)
		return false;
	*out = (struct decimal){
		.mantissa = (int64_t)(n->negative ? 0 - v : v),
		.scale = (uint8_t)scale,
		.kind = DECIMAL_COMPACT,
	};
	return true;
}

/* The number of digits before the point, without leading zeros, after the exponent is applied. */
static int64_t
parts_whole_digits(const struct parts *n)
{
	int64_t digits = (int64_t)(n->whole_end - n->whole) + n->exponent;
	const char *p = n->whole;

	for (; p < n->whole_end && *p == '0'; p++)
		digits--;
	if (p == n->whole_end)
		for (p = n->fraction; p < n->fraction_end && *p == '0'; p++)
			digits--;
	return p == n->fraction_end ? 0 : digits;
}

enum decimal_result
decimal_parse(struct text t, struct decimal *out)
{
	struct parts n;

	*out = (struct decimal){ 0 };
	if (!parse_parts(t, &n))
		return DECIMAL_NOT_A_NUMBER;
	if (parts_compact(&n, out))
		return DECIMAL_OK;
	if (parts_scale(&n) > DECIMAL_MAX_DIGITS || parts_whole_digits(&n) > DECIMAL_MAX_DIGITS)
		return DECIMAL_RANGE;
	*out = (struct decimal){ .kind = DECIMAL_TEXT, .text = t };
	return DECIMAL_OK;
}

struct decimal
decimal_from_int64(int64_t v)
{
	return (struct decimal){ .mantissa = v, .kind = DECIMAL_COMPACT };
}

bool
decimal_is_verbatim(struct text t)
{
	struct parts n;

	if (!parse_parts(t, &n) || n.has_exponent)
		return false;
	if (!n.negative)
		return true;
	for (const char *p = n.whole; p < n.fraction_end; p++)
		if (*p >= '1' && *p <= '9')
			return true;
	return false;
}

/* a + sign * b */
static bool
add_signed(struct decimal a, struct decimal b, int sign, struct decimal *out)
{
	uint8_t scale = a.scale > b.scale ? a.scale : b.scale;
	wide_int sum;

	if (a.kind != DECIMAL_COMPACT || b.kind != DECIMAL_COMPACT)
		return false;
	sum = (wide_int)a.mantissa * decimal_power(scale - a.scale) +
	      (wide_int)b.mantissa * decimal_power(scale - b.scale) * sign;
	if (sum < INT64_MIN || sum > INT64_MAX)
		return false;
	*out = (struct decimal){
		.mantissa = (int64_t)sum,
		.scale = scale,
		.kind = DECIMAL_COMPACT,
	};
	return true;
}

bool
decimal_subtract(struct decimal a, struct decimal b, struct decimal *out)
{
	return add_signed(a, b, -1, out);
}

bool
decimal_add(struct decimal a, struct decimal b, struct decimal *out)
{
	return add_signed(a, b, 1, out);
}

int
decimal_compare(struct decimal a, struct decimal b)
{
	if (a.kind == DECIMAL_COMPACT && b.kind == DECIMAL_COMPACT) {
		wide_int x = decimal_to_fixed(a);
		wide_int y = decimal_to_fixed(b);

		return (x > y) - (x < y);
	}
	if (a.kind == DECIMAL_NULL || b.kind == DECIMAL_NULL)
		return (a.kind != DECIMAL_NULL) - (b.kind != DECIMAL_NULL);
	{
		double x = decimal_to_double(a);
		double y = decimal_to_double(b);

		return (x > y) - (x < y);
	}
}

/*
 * Computes at least 57 bits of the quotient, and sets the last bit if there is a remainder.
 * Therefore the result is rounded only once, in the conversion to double.
 */
static double
compact_to_double(int64_t mantissa, unsigned scale)
{
	uint64_t magnitude = mantissa < 0 ? 0 - (uint64_t)mantissa : (uint64_t)mantissa;
	wide_bits power = (wide_bits)decimal_power(scale);
	wide_bits quotient;
	double v;

	if (magnitude <= UINT64_C(1) << 53)
		v = (double)magnitude / (double)decimal_power(scale);
	else {
		quotient = ((wide_bits)magnitude << 64) / power;
		quotient |= ((wide_bits)magnitude << 64) % power != 0;
		v = ldexp((double)quotient, -64);
	}
	return mantissa < 0 ? -v : v;
}

double
decimal_to_double(struct decimal d)
{
	switch (d.kind) {
	case DECIMAL_COMPACT:
		return compact_to_double(d.mantissa, d.scale);
	case DECIMAL_TEXT:
		return double_parse(d.text);
	default:
		return 0;
	}
}

/* Digit i, counted from the first digit; 0 after the last digit. */
static int
parts_digit(const struct parts *n, int64_t i)
{
	int64_t whole = n->whole_end - n->whole;

	if (i < 0)
		return 0;
	if (i < whole)
		return n->whole[i] - '0';
	i -= whole;
	return i < n->fraction_end - n->fraction ? n->fraction[i] - '0' : 0;
}

void
decimal_expand(struct text t, struct decimal_digits *out)
{
	struct parts n;
	int64_t point;

	out->negative = false;
	out->whole = out->scale = 0;
	if (!parse_parts(t, &n) || parts_scale(&n) > DECIMAL_MAX_DIGITS ||
		parts_whole_digits(&n) > DECIMAL_MAX_DIGITS)
		return;
	out->negative = n.negative;
	out->scale = (int)parts_scale(&n);
	if (parts_whole_digits(&n) > 0)
		out->whole = (int)parts_whole_digits(&n);
	point = (int64_t)(n.whole_end - n.whole) + n.exponent;
	for (int i = 0; i < out->whole + out->scale; i++)
		out->digits[i] = (char)('0' + parts_digit(&n, point - out->whole + i));
}

static wide_int
text_to_fixed(struct text t)
{
	struct parts n;
	wide_int v = 0;
	int64_t end;

	if (!parse_parts(t, &n))
		return 0;
	if (parts_whole_digits(&n) > 21)
		return n.negative ? WIDE_MIN : WIDE_MAX;
	/* The index of the first digit that rounding removes. */
	end = (int64_t)(n.whole_end - n.whole) + n.exponent + DECIMAL_FIXED_SCALE;
	for (int64_t i = end > 64 ? end - 64 : 0; i < end; i++)
		if (__builtin_mul_overflow(v, (wide_int)10, &v) ||
			__builtin_add_overflow(v, (wide_int)parts_digit(&n, i), &v))
			return n.negative ? WIDE_MIN : WIDE_MAX;
	if (parts_digit(&n, end) >= 5 && v < WIDE_MAX)
		v++;
	return n.negative ? -v : v;
}

wide_int
decimal_to_fixed(struct decimal d)
{
	switch (d.kind) {
	case DECIMAL_COMPACT:
		return (wide_int)d.mantissa * decimal_power(DECIMAL_FIXED_SCALE - d.scale);
	case DECIMAL_TEXT:
		return text_to_fixed(d.text);
	default:
		return 0;
	}
}

struct text
decimal_text(struct decimal d, int power, char out[DECIMAL_TEXT_BYTES])
{
	uint64_t rest = d.mantissa < 0 ? 0 - (uint64_t)d.mantissa : (uint64_t)d.mantissa;
	const int scale = (int)d.scale - power;
	size_t at = DECIMAL_TEXT_BYTES;

	if (d.kind != DECIMAL_COMPACT)
		return d.kind == DECIMAL_TEXT ? d.text : TEXT_LITERAL("0");
	for (int zeros = scale; zeros < 0 && rest; zeros++)
		out[--at] = '0';
	for (int i = 0; rest || i <= scale || i == 0; i++) {
		if (i && i == scale)
			out[--at] = '.';
		out[--at] = (char)('0' + (int)(rest % 10));
		rest /= 10;
	}
	if (d.mantissa < 0)
		out[--at] = '-';
	return (struct text){ out + at, DECIMAL_TEXT_BYTES - at };
}

size_t
fixed_format(wide_int v, char *out)
{
	wide_bits rest = v < 0 ? 0 - (wide_bits)v : (wide_bits)v;
	char digits[DECIMAL_FIXED_TEXT_MAX];
	size_t count = 0;
	size_t dropped = 0;
	size_t size = 0;

	while (rest || count <= DECIMAL_FIXED_SCALE) {
		digits[count++] = (char)('0' + (int)(rest % 10));
		rest /= 10;
	}
	while (dropped < DECIMAL_FIXED_SCALE && digits[dropped] == '0')
		dropped++;
	if (v < 0)
		out[size++] = '-';
	while (count > dropped) {
		if (count == DECIMAL_FIXED_SCALE)
			out[size++] = '.';
		out[size++] = digits[--count];
	}
	out[size] = '\0';
	return size;
}

struct text
fixed_text(struct arena *a, wide_int v)
{
	char digits[DECIMAL_FIXED_TEXT_MAX];
	size_t size = fixed_format(v, digits);

	return arena_text(a, (struct text){ digits, size });
}
