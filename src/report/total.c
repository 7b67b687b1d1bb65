#include "report_private.h"

#include "base/number.h"

static void
add(uint64_t *low, uint64_t *high, uint64_t v)
{
	*low += v;
	*high += *low < v;
}

void
total_add(struct total *t, struct text digits)
{
	struct number n;

	if (text_is_null(digits) || number_parse(digits, &n) != NUMBER_OK)
		return;
	if (n.negative)
		add(&t->negative_low, &t->negative_high, n.magnitude);
	else
		add(&t->low, &t->high, n.magnitude);
}

/* Divides high:low by 10 in four 32-bit steps, returns the remainder. */
static unsigned
divide_by_10(uint64_t *high, uint64_t *low)
{
	uint32_t limbs[4] = { (uint32_t)(*high >> 32), (uint32_t)*high, (uint32_t)(*low >> 32),
		(uint32_t)*low };
	uint64_t rest = 0;

	for (size_t i = 0; i < 4; i++) {
		uint64_t v = rest << 32 | limbs[i];

		limbs[i] = (uint32_t)(v / 10);
		rest = v % 10;
	}
	*high = (uint64_t)limbs[0] << 32 | limbs[1];
	*low = (uint64_t)limbs[2] << 32 | limbs[3];
	return (unsigned)rest;
}

struct text
total_text(const struct total *t, struct arena *a)
{
	char digits[48];
	size_t at = sizeof(digits);
	bool negative = t->negative_high > t->high ||
			(t->negative_high == t->high && t->negative_low > t->low);
	uint64_t low = negative ? t->negative_low - t->low : t->low - t->negative_low;
	uint64_t high = negative ? t->negative_high - t->high - (t->negative_low < t->low)
				 : t->high - t->negative_high - (t->low < t->negative_low);

	do {
		digits[--at] = (char)('0' + divide_by_10(&high, &low));
	} while (high || low);
	if (negative)
		digits[--at] = '-';
	return arena_text(a, (struct text){ digits + at, sizeof(digits) - at });
}
