/* The escape for characters that PostgreSQL cannot store as text; see base/depot_text.h. */
#include "base/depot_text.h"

static const char digits[] = "0123456789ABCDEF";

void
depot_text_append_unit(struct strbuf *b, uint16_t unit)
{
	char out[DEPOT_TEXT_ESCAPE_BYTES] = { DEPOT_TEXT_ESCAPE, digits[unit >> 12],
		digits[unit >> 8 & 15], digits[unit >> 4 & 15], digits[unit & 15] };

	strbuf_append(b, out, sizeof(out));
}

bool
depot_text_unit_at(struct text t, size_t at, uint16_t *unit)
{
	unsigned value = 0;

	if (at > t.size || t.size - at < DEPOT_TEXT_ESCAPE_BYTES || t.data[at] != DEPOT_TEXT_ESCAPE)
		return false;
	for (size_t i = 1; i < DEPOT_TEXT_ESCAPE_BYTES; i++) {
		int digit = char_hex_value(t.data[at + i]);

		if (digit < 0 || char_upper(t.data[at + i]) != t.data[at + i])
			return false;
		value = value << 4 | (unsigned)digit;
	}
	if (value != 0 && value != DEPOT_TEXT_ESCAPE && (value < 0xD800 || value >= 0xE000))
		return false;
	*unit = (uint16_t)value;
	return true;
}
