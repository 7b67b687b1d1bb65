/* Steps over a line of text, see text_scan.h. */
#include "text_scan.h"

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
