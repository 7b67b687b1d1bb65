#include "json_members.h"

#include "base/json_string.h"

enum {
	ESCAPE_MAX_BYTES = 6, /* of one byte of a string */
	FRAME_BYTES = 64,     /* quotes, key, comma, the brace that closes the object */
};

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
	json_append_text(b, text_from(key));
	strbuf_append_char(b, ':');
}

void
members_text(struct strbuf *b, const char *key, struct text value)
{
	if (!value.data || !members_fit(b, value.size))
		return;
	add_key(b, key);
	json_append_text(b, value);
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
