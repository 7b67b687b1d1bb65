/* Scans the front and the end of a line of text. */
#include "text_scan.h"

enum {
	MAX_PLACE_DIGITS = 9
};

bool
scan_word(struct text *t, const char *word)
{
	if (!text_begins(*t, word))
		return false;
	*t = text_from_at(*t, strlen(word));
	return true;
}

void
scan_blanks(struct text *t)
{
	size_t n = 0;

	while (n < t->size && char_is_blank(t->data[n]))
		n++;
	*t = text_from_at(*t, n);
}

struct text
scan_token(struct text *t)
{
	struct text token;
	size_t n = 0;

	scan_blanks(t);
	while (n < t->size && !char_is_blank(t->data[n]))
		n++;
	token = text_up_to(*t, n);
	*t = text_from_at(*t, n);
	return token;
}

static bool
scan_number(struct text *t, int base, uint64_t *v)
{
	uint64_t sum = 0;
	size_t n = 0;

	for (; n < t->size; n++) {
		int digit = char_hex_value(t->data[n]);

		if (digit < 0 || digit >= base)
			break;
		if (__builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
			__builtin_add_overflow(sum, (uint64_t)digit, &sum))
			return false;
	}
	if (!n)
		return false;
	*v = sum;
	*t = text_from_at(*t, n);
	return true;
}

bool
scan_decimal(struct text *t, uint64_t *v)
{
	return scan_number(t, 10, v);
}

bool
scan_hex(struct text *t, uint64_t *v)
{
	struct text digits = *t;

	if (!scan_word(&digits, "0x"))
		scan_word(&digits, "0X");
	if (!scan_number(&digits, 16, v))
		return false;
	*t = digits;
	return true;
}

bool
scan_char(struct text *t, char c)
{
	if (!t->size || t->data[0] != c)
		return false;
	*t = text_from_at(*t, 1);
	return true;
}

bool
scan_digits(struct text *t, int count, int min, int max, int *v)
{
	int sum = 0;

	if (t->size < (size_t)count)
		return false;
	for (int i = 0; i < count; i++) {
		if (!char_is_digit(t->data[i]))
			return false;
		sum = sum * 10 + (t->data[i] - '0');
	}
	if (sum < min || sum > max)
		return false;
	*v = sum;
	*t = text_from_at(*t, (size_t)count);
	return true;
}

bool
scan_int64(struct text *t, int64_t *v)
{
	struct text rest = *t;
	uint64_t n;

	if (!scan_decimal(&rest, &n) || n > INT64_MAX)
		return false;
	*v = (int64_t)n;
	*t = rest;
	return true;
}

/* Removes a number such as ":12" from the end. */
static bool
scan_last_number(struct text *t, int64_t *v)
{
	size_t at = t->size;
	int64_t sum = 0;

	while (at > 0 && char_is_digit(t->data[at - 1]))
		at--;
	if (at < 2 || at == t->size || t->size - at > MAX_PLACE_DIGITS || t->data[at - 1] != ':')
		return false;
	for (size_t i = at; i < t->size; i++)
		sum = sum * 10 + (t->data[i] - '0');
	*v = sum;
	t->size = at - 1;
	return true;
}

bool
scan_last_place(struct text *t, int64_t *line, int64_t *column)
{
	int64_t last;

	*column = 0;
	if (!scan_last_number(t, &last))
		return false;
	if (scan_last_number(t, line))
		*column = last;
	else
		*line = last;
	return true;
}

bool
scan_last_offset(struct text *t, uint64_t *offset)
{
	size_t at = t->size;
	struct text digits;

	while (at > 0 && t->data[at - 1] != '+')
		at--;
	digits = text_from_at(*t, at);
	if (at < 2 || !text_begins(digits, "0x") || !scan_hex(&digits, offset) || digits.size)
		return false;
	t->size = at - 1;
	return true;
}

size_t
text_opening_bracket(struct text t)
{
	size_t depth = 0;

	for (size_t i = t.size; i-- > 0;) {
		if (t.data[i] == ')')
			depth++;
		else if (t.data[i] == '(' && --depth == 0)
			return i;
	}
	return TEXT_NOT_FOUND;
}

struct text
text_basename(struct text path)
{
	for (size_t i = path.size; i > 0; i--)
		if (path.data[i - 1] == '/')
			return text_from_at(path, i);
	return path;
}
