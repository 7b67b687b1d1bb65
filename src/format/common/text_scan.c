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

	while (n < t->size && (t->data[n] == ' ' || t->data[n] == '\t'))
		n++;
	*t = text_from_at(*t, n);
}

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static bool
scan_number(struct text *t, int base, uint64_t *v)
{
	uint64_t sum = 0;
	size_t n = 0;

	for (; n < t->size && digit_of(t->data[n]) < base; n++)
		if (__builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
			__builtin_add_overflow(sum, (uint64_t)digit_of(t->data[n]), &sum))
			return false;
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
