/* Strings in JSON (RFC 8259, section 7): escapes and UTF-8 validation. */
#include "base/depot_text.h"
#include "json_private.h"

enum {
	/* the longest UTF-8 sequence; the NUL after the buffer makes a cut sequence invalid */
	SEQUENCE_BYTES = 4
};

const char *
json_scan_text(const struct json_reader *r, const char *p)
{
	for (;;) {
		size_t bad;
		size_t size;

		p = json_scan_plain(p, r->portable);
		if ((unsigned char)*p < 0x80)
			return p;
		size = utf8_sequence(p, SEQUENCE_BYTES, &bad);
		if (!size)
			return p;
		p += size;
	}
}

static void
append_code_point(struct strbuf *b, uint32_t c)
{
	char out[4];

	strbuf_append(b, out, utf8_encode(c, out));
}

/* Returns -1 if there are not four hex digits at p. */
static int32_t
hex4(const char *p)
{
	int32_t value = 0;

	for (int i = 0; i < 4; i++) {
		int digit = char_hex_value(p[i]);

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

/* The code unit of the escape after the high surrogate at p; -1 if no escape follows. */
static int32_t
low_surrogate(struct json_reader *r)
{
	json_need(r, 12);
	return r->p[6] == '\\' && r->p[7] == 'u' ? hex4(r->p + 8) : -1;
}

/* Reads \uXXXX at p, or a surrogate pair of two such escapes. */
static bool
unicode_escape(struct json_reader *r, bool keep, struct error *err)
{
	int32_t unit;
	int32_t low;

	json_need(r, 6);
	unit = hex4(r->p + 2);
	if (unit < 0)
		return json_fail_at(r, r->p, err, "\\u without four hex digits");
	low = unit >= 0xD800 && unit < 0xDC00 ? low_surrogate(r) : -1;
	if (low >= 0xDC00 && low < 0xE000) {
		if (keep)
			append_code_point(&r->scratch, utf16_pair((uint32_t)unit, (uint32_t)low));
		r->p += 12;
		return true;
	}
	if (!keep)
		;
	else if (unit == 0 || unit == DEPOT_TEXT_ESCAPE || (unit >= 0xD800 && unit < 0xE000))
		depot_text_append_unit(&r->scratch, (uint16_t)unit);
	else
		append_code_point(&r->scratch, (uint32_t)unit);
	r->p += 6;
	return true;
}

/* Reads an escape; the backslash is at p. */
static bool
escape(struct json_reader *r, bool keep, struct error *err)
{
	static const char names[] = "\"\\/bfnrt";
	static const char values[] = "\"\\/\b\f\n\r\t";
	const char *name;

	json_need(r, 2);
	if (r->p[1] == 'u')
		return unicode_escape(r, keep, err);
	name = r->p[1] ? strchr(names, r->p[1]) : NULL;
	if (!name)
		return json_fail_at(r, r->p, err, "an invalid escape");
	if (keep)
		strbuf_append_char(&r->scratch, values[name - names]);
	r->p += 2;
	return true;
}

/* Handles the byte at p, which is at least 0x80 and was rejected by json_scan_text. */
static bool
odd_byte(struct json_reader *r, bool keep, struct error *err)
{
	static const char replacement[] = "\xEF\xBF\xBD";
	size_t bad;

	json_need(r, 4);
	if (utf8_sequence(r->p, SEQUENCE_BYTES, &bad))
		return true; /* the end of the buffer had cut the sequence */
	if (!json_tolerates(r, JSON_BAD_UTF8))
		return json_fail_at(r, r->p, err, "bytes that are not UTF-8");
	json_deviate(r, JSON_BAD_UTF8, r->p);
	if (keep)
		strbuf_append(&r->scratch, replacement, 3);
	if (r->record) {
		json_raw_flush(r, r->p, r->p + bad);
		strbuf_append(&r->raw, replacement, 3);
	}
	r->p += bad;
	return true;
}

/* Handles a byte, other than a quote, that ended a run of text. */
static bool
string_special(struct json_reader *r, bool keep, struct error *err)
{
	unsigned char c = (unsigned char)*r->p;

	if (c == '\\')
		return escape(r, keep, err);
	if (c >= 0x80)
		return odd_byte(r, keep, err);
	if (!json_ended(r))
		return *r->p ? true : json_fail_at(r, r->p, err, "a NUL byte in a string");
	return json_fail_at(r, r->p, err, "the input ends in a string");
}

bool
json_string_slow(struct json_reader *r, bool keep, struct error *err)
{
	if (keep)
		strbuf_reset(&r->scratch);
	for (;;) {
		const char *stop = json_scan_text(r, r->p);

		if (keep)
			strbuf_append(&r->scratch, r->p, (size_t)(stop - r->p));
		if (keep && r->scratch.failed)
			return json_fail_string(r, err);
		r->p = stop;
		if (*stop == '"')
			break;
		if (*stop && (unsigned char)*stop < 0x20)
			return json_fail_at(r, r->p, err,
				"a control character (0x%02X) in a string", (unsigned char)*stop);
		if (!string_special(r, keep, err))
			return false;
	}
	r->p++;
	return true;
}
