/* Escapes in JSON strings (RFC 8259, section 7), and the depot's escape within such strings. */
#include "base/json_string.h"

#include "base/depot_text.h"

static const char hex[] = "0123456789abcdef";

/* Returns the character that follows the backslash in the short escape of c; 0 if c has no short escape. */
static char
letter_of(unsigned char c, unsigned how)
{
	static const char letters[] = { 'b', 't', 'n', 0, 'f', 'r' };

	if (c == '"' || c == '\\')
		return (char)c;
	if (c == '\n' && (how & JSON_ESCAPE_NEWLINE))
		return 'n';
	return (how & JSON_ESCAPE_LETTERS) && c >= '\b' && c <= '\r' ? letters[c - '\b'] : 0;
}

/* Writes the escape that replaces the text at t.data[i]; returns how many bytes of t the escape replaces. */
static size_t
escape_at(struct text t, size_t i, unsigned how, char escape[JSON_ESCAPE_BYTES])
{
	const unsigned char c = (unsigned char)t.data[i];
	const char letter = letter_of(c, how);
	const bool depot = (how & JSON_ESCAPE_DEPOT) && c == DEPOT_TEXT_ESCAPE;
	uint16_t unit = c;

	if (letter) {
		escape[0] = '\\';
		escape[1] = letter;
		escape[2] = '\0';
		return 1;
	}
	size_t covered = depot && depot_text_unit_at(t, i, &unit) ? DEPOT_TEXT_ESCAPE_BYTES : 1;

	memcpy(escape, "\\u", 2);
	for (int digit = 0; digit < 4; digit++)
		escape[2 + digit] = hex[unit >> (12 - 4 * digit) & 15];
	escape[6] = '\0';
	return covered;
}

bool
json_escape_next(
	struct text *rest, unsigned how, struct text *plain, char escape[JSON_ESCAPE_BYTES])
{
	const struct text t = *rest;
	const unsigned char delete = (how & JSON_ESCAPE_LETTERS) ? 0x7F : '"';
	size_t i = 0;

	while (i < t.size) {
		const unsigned char c = (unsigned char)t.data[i];

		if (c < ' ' || c == '"' || c == '\\' || c == delete)
			break;
		i++;
	}
	*plain = (struct text){ t.data, i };
	if (i == t.size)
		return false;
	i += escape_at(t, i, how, escape);
	*rest = (struct text){ t.data + i, t.size - i };
	return true;
}

void
json_append_string(struct strbuf *b, struct text t, unsigned how)
{
	char escape[JSON_ESCAPE_BYTES];
	struct text plain;

	strbuf_append_char(b, '"');
	while (json_escape_next(&t, how, &plain, escape)) {
		strbuf_append_text(b, plain);
		strbuf_append_str(b, escape);
	}
	strbuf_append_text(b, plain);
	strbuf_append_char(b, '"');
}

void
json_append_text(struct strbuf *b, struct text t)
{
	json_append_string(b, t, 0);
}

void
json_append_depot_text(struct strbuf *b, struct text t)
{
	json_append_string(b, t, JSON_ESCAPE_DEPOT);
}

/* Reads "\u001aXXXX" at p, which is the depot's escape for the code unit XXXX. */
static bool
stored_unit_at(const char *p, size_t left, uint16_t *unit)
{
	char escape[DEPOT_TEXT_ESCAPE_BYTES] = { DEPOT_TEXT_ESCAPE };

	if (left < 10 || memcmp(p, "\\u001", 5) != 0 || (p[5] != 'a' && p[5] != 'A'))
		return false;
	memcpy(escape + 1, p + 6, sizeof(escape) - 1);
	return depot_text_unit_at((struct text){ escape, sizeof(escape) }, 0, unit);
}

void
json_append_original(struct strbuf *b, struct text json)
{
	size_t from = 0;

	for (size_t i = 0; i < json.size; i++) {
		uint16_t unit;

		if (json.data[i] != '\\')
			continue;
		if (!stored_unit_at(json.data + i, json.size - i, &unit)) {
			i++; /* skip the escaped byte, which does not begin another escape */
			continue;
		}
		strbuf_append(b, json.data + from, i - from);
		strbuf_printf(b, "\\u%04x", unit);
		i += 9;
		from = i + 1;
	}
	strbuf_append(b, json.data + from, json.size - from);
}
