/* The start time of a profile, in any of the formats that its producers write. */
#include "miniprofiler_private.h"

#include "base/calendar.h"
#include "base/decimal.h"
#include "base/number.h"
#include "format/common/text_scan.h"

#include <inttypes.h>

#define US_PER_SECOND INT64_C(1000000)
#define US_PER_DAY (INT64_C(86400) * US_PER_SECOND)

/* The year 2001. Smaller values come from a monotonic clock, as in Ruby, and are not dates. */
#define LEAST_MS INT64_C(1000000000000)
#define MOST_MS INT64_C(253402300800000) /* year 10000 */

/* Parses a fraction such as ".056669", and returns its microseconds. Ignores further digits. */
static int64_t
take_fraction(struct text *t)
{
	int64_t us = 0;
	int64_t unit = US_PER_SECOND / 10;
	int digit;

	if (!scan_char(t, '.'))
		return 0;
	for (; scan_digits(t, 1, 0, 9, &digit); unit /= 10)
		us += unit * digit;
	return us;
}

/* Parses a zone, and sets *minutes to its offset from UTC; 0 if there is no zone. */
static bool
take_zone(struct text *t, int *minutes)
{
	bool west = text_begins(*t, "-");
	int hour = 0;
	int minute = 0;

	*minutes = 0;
	if (!t->size || scan_char(t, 'Z'))
		return t->size == 0;
	if (!scan_char(t, '+') && !scan_char(t, '-'))
		return false;
	if (!scan_digits(t, 2, 0, 99, &hour))
		return false;
	scan_char(t, ':');
	if (t->size && !scan_digits(t, 2, 0, 99, &minute))
		return false;
	*minutes = (hour * 60 + minute) * (west ? -1 : 1);
	return t->size == 0;
}

static bool
parse_iso(struct text t, int64_t *us)
{
	int year, month, day, hour, minute, second, zone;
	int64_t fraction;

	if (!scan_digits(&t, 4, 1, 9999, &year) || !scan_char(&t, '-') ||
		!scan_digits(&t, 2, 1, 12, &month) || !scan_char(&t, '-') ||
		!scan_digits(&t, 2, 1, 31, &day) || (!scan_char(&t, 'T') && !scan_char(&t, ' ')) ||
		!scan_digits(&t, 2, 0, 23, &hour) || !scan_char(&t, ':') ||
		!scan_digits(&t, 2, 0, 59, &minute) || !scan_char(&t, ':') ||
		!scan_digits(&t, 2, 0, 60, &second))
		return false;
	fraction = take_fraction(&t);
	if (!take_zone(&t, &zone))
		return false;
	*us = calendar_days(year, month, day) * US_PER_DAY +
	      ((int64_t)hour * 3600 + (int64_t)minute * 60 + second - (int64_t)zone * 60) *
		      US_PER_SECOND +
	      fraction;
	return true;
}

/* Parses milliseconds, which may have a fraction or an exponent. Truncates them to microseconds. */
static bool
parse_ms(struct text t, int64_t *us)
{
	struct decimal d;
	struct number n;
	int64_t ms;

	if (number_parse(t, &n) != NUMBER_OK || !number_to_int64(n, &ms)) {
		double v = decimal_parse(t, &d) == DECIMAL_OK ? decimal_to_double(d) : 0;

		if (!(v >= (double)LEAST_MS && v < (double)MOST_MS))
			return false;
		*us = (int64_t)(v * 1000);
		return true;
	}
	if (ms < LEAST_MS || ms >= MOST_MS)
		return false;
	*us = ms * 1000;
	return true;
}

/* Parses a date such as "/Date(1387487400000)/". A zone after the number has no effect. */
static bool
parse_date(struct text t, int64_t *us)
{
	size_t digits = 6;

	if (t.size < 9 || memcmp(t.data, "/Date(", 6) != 0 ||
		memcmp(t.data + t.size - 2, ")/", 2) != 0)
		return false;
	while (digits < t.size && char_is_digit(t.data[digits]))
		digits++;
	return parse_ms((struct text){ t.data + 6, digits - 6 }, us);
}

static bool
gives_back(const struct json_node *n, int64_t us, enum mini_form form)
{
	char out[MINI_TIME_BYTES];
	size_t size = mini_time_put(out, us, form);
	struct text t = { out, size };

	if (form != MINI_FORM_MS)
		t = (struct text){ out + 1, size - 2 };
	return text_equal(t, n->text);
}

enum mini_form
mini_time_read(const struct json_node *n, int64_t *us)
{
	enum mini_form form = MINI_FORM_PLAIN;

	*us = MODEL_NULL;
	if (n->type == JSON_NUMBER && parse_ms(n->text, us))
		form = MINI_FORM_MS;
	else if (n->type == JSON_STRING && parse_date(n->text, us))
		form = MINI_FORM_DATE;
	else if (n->type == JSON_STRING && parse_iso(n->text, us))
		form = MINI_FORM_ISO;
	return form != MINI_FORM_PLAIN && gives_back(n, *us, form) ? form : MINI_FORM_PLAIN;
}

static size_t
put_iso(char *out, int64_t us)
{
	int64_t days = us / US_PER_DAY - (us % US_PER_DAY < 0);
	int64_t rest = us - days * US_PER_DAY;
	int64_t year;
	int month, day, n;

	calendar_date(days, &year, &month, &day);
	n = snprintf(out, MINI_TIME_BYTES, "\"%04" PRId64 "-%02d-%02dT%02d:%02d:%02d.%06d", year,
		month, day, (int)(rest / (3600 * US_PER_SECOND)),
		(int)(rest / (60 * US_PER_SECOND) % 60), (int)(rest / US_PER_SECOND % 60),
		(int)(rest % US_PER_SECOND));
	while (out[n - 1] == '0')
		n--;
	if (out[n - 1] == '.')
		n--;
	return (size_t)n + (size_t)snprintf(out + n, MINI_TIME_BYTES - (size_t)n, "Z\"");
}

size_t
mini_time_put(char out[MINI_TIME_BYTES], int64_t us, enum mini_form form)
{
	if (form == MINI_FORM_DATE)
		return (size_t)snprintf(out, MINI_TIME_BYTES, "\"/Date(%" PRId64 ")/\"", us / 1000);
	if (form == MINI_FORM_MS)
		return (size_t)snprintf(out, MINI_TIME_BYTES, "%" PRId64, us / 1000);
	return put_iso(out, us);
}
