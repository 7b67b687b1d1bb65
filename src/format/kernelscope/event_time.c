/* Converts event times between text and seconds since 1970. */
#include "format/kernelscope/event_time.h"

#include "base/calendar.h"
#include "format/common/text_scan.h"

static const int64_t first_second = -62135596800; /* 0001-01-01 00:00:00 */
static const int64_t last_second = 253402300799;  /* 9999-12-31 23:59:59 */

enum {
	FRACTION_DIGITS = 6,
	DAY_SECONDS = 86400
};

static bool
take_date(struct text *t, int64_t *days)
{
	int year, month, day, real_month, real_day;
	int64_t real_year;

	if (!scan_digits(t, 4, 1, 9999, &year) || !scan_char(t, '-') ||
		!scan_digits(t, 2, 1, 12, &month) || !scan_char(t, '-') ||
		!scan_digits(t, 2, 1, 31, &day))
		return false;
	*days = calendar_days(year, month, day);
	calendar_date(*days, &real_year, &real_month, &real_day);
	return real_day == day;
}

/* Parses a fraction of a second; ignores digits after the sixth. */
static bool
take_fraction(struct text *t, int *digits, int64_t *fraction)
{
	int digit;

	if (!scan_char(t, '.'))
		return true;
	for (; scan_digits(t, 1, 0, 9, &digit); ++*digits)
		if (*digits < FRACTION_DIGITS)
			*fraction = *fraction * 10 + digit;
	return *digits > 0;
}

/* Parses a zone, and sets *ahead to the number of seconds by which the zone is ahead of UTC. */
static bool
take_zone(struct text *t, int *ahead)
{
	bool west = text_begins(*t, "-");
	int hours;
	int minutes = 0;

	*ahead = 0;
	if (scan_char(t, 'Z') || !(scan_char(t, '+') || scan_char(t, '-')))
		return true;
	if (!scan_digits(t, 2, 0, 15, &hours))
		return false;
	if (t->size && ((void)scan_char(t, ':'), !scan_digits(t, 2, 0, 59, &minutes)))
		return false;
	*ahead = (hours * 3600 + minutes * 60) * (west ? -1 : 1);
	return true;
}

bool
event_time_parse(struct text t, struct decimal *at, bool *exact)
{
	struct text rest = t;
	int64_t days, seconds, fraction = 0;
	int hour = 0, minute = 0, second = 0, digits = 0, ahead = 0;

	if (!take_date(&rest, &days))
		return false;
	if (rest.size) {
		bool parted = scan_char(&rest, ' ') || scan_char(&rest, 'T');

		if (!parted || !scan_digits(&rest, 2, 0, 23, &hour) || !scan_char(&rest, ':') ||
			!scan_digits(&rest, 2, 0, 59, &minute))
			return false;
		if (scan_char(&rest, ':') && (!scan_digits(&rest, 2, 0, 59, &second) ||
						     !take_fraction(&rest, &digits, &fraction)))
			return false;
	}
	*exact = !rest.size && t.size >= 19 && t.data[10] == ' ' && digits <= FRACTION_DIGITS;
	if (!take_zone(&rest, &ahead) || rest.size)
		return false;
	seconds = days * DAY_SECONDS + (int64_t)hour * 3600 + (int64_t)minute * 60 + second - ahead;
	if (seconds < first_second || seconds > last_second)
		return false;
	if (digits > FRACTION_DIGITS)
		digits = FRACTION_DIGITS;
	*at = (struct decimal){ .mantissa = seconds * decimal_power((unsigned)digits) + fraction,
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
	unit = decimal_power(at.scale);
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
