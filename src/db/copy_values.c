/* Numbers and arrays in PostgreSQL's binary COPY format. */
#include "copy_private.h"

enum {
	GROUP_DIGITS = 4, /* decimal digits in one base-10000 digit of a numeric */
	GROUP_BASE = 10000,
	ARRAY_HEADER_BYTES = 20,
	BOOL_OID = 16,
	INT8_OID = 20,
	INT4_OID = 23,
	TEXT_OID = 25,
	NUMERIC_OID = 1700,
	UUID_OID = 2950,
	UUID_BYTES = 16,
};

/* Writes a numeric from groups of four digits, lowest group first. The lowest `fraction` groups
 * come after the decimal point. */
static void
put_numeric(
	struct copier *c, const uint16_t *groups, int count, int fraction, bool negative, int scale)
{
	int skipped = 0;
	size_t size;
	uint8_t *p;

	/* The server removes groups of zeros at both ends of a numeric. This function removes them, too. Otherwise
	 * the rows that are sent and the rows that are read back would have different checksums. */
	while (skipped < count && groups[skipped] == 0)
		skipped++;
	while (count > skipped && groups[count - 1] == 0)
		count--;
	size = 8 + 2 * (size_t)(count - skipped);
	p = copier_put32(copier_room(c, 4 + size), (uint32_t)size);
	p = copier_put16(p, (uint16_t)(count - skipped));
	p = copier_put16(p, (uint16_t)(count > skipped ? count - fraction - 1 : 0));
	p = copier_put16(p, negative && count > skipped ? 0x4000 : 0);
	p = copier_put16(p, (uint16_t)scale);
	while (count > skipped)
		p = copier_put16(p, groups[--count]);
}

void
copier_number(struct copier *c, struct number n)
{
	uint16_t groups[5];
	int count = 0;

	if (n.null) {
		copier_null(c);
		return;
	}
	for (uint64_t v = n.magnitude; v; v /= GROUP_BASE)
		groups[count++] = (uint16_t)(v % GROUP_BASE);
	put_numeric(c, groups, count, 0, n.negative, 0);
}

/* v / 10^scale */
static void
put_scaled(struct copier *c, wide_bits v, bool negative, int scale)
{
	uint16_t groups[12];
	int count = 0;
	int fraction = (scale + GROUP_DIGITS - 1) / GROUP_DIGITS;

	if (scale % GROUP_DIGITS) {
		static const uint16_t powers[GROUP_DIGITS] = { 1, 10, 100, 1000 };
		unsigned odd = (unsigned)scale % GROUP_DIGITS;

		/* Zeros pad the lowest group. */
		groups[count++] = (uint16_t)(v % powers[odd] * powers[GROUP_DIGITS - odd]);
		v /= powers[odd];
	}
	for (; v > UINT64_MAX; v /= GROUP_BASE)
		groups[count++] = (uint16_t)(v % GROUP_BASE);
	for (uint64_t w = (uint64_t)v; w; w /= GROUP_BASE)
		groups[count++] = (uint16_t)(w % GROUP_BASE);
	put_numeric(c, groups, count, fraction, negative, scale);
}

void
copier_wide(struct copier *c, wide_int v)
{
	put_scaled(c, v < 0 ? 0 - (wide_bits)v : (wide_bits)v, v < 0, 0);
}

void
copier_fixed(struct copier *c, wide_int v)
{
	static const uint64_t one = UINT64_C(1000000000000000000);
	wide_bits rest = v < 0 ? 0 - (wide_bits)v : (wide_bits)v;
	wide_bits whole = rest / one; /* 128-bit division is slow, so % is not used below */
	int scale = DECIMAL_FIXED_SCALE;

	if (whole * one == rest) {
		rest = whole;
		scale = 0;
	}
	for (; scale > 0 && rest % 10 == 0; scale--)
		rest /= 10;
	put_scaled(c, rest, v < 0, scale);
}

static void
put_digits(struct copier *c, struct text t)
{
	struct decimal_digits d;
	uint16_t groups[2 * DECIMAL_MAX_DIGITS / GROUP_DIGITS];
	int whole;
	int fraction;
	int count = 0;

	decimal_expand(t, &d);
	whole = (d.whole + GROUP_DIGITS - 1) / GROUP_DIGITS;
	fraction = (d.scale + GROUP_DIGITS - 1) / GROUP_DIGITS;
	for (int g = whole + fraction - 1; g >= 0; g--) {
		/* Index of the group's first digit. Digits before the first or after the last digit of the number are 0. */
		int at = d.whole - (whole - g) * GROUP_DIGITS;
		int v = 0;

		for (int i = at; i < at + GROUP_DIGITS; i++)
			v = v * 10 + (i < 0 || i >= d.whole + d.scale ? 0 : d.digits[i] - '0');
		groups[count++] = (uint16_t)v;
	}
	put_numeric(c, groups, count, fraction, d.negative, d.scale);
}

void
copier_decimal(struct copier *c, struct decimal d)
{
	switch (d.kind) {
	case DECIMAL_COMPACT:
		put_scaled(c, d.mantissa < 0 ? 0 - (uint64_t)d.mantissa : (uint64_t)d.mantissa,
			d.mantissa < 0, d.scale);
		break;
	case DECIMAL_TEXT:
		put_digits(c, d.text);
		break;
	default:
		copier_null(c);
	}
}

/* Writes the header of an array with one dimension, whose lowest index is 1. */
static uint8_t *
put_array_header(uint8_t *p, size_t size, bool nulls, uint32_t type, size_t count)
{
	p = copier_put32(p, (uint32_t)size);
	p = copier_put32(p, 1);
	p = copier_put32(p, nulls);
	p = copier_put32(p, type);
	p = copier_put32(p, (uint32_t)count);
	return copier_put32(p, 1);
}

void
copier_int64_array(struct copier *c, const int64_t *items, size_t count)
{
	bool nulls = false;
	size_t size = ARRAY_HEADER_BYTES;
	uint8_t *p;

	if (!items) {
		copier_null(c);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		nulls |= items[i] == INT64_MIN;
		size += items[i] == INT64_MIN ? 4 : 12;
	}
	p = put_array_header(copier_room(c, 4 + size), size, nulls, INT8_OID, count);
	for (size_t i = 0; i < count; i++) {
		if (items[i] == INT64_MIN)
			p = copier_put32(p, UINT32_MAX);
		else
			p = copier_put64(copier_put32(p, 8), (uint64_t)items[i]);
	}
}

void
copier_int32_array(struct copier *c, const int32_t *items, size_t count)
{
	size_t size = ARRAY_HEADER_BYTES + 8 * count;
	uint8_t *p;

	if (!items) {
		copier_null(c);
		return;
	}
	p = put_array_header(copier_room(c, 4 + size), size, false, INT4_OID, count);
	for (size_t i = 0; i < count; i++)
		p = copier_put32(copier_put32(p, 4), (uint32_t)items[i]);
}

void
copier_bool_array(struct copier *c, const bool *items, size_t count)
{
	size_t size = ARRAY_HEADER_BYTES + 5 * count;
	uint8_t *p;

	if (!items) {
		copier_null(c);
		return;
	}
	p = put_array_header(copier_room(c, 4 + size), size, false, BOOL_OID, count);
	for (size_t i = 0; i < count; i++) {
		p = copier_put32(p, 1);
		*p++ = items[i];
	}
}

void
copier_text_array(struct copier *c, const struct text *items, size_t count)
{
	size_t size = ARRAY_HEADER_BYTES;
	uint8_t *p;

	for (size_t i = 0; i < count; i++)
		size += 4 + items[i].size;
	p = put_array_header(copier_room(c, 4 + size), size, false, TEXT_OID, count);
	for (size_t i = 0; i < count; i++) {
		p = copier_put32(p, (uint32_t)items[i].size);
		if (items[i].size)
			memcpy(p, items[i].data, items[i].size);
		p += items[i].size;
	}
}

void
copier_uuid_array(struct copier *c, const uint8_t *items, size_t count)
{
	size_t size = ARRAY_HEADER_BYTES + (4 + UUID_BYTES) * count;
	uint8_t *p = put_array_header(copier_room(c, 4 + size), size, false, UUID_OID, count);

	for (size_t i = 0; i < count; i++) {
		p = copier_put32(p, UUID_BYTES);
		memcpy(p, items + i * UUID_BYTES, UUID_BYTES);
		p += UUID_BYTES;
	}
}

/* Reserves space for the header of an array. The size in the header is known only after the last element. */
static size_t
begin_numerics(struct copier *c)
{
	size_t start = c->current->size;

	copier_room(c, 4 + ARRAY_HEADER_BYTES);
	return start;
}

static void
end_numerics(struct copier *c, size_t start, bool nulls, size_t count)
{
	put_array_header(
		c->current->data + start, c->current->size - start - 4, nulls, NUMERIC_OID, count);
}

void
copier_wide_array(struct copier *c, const wide_int *items, const bool *known, size_t count)
{
	size_t start = begin_numerics(c);
	bool nulls = false;

	for (size_t i = 0; i < count; i++) {
		nulls |= !known[i];
		if (known[i])
			copier_wide(c, items[i]);
		else
			copier_null(c);
	}
	end_numerics(c, start, nulls, count);
}

void
copier_fixed_array(struct copier *c, const wide_int *items, size_t count)
{
	size_t start;

	if (!items) {
		copier_null(c);
		return;
	}
	start = begin_numerics(c);
	for (size_t i = 0; i < count; i++)
		copier_fixed(c, items[i]);
	end_numerics(c, start, false, count);
}

void
copier_decimal_array(struct copier *c, const struct decimal *items, size_t count)
{
	bool nulls = false;
	size_t start;

	if (!items) {
		copier_null(c);
		return;
	}
	for (size_t i = 0; i < count; i++)
		nulls |= items[i].kind == DECIMAL_NULL;
	start = begin_numerics(c);
	for (size_t i = 0; i < count; i++)
		copier_decimal(c, items[i]);
	end_numerics(c, start, nulls, count);
}
