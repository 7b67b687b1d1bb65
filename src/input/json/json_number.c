/* Numbers in JSON (RFC 8259, section 6): validation, and values as int64, double and decimal. */
#include "base/arena.h"
#include "base/double.h"
#include "json_inline_private.h"

#include <assert.h>
#include <float.h>

/* The grammar of numbers as a state machine, and the states in which a number may end. */
enum state {
	BAD,
	START,
	MINUS,
	ZERO,
	WHOLE,
	POINT,
	FRACTION,
	E,
	SIGN,
	EXPONENT
};

static const bool may_end[] = {
	[ZERO] = true, [WHOLE] = true, [FRACTION] = true, [EXPONENT] = true
};

static enum state
step(enum state s, char c)
{
	static const struct {
		enum state zero, digit, point, e, minus, plus;
	} after[] = {
		[START] = { .zero = ZERO, .digit = WHOLE, .minus = MINUS },
		[MINUS] = { .zero = ZERO, .digit = WHOLE },
		[ZERO] = { .point = POINT, .e = E },
		[WHOLE] = { .zero = WHOLE, .digit = WHOLE, .point = POINT, .e = E },
		[POINT] = { .zero = FRACTION, .digit = FRACTION },
		[FRACTION] = { .zero = FRACTION, .digit = FRACTION, .e = E },
		[E] = { .zero = EXPONENT, .digit = EXPONENT, .minus = SIGN, .plus = SIGN },
		[SIGN] = { .zero = EXPONENT, .digit = EXPONENT },
		[EXPONENT] = { .zero = EXPONENT, .digit = EXPONENT },
	};

	return c == '0'               ? after[s].zero
	       : char_is_digit(c)     ? after[s].digit
	       : c == '.'             ? after[s].point
	       : c == 'e' || c == 'E' ? after[s].e
	       : c == '-'             ? after[s].minus
	       : c == '+'             ? after[s].plus
				      : BAD;
}

/* Reads a number that may continue beyond the end of the buffer. */
static bool
number_slow(struct json_reader *r, bool keep, struct text *value, struct error *err)
{
	enum state s = START;

	if (keep)
		strbuf_reset(&r->scratch);
	for (;; r->p++) {
		if (json_ended(r) || !json_is_word(*r->p))
			break;
		s = step(s, *r->p);
		if (s == BAD)
			return json_fail_at(r, r->p, err, "an invalid number");
		if (keep)
			strbuf_append_char(&r->scratch, *r->p);
	}
	if (r->failed || !may_end[s])
		return json_fail_at(r, r->p, err, "an invalid number");
	if (keep && r->scratch.failed)
		return json_fail_limit(r, err, "a number of more than %zu bytes", r->max_string);
	*value = keep ? strbuf_text(&r->scratch) : TEXT_NULL;
	return true;
}

static inline const char *
digits(const char *p)
{
	while ((unsigned char)(*p - '0') <= 9)
		p++;
	return p;
}

/* The end of the number at p; NULL if it does not end within the buffer. */
static inline const char *
number_in_buffer(const char *p)
{
	const char *begin;

	p += *p == '-';
	begin = p;
	p = digits(p);
	if (p == begin || (*begin == '0' && p - begin > 1))
		return NULL;
	if (*p == '.') {
		begin = ++p;
		p = digits(p);
		if (p == begin)
			return NULL;
	}
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '-' || *p == '+';
		begin = p;
		p = digits(p);
		if (p == begin)
			return NULL;
	}
	return *p == '\0' || json_is_word(*p) ? NULL : p;
}

bool
json_number(struct json_reader *r, bool keep, struct text *value, struct error *err)
{
	const char *end = number_in_buffer(r->p);

	if (!end || (size_t)(end - r->p) > r->max_string)
		return number_slow(r, keep, value, err);
	*value = (struct text){ r->p, (size_t)(end - r->p) };
	r->p = end;
	return true;
}

static bool
at_number(struct json_reader *r, struct error *err)
{
	if (!json_to_value(r, err))
		return false;
	assert(r->state == JSON_AT_VALUE);
	if (*r->p == '-' || char_is_digit(*r->p))
		return true;
	return json_fail_wanted(r, err, "a number");
}

bool
json_read_number(struct json_reader *r, struct text *value, struct error *err)
{
	if (!at_number(r, err) || !json_number(r, true, value, err))
		return false;
	json_value_done(r);
	return true;
}

static bool
is_zero(struct text t)
{
	for (size_t i = 0; i < t.size && t.data[i] != 'e' && t.data[i] != 'E'; i++)
		if (t.data[i] >= '1' && t.data[i] <= '9')
			return false;
	return true;
}

/* Returns false if the number is not an exact integer. Compact numbers without a fraction are the
 * common case. */
static bool
number_to_int64(struct text t, int64_t *value)
{
	struct decimal_digits d;
	struct decimal v;
	uint64_t magnitude = 0;

	if (decimal_parse(t, &v) == DECIMAL_OK && v.kind == DECIMAL_COMPACT && v.scale == 0) {
		*value = v.mantissa;
		return true;
	}
	decimal_expand(t, &d);
	for (int i = 0; i < d.whole; i++)
		if (__builtin_mul_overflow(magnitude, UINT64_C(10), &magnitude) ||
			__builtin_add_overflow(
				magnitude, (uint64_t)(d.digits[i] - '0'), &magnitude))
			return false;
	for (int i = d.whole; i < d.whole + d.scale; i++)
		if (d.digits[i] != '0')
			return false;
	if (magnitude > (uint64_t)INT64_MAX + d.negative)
		return false;
	*value = (int64_t)(d.negative ? 0 - magnitude : magnitude);
	return d.whole + d.scale > 0 || is_zero(t);
}

/* Byte i of the text becomes bits 8i to 8i + 7 of the word. */
static inline uint64_t
load_word(const char *p)
{
	uint64_t word = 0;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&word, p, sizeof(word));
#else
	for (int i = 7; i >= 0; i--)
		word = word << 8 | (unsigned char)p[i];
#endif
	return word;
}

/*
 * Converts up to eight digits at p in one step. Returns their count and sets *value. The bytes form
 * one little-endian word, in which digits become 0..9. The first byte that is not a digit is marked
 * in its upper bit, and the bytes after it are ignored.
 */
static inline unsigned
eight_digits(const char *p, uint64_t *value)
{
	uint64_t word = load_word(p);
	uint64_t other;
	unsigned count = 8;

	word ^= UINT64_C(0x3030303030303030);
	other = ((word + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
	if (other) {
		count = (unsigned)__builtin_ctzll(other) / 8;
		if (!count)
			return 0;
		word <<= 64 - 8 * count;
	}
	word = word * 10 + (word >> 8);
	*value = ((word & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
			 (word >> 16 & UINT64_C(0x000000FF000000FF)) *
				 UINT64_C(0x0000271000000001)) >>
		 32;
	return count;
}

/* Reads an unsigned integer of up to 15 digits within the buffer. Returns its end; NULL if there is
 * no such integer. */
static inline const char *
short_integer(const char *p, int64_t *value)
{
	static const uint32_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
	uint64_t v = 0;
	unsigned count;

	count = eight_digits(p, &v);
	if (count == 0 || (*p == '0' && count > 1))
		return NULL;
	p += count;
	if (count == 8) {
		uint64_t low = 0;

		count = eight_digits(p, &low);
		if (count == 8)
			return NULL;
		v = v * powers[count] + low;
		p += count;
	}
	*value = (int64_t)v;
	return p;
}

/* Whether c ends a number within the buffer. */
static inline bool
ends_number(char c)
{
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r';
}

JSON_SLOW static bool
int64_slow(struct json_reader *r, int64_t *value, bool *ok, struct error *err)
{
	struct text t;

	if (!json_read_number(r, &t, err))
		return false;
	*ok = number_to_int64(t, value);
	return true;
}

/* Reads the integer at p; r->p may be at a blank or minus sign before it. */
static inline bool
int64_in(struct json_reader *r, const char *p, int64_t *value)
{
	const char *end = short_integer(p, value);

	if (!end || !ends_number(*end))
		return false;
	r->value_offset = json_offset_in(r, p);
	r->p = end;
	json_value_done(r);
	return true;
}

/* Reads a negative integer, or an integer after a blank. This is a separate function because a
 * branch for the sign would slow down the fast path. */
JSON_SLOW static bool
int64_apart(struct json_reader *r, int64_t *value, bool *ok, struct error *err)
{
	const char *p = r->p + (*r->p == ' ');
	bool negative = *p == '-';

	if (!int64_in(r, p + negative, value))
		return int64_slow(r, value, ok, err);
	r->value_offset -= negative;
	*value = negative ? -*value : *value;
	return true;
}

bool
json_read_int64(struct json_reader *r, int64_t *value, bool *ok, struct error *err)
{
	*ok = true;
	return int64_in(r, r->p, value) || int64_apart(r, value, ok, err);
}

/*
 * Reads a number with fewer than 16 digits, with or without a point, and without an exponent. Its
 * digits and the power of ten are exact doubles, so their quotient is correctly rounded.
 */
static bool
short_double(struct text t, double *value)
{
	static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15, 1e16 };
	bool negative = t.data[0] == '-';
	int64_t mantissa = 0;
	size_t fraction = 0;
	bool point = false;

	if (t.size > 16)
		return false;
	for (size_t i = negative; i < t.size; i++) {
		if (t.data[i] == '.') {
			point = true;
			continue;
		}
		if (!char_is_digit(t.data[i]))
			return false;
		mantissa = mantissa * 10 + (t.data[i] - '0');
		fraction += point;
	}
	if (mantissa > INT64_C(1) << 53)
		return false;
	*value = (double)mantissa / powers[fraction];
	if (negative)
		*value = -*value;
	return true;
}

bool
json_read_double(struct json_reader *r, double *value, struct error *err)
{
	struct text t = TEXT_LITERAL("0");

	if (!json_read_number(r, &t, err))
		return false;
	if (FLT_EVAL_METHOD != 0 || !short_double(t, value))
		*value = double_parse(t);
	return true;
}

/* --- decimals -------------------------------------------------------------------------------- */

static bool
ends_decimal(char c)
{
	return c == ',' || c == ']' || c == '}' || c == ' ';
}

const char *
json_scan_decimal(const char *p, struct decimal *v)
{
	const char *begin = p;
	int64_t n = 0;
	unsigned scale = 0;

	while (char_is_digit(*p) && p - begin < DECIMAL_MAX_SCALE)
		n = n * 10 + (*p++ - '0');
	if (p == begin || (*begin == '0' && p > begin + 1))
		return NULL;
	if (*p == '.') {
		const char *fraction = ++p;

		while (char_is_digit(*p) && p - begin < DECIMAL_MAX_SCALE + 1)
			n = n * 10 + (*p++ - '0');
		if (p == fraction)
			return NULL;
		scale = (unsigned)(p - fraction);
	}
	if (!ends_decimal(*p))
		return NULL;
	*v = (struct decimal){ .mantissa = n, .scale = (uint8_t)scale, .kind = DECIMAL_COMPACT };
	return p;
}

bool
json_read_decimal(struct json_reader *r, struct decimal *value, bool *ok, struct error *err)
{
	const char *here = json_window(r).data;
	const char *end = json_scan_decimal(here, value);
	struct text t = TEXT_NULL;

	/* Most numbers take this path. */
	if (end && (size_t)(end - here) <= r->max_string) {
		json_take(r, (size_t)(end - here));
		*ok = true;
		return true;
	}
	if (!json_read_number(r, &t, err))
		return false;
	*ok = decimal_parse(t, value) == DECIMAL_OK;
	return true;
}
