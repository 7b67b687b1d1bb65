#include "json_members.h"

enum {
	ESCAPE_MAX_BYTES = 6, /* of one byte of a string */
	FRAME_BYTES = 64,     /* quotes, key, comma, the brace that closes the object */
};

void
members_string(struct strbuf *b, struct text t)
{
	size_t from = 0;

	strbuf_append_char(b, '"');
	for (size_t i = 0; i < t.size; i++) {
		unsigned char c = (unsigned char)t.data[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		strbuf_append(b, t.data + from, i - from);
		if (c < ' ')
			strbuf_printf(b, "\\u%04x", c);
		else
			strbuf_printf(b, "\\%c", c);
		from = i + 1;
	}
	strbuf_append(b, t.data + from, t.size - from);
	strbuf_append_char(b, '"');
}

bool
members_fit(const struct strbuf *b, size_t bytes)
{
	return bytes < b->max / ESCAPE_MAX_BYTES &&
	       b->size + bytes * ESCAPE_MAX_BYTES + FRAME_BYTES <= b->max;
}

static void
add_key(struct strbuf *b, const char *key)
{
	strbuf_append_char(b, b->size ? ',' : '{');
	members_string(b, text_from(key));
	strbuf_append_char(b, ':');
}

void
members_text(struct strbuf *b, const char *key, struct text value)
{
	if (!value.data || !members_fit(b, value.size))
		return;
	add_key(b, key);
	members_string(b, value);
}

void
members_number(struct strbuf *b, const char *key, uint64_t value)
{
	if (!members_fit(b, 1))
		return;
	add_key(b, key);
	strbuf_printf(b, "%llu", (unsigned long long)value);
}

void
members_true(struct strbuf *b, const char *key)
{
	members_json(b, key, TEXT_LITERAL("true"));
}

void
members_json(struct strbuf *b, const char *key, struct text value)
{
	if (b->size + value.size + FRAME_BYTES > b->max)
		return;
	add_key(b, key);
	strbuf_append_text(b, value);
}

struct text
members_end(struct strbuf *b)
{
	if (!b->size)
		return TEXT_NULL;
	strbuf_append_char(b, '}');
	return strbuf_text(b);
}
