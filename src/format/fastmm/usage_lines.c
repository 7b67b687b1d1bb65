/* Scans the lines of FastMM's reports about memory in use; see usage_private.h. */
#include "format/common/text_scan.h"
#include "usage_private.h"

enum {
	MIN_DASHES = 8,
	MS_PER_DAY = 24 * 60 * 60 * 1000,
};

bool
usage_is_ruler(struct text t)
{
	size_t n = 0;

	while (n < t.size && t.data[n] == '-')
		n++;
	return n >= MIN_DASHES && n == t.size;
}

/* --- numbers -------------------------------------------------------------------------------------- */

/* Removes "[+-]DIGITS" and the blanks before it. */
static bool
scan_signed(struct text *t, int64_t *v)
{
	struct text rest = *t;
	bool negative;

	scan_blanks(&rest);
	negative = scan_char(&rest, '-');
	if (!negative)
		scan_char(&rest, '+');
	if (!scan_int64(&rest, v))
		return false;
	if (negative)
		*v = -*v;
	*t = rest;
	return true;
}

/* Days since 1 January of year 0 in the Gregorian calendar. */
static int64_t
days_of(int year, int month, int day)
{
	static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	int years = year - 1;

	return (int64_t)years * 365 + years / 4 - years / 100 + years / 400 + before[month - 1] +
	       (leap && month > 2) + day;
}

bool
usage_scan_time(struct text *t, int64_t *ms)
{
	struct text rest = *t;
	int year, month, day, hour, minute, second;
	int fraction = 0;

	if (!scan_digits(&rest, 4, 1, 9999, &year) || !scan_char(&rest, '-') ||
		!scan_digits(&rest, 2, 1, 12, &month) || !scan_char(&rest, '-') ||
		!scan_digits(&rest, 2, 1, 31, &day) || !scan_char(&rest, ' ') ||
		!scan_digits(&rest, 2, 0, 23, &hour) || !scan_char(&rest, ':') ||
		!scan_digits(&rest, 2, 0, 59, &minute) || !scan_char(&rest, ':') ||
		!scan_digits(&rest, 2, 0, 60, &second))
		return false;
	*t = rest;
	if (scan_char(&rest, '.') && scan_digits(&rest, 3, 0, 999, &fraction))
		*t = rest;
	*ms = days_of(year, month, day) * MS_PER_DAY +
	      (((int64_t)hour * 60 + minute) * 60 + second) * 1000 + fraction;
	return true;
}

/* --- states ---------------------------------------------------------------------------------------- */

bool
usage_scan_kb(struct text t, char unit, int64_t *value)
{
	return scan_signed(&t, value) && scan_char(&t, unit) && scan_char(&t, ' ') && t.size;
}

static size_t
find_last(struct text t, const char *word)
{
	size_t n = strlen(word);

	for (size_t at = t.size; at >= n; at--)
		if (memcmp(t.data + at - n, word, n) == 0)
			return at - n;
	return TEXT_NOT_FOUND;
}

static bool
has_digit(struct text t)
{
	for (size_t i = 0; i < t.size; i++)
		if (char_is_digit(t.data[i]))
			return true;
	return false;
}

bool
usage_scan_state_row(struct text t, struct usage_row *row)
{
	struct text count;
	size_t at;

	*row = (struct usage_row){ 0 };
	if (!scan_signed(&t, &row->now.bytes) || !scan_char(&t, ' ') || !text_ends(t, ")"))
		return false;
	at = text_find(t, ": ");
	if (at == TEXT_NOT_FOUND)
		return false;
	t = text_from_at(t, at + 2);
	at = find_last(t, " (");
	if (at == TEXT_NOT_FOUND || !has_digit(text_from_at(t, at)))
		return false;
	t = text_up_to(t, at);
	at = find_last(t, " x ");
	if (at == TEXT_NOT_FOUND)
		return false;
	count = text_from_at(t, at + 3);
	row->class_name = text_trim(text_up_to(t, at));
	return row->class_name.size && scan_signed(&count, &row->now.count) && !count.size;
}

/* --- snapshots -------------------------------------------------------------------------------------- */

bool
usage_scan_title(struct text t, bool *is_difference, struct text *time)
{
	int64_t ms;
	struct text rest;

	if (!scan_word(&t, "FastMM heap snapshot "))
		return false;
	*time = TEXT_NULL;
	*is_difference = text_equal(text_trim(t), TEXT_LITERAL("diff"));
	if (*is_difference)
		return true;
	scan_blanks(&t);
	rest = t;
	if (!usage_scan_time(&rest, &ms) || text_trim(rest).size)
		return false;
	*time = text_up_to(t, t.size - rest.size);
	return true;
}

/* "TIME  (573 blocks, 679850 user bytes)" */
static bool
scan_side(struct text t, char time[USAGE_TIME_BYTES], struct usage_amount *out)
{
	struct text begin;
	int64_t ms;

	scan_blanks(&t);
	begin = t;
	if (!usage_scan_time(&t, &ms))
		return false;
	snprintf(time, USAGE_TIME_BYTES, "%.*s", (int)(begin.size - t.size), begin.data);
	scan_blanks(&t);
	return scan_char(&t, '(') && scan_signed(&t, &out->count) && scan_word(&t, " blocks,") &&
	       scan_signed(&t, &out->bytes) && scan_word(&t, " user bytes)");
}

bool
usage_scan_totals(struct text t, struct usage_table *table)
{
	bool ok = false;

	if (scan_word(&t, "Live blocks:"))
		ok = scan_signed(&t, &table->now.count) && scan_char(&t, ',') &&
		     (scan_blanks(&t), scan_word(&t, "user bytes:")) &&
		     scan_signed(&t, &table->now.bytes) && !t.size;
	else if (scan_word(&t, "Snapshot A:"))
		ok = scan_side(t, table->times[0], &table->old);
	else if (scan_word(&t, "Snapshot B:"))
		ok = scan_side(t, table->times[1], &table->now);
	else if (scan_word(&t, "Delta:"))
		ok = scan_signed(&t, &table->delta.count) && scan_word(&t, " blocks,") &&
		     scan_signed(&t, &table->delta.bytes) && scan_word(&t, " user bytes");
	table->totals += ok;
	return ok;
}

bool
usage_scan_more(struct text t, uint64_t *more)
{
	return scan_word(&t, "... (") && scan_decimal(&t, more) && scan_word(&t, " more ") &&
	       text_ends(t, ")");
}

bool
usage_scan_row(struct text t, bool is_difference, struct usage_row *row)
{
	int64_t *const snapshot[] = { &row->now.count, &row->now.bytes };
	int64_t *const difference[] = { &row->old.count, &row->now.count, &row->delta.count,
		&row->old.bytes, &row->now.bytes, &row->delta.bytes };
	int64_t *const *numbers = is_difference ? difference : snapshot;
	size_t count = is_difference ? 6 : 2;

	*row = (struct usage_row){ 0 };
	for (size_t i = 0; i < count; i++)
		if (!scan_signed(&t, numbers[i]) || !scan_char(&t, ' '))
			return false;
	row->class_name = text_trim(t);
	return row->class_name.size > 0;
}
