/* Conversion of whole numbers from and to text. */
#include "base/number.h"

enum number_result
number_parse(struct text t, struct number *out)
{
	const char *p;
	const char *end;
	bool negative = false;
	bool digits = false;
	bool range = false;
	bool fraction = false;
	uint64_t v = 0;

	t = text_trim(t);
	p = t.data;
	end = t.data + t.size;
	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	for (; p < end && char_is_digit(*p); p++) {
		unsigned d = (unsigned)(*p - '0');

		digits = true;
		if (v > (UINT64_MAX - d) / 10)
			range = true;
		else
			v = v * 10 + d;
	}
	if (!digits)
		return NUMBER_NOT_A_NUMBER;
	if (p < end && ((*p != '.' && *p != ',') || p + 1 == end))
		return NUMBER_NOT_A_NUMBER;
	for (p += p < end; p < end; p++) {
		if (!char_is_digit(*p))
			return NUMBER_NOT_A_NUMBER;
		fraction |= *p != '0';
	}
	if (fraction)
		return NUMBER_FRACTION;
	if (range || (negative && v > (uint64_t)INT64_MAX + 1))
		return NUMBER_RANGE;
	*out = (struct number){ .magnitude = v, .negative = negative && v != 0 };
	return NUMBER_OK;
}

struct number
number_from_int64(int64_t v)
{
	if (v < 0)
		return (struct number){ .magnitude = 0 - (uint64_t)v, .negative = true };
	return (struct number){ .magnitude = (uint64_t)v };
}

bool
number_to_int64(struct number n, int64_t *out)
{
	if (n.negative) {
		*out = (int64_t)(0 - n.magnitude);
		return n.magnitude <= (uint64_t)INT64_MAX + 1;
	}
	*out = (int64_t)n.magnitude;
	return n.magnitude <= (uint64_t)INT64_MAX;
}

int
number_compare(struct number a, struct number b)
{
	int order;

	if (a.null || b.null)
		return (int)b.null - (int)a.null;
	if (a.negative != b.negative)
		return a.negative ? -1 : 1;
	order = (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
	return a.negative ? -order : order;
}

size_t
number_format(struct number n, char *out)
{
	char digits[20];
	size_t count = 0;
	size_t size = 0;

	do {
		digits[count++] = (char)('0' + n.magnitude % 10);
		n.magnitude /= 10;
	} while (n.magnitude);
	if (n.negative)
		out[size++] = '-';
	while (count)
		out[size++] = digits[--count];
	out[size] = '\0';
	return size;
}

size_t
number_format_int64(int64_t v, char *out)
{
	return number_format(number_from_int64(v), out);
}

const char *
int64_text(int64_t v, char out[24])
{
	number_format_int64(v, out);
	return out;
}
