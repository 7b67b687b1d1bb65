/* Converts event times between text and seconds since 1970. */
#include "format/kernelscope/event_time.h"

#include "base/calendar.h"

static const int64_t first_second = -62135596800; /* 0001-01-01 00:00:00 */
static const int64_t last_second = 253402300799;  /* 9999-12-31 23:59:59 */

enum {
	FRACTION_DIGITS = 6,
	DAY_SECONDS = 86400
};

static const int64_t powers[FRACTION_DIGITS + 1] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };

/* --- text to time ----------------------------------------------------------------------------- */

struct cursor {
	struct text t;
	size_t at;
};

static char
peek(const struct cursor *c)
{
	return c->at < c->t.size ? c->t.data[c->at] : '\0';
}

/* Exactly `count` digits of a number from min to max. */
static bool
take(struct cursor *c, int count, int min, int max, int *out)
{
	int value = 0;

	for (int i = 0; i < count; i++, c->at++) {
		if (!char_is_digit(peek(c)))
			return false;
		value = value * 10 + (peek(c) - '0');
	}
	*out = value;
	return value >= min && value <= max;
}

static bool
skip(struct cursor *c, char expected)
{
	if (peek(c) != expected || c->at == c->t.size)
		return false;
	c->at++;
	return true;
}

static bool
take_date(struct cursor *c, int64_t *days)
{
	int year, month, day, real_month, real_day;
	int64_t real_year;

	if (!take(c, 4, 1, 9999, &year) || !skip(c, '-') || !take(c, 2, 1, 12, &month) ||
		!skip(c, '-') || !take(c, 2, 1, 31, &day))
		return false;
	*days = calendar_days(year, month, day);
	calendar_date(*days, &real_year, &real_month, &real_day);
	return real_day == day;
}

/* Ignores digits after the sixth. */
static bool
take_fraction(struct cursor *c, int *digits, int64_t *fraction)
{
	*digits = 0;
	*fraction = 0;
	if (!skip(c, '.'))
		return true;
	for (; char_is_digit(peek(c)); c->at++, (*digits)++)
		if (*digits < FRACTION_DIGITS)
			*fraction = *fraction * 10 + (peek(c) - '0');
	return *digits > 0;
}

/* Sets *ahead to the seconds by which the zone is ahead of UTC. */
static bool
take_zone(struct cursor *c, int *ahead)
{
	int sign = peek(c) == '-' ? -1 : 1;
	int hours;
	int minutes = 0;

	*ahead = 0;
	if (skip(c, 'Z'))
		return true;
	if (peek(c) != '+' && peek(c) != '-')
		return true;
	c->at++;
	if (!take(c, 2, 0, 15, &hours))
		return false;
	if (c->at < c->t.size && ((void)skip(c, ':'), !take(c, 2, 0, 59, &minutes)))
		return false;
	*ahead = sign * (hours * 3600 + minutes * 60);
	return true;
}

bool
event_time_parse(struct text t, struct decimal *at, bool *exact)
{
	struct cursor c = { t, 0 };
	int64_t days, seconds, fraction = 0;
	int hour = 0, minute = 0, second = 0, digits = 0, ahead = 0;
	size_t whole;

	if (!take_date(&c, &days))
		return false;
	if (c.at < t.size) {
		bool parted = skip(&c, ' ') || skip(&c, 'T');

		if (!parted || !take(&c, 2, 0, 23, &hour) || !skip(&c, ':') ||
			!take(&c, 2, 0, 59, &minute))
			return false;
		if (skip(&c, ':') &&
			(!take(&c, 2, 0, 59, &second) || !take_fraction(&c, &digits, &fraction)))
			return false;
	}
	whole = c.at;
	if (!take_zone(&c, &ahead) || c.at != t.size)
		return false;
	seconds = days * DAY_SECONDS + (int64_t)hour * 3600 + (int64_t)minute * 60 + second - ahead;
	if (seconds < first_second || seconds > last_second)
		return false;
	*exact = whole == t.size && t.size >= 19 && t.data[10] == ' ' && digits <= FRACTION_DIGITS;
	if (digits > FRACTION_DIGITS)
		digits = FRACTION_DIGITS;
	*at = (struct decimal){ .mantissa = seconds * powers[digits] + fraction,
		.scale = (uint8_t)digits,
		.kind = DECIMAL_COMPACT };
	return true;
}

bool
event_time_from_number(struct text t, struct decimal *at)
{
	struct decimal d;

	if (decimal_parse(t, &d) != DECIMAL_OK || d.kind != DECIMAL_COMPACT ||
		decimal_compare(d, decimal_from_int64(first_second)) < 0 ||
		decimal_compare(d, decimal_from_int64(last_second)) > 0)
		return false;
	*at = d;
	return true;
}

bool
event_time_append(struct strbuf *b, struct decimal at)
{
	int64_t unit, seconds, fraction, days, year;
	int rest, month, day;

	if (at.kind != DECIMAL_COMPACT || at.scale > FRACTION_DIGITS)
		return false;
	unit = powers[at.scale];
	seconds = at.mantissa / unit - (at.mantissa % unit < 0);
	if (seconds < first_second || seconds > last_second)
		return false;
	fraction = at.mantissa - seconds * unit;
	days = seconds / DAY_SECONDS - (seconds % DAY_SECONDS < 0);
	rest = (int)(seconds - days * DAY_SECONDS);
	calendar_date(days, &year, &month, &day);
	strbuf_printf(b, "%04d-%02d-%02d %02d:%02d:%02d", (int)year, month, day, rest / 3600,
		rest / 60 % 60, rest % 60);
	if (at.scale)
		strbuf_printf(b, ".%0*lld", at.scale, (long long)fraction);
	return true;
}
