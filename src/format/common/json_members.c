/* Writes JSON objects of attributes, member by member, into a buffer. */
#include "json_members.h"

#include "base/json_string.h"

#include <inttypes.h>

enum {
	ESCAPE_MAX_BYTES = 6, /* largest size of one escaped byte in a string */
	FRAME_BYTES = 64,     /* room for quotes, key, comma, and the object's closing brace */
};

/* The size in bytes of the text as a JSON string, without quotes. */
static size_t
escaped_size(struct text t)
{
	size_t size = t.size;

	for (size_t i = 0; i < t.size; i++)
		if ((unsigned char)t.data[i] < ' ')
			size += ESCAPE_MAX_BYTES - 1;
		else if (t.data[i] == '"' || t.data[i] == '\\')
			size++;
	return size;
}

static bool
has_room(const struct strbuf *b, size_t bytes)
{
	return bytes <= b->max && b->size + bytes + FRAME_BYTES <= b->max;
}

/* Returns whether a string of this size would fit, even if every byte must be escaped. */
static bool
members_fit(const struct strbuf *b, size_t bytes)
{
	return bytes < b->max / ESCAPE_MAX_BYTES && has_room(b, bytes * ESCAPE_MAX_BYTES);
}

bool
members_element(struct strbuf *elements, struct text t)
{
	if (!members_fit(elements, t.size))
		return false;
	if (elements->size)
		strbuf_append_char(elements, ',');
	json_append_text(elements, t);
	return true;
}

void
members_text_key(struct strbuf *b, struct text key)
{
	strbuf_append_char(b, b->size ? ',' : '{');
	json_append_text(b, key);
	strbuf_append_char(b, ':');
}

void
members_key(struct strbuf *b, const char *key)
{
	members_text_key(b, text_from(key));
}

bool
members_text(struct strbuf *b, const char *key, struct text value)
{
	if (text_is_null(value))
		return true;
	if (!has_room(b, escaped_size(value)))
		return false;
	members_key(b, key);
	json_append_text(b, value);
	return true;
}

bool
members_json(struct strbuf *b, const char *key, struct text value)
{
	if (!has_room(b, value.size))
		return false;
	members_key(b, key);
	strbuf_append_text(b, value);
	return true;
}

bool
members_int(struct strbuf *b, const char *key, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	return members_json(b, key, text_from(digits));
}

bool
members_number(struct strbuf *b, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return members_json(b, key, text_from(digits));
}

bool
members_array(struct strbuf *b, const char *key, struct text elements)
{
	if (text_is_empty(elements))
		return true;
	if (!has_room(b, elements.size))
		return false;
	members_key(b, key);
	strbuf_append_char(b, '[');
	strbuf_append_text(b, elements);
	strbuf_append_char(b, ']');
	return true;
}

struct text
members_end(struct strbuf *b)
{
	if (!b->size || b->failed)
		return TEXT_NULL;
	strbuf_append_char(b, '}');
	return strbuf_text(b);
}
