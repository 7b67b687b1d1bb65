/*
 * Looking ahead in inputs that may end anywhere: a value that the end cuts must
 * not be shown to the caller, who is told of a member before he reads it.
 */
#include "json_private.h"

enum {
	LOOK_BACK_BYTES = 4096
};

static enum json_whole
string_in_buffer(const struct json_reader *r, const char *p)
{
	for (;; p++) {
		p = json_scan_plain(p, r->portable);
		if (*p == '"')
			return JSON_WHOLE;
		if (p >= r->end)
			return JSON_OPEN;
		if (*p == '\\')
			p++; /* at the end: the NUL, and the next one stops the scan */
	}
}

/* What is no beginning of the word is not cut but wrong. */
static enum json_whole
word_in_buffer(const struct json_reader *r, const char *p, struct text word)
{
	size_t size = (size_t)(r->end - p);

	return size < word.size && memcmp(p, word.data, size) == 0 ? JSON_OPEN : JSON_WHOLE;
}

enum json_whole
json_whole_in_buffer(const struct json_reader *r, const char *p)
{
	switch (*p) {
	case '\0':
		return p == r->end ? JSON_OPEN : JSON_WHOLE;
	case '"':
		return string_in_buffer(r, p + 1);
	case 't':
		return word_in_buffer(r, p, TEXT_LITERAL("true"));
	case 'f':
		return word_in_buffer(r, p, TEXT_LITERAL("false"));
	case 'n':
		return word_in_buffer(r, p, TEXT_LITERAL("null"));
	default:
		/* Digits at the very end may lack others. */
		while (json_is_word(*p))
			p++;
		return p < r->end ? JSON_WHOLE : JSON_OPEN;
	}
}

bool
json_is_whole(struct json_reader *r)
{
	while (json_whole_in_buffer(r, r->p) == JSON_OPEN) {
		size_t looked = (size_t)(r->end - r->p);

		/* Each look begins anew: only when there is twice as much. */
		if (looked > r->max_string)
			break;
		while (!r->eof && (size_t)(r->end - r->p) < 2 * looked + 1)
			json_fill(r);
		if ((size_t)(r->end - r->p) == looked)
			return r->failed;
	}
	return true;
}

/*
 * A quote without a backslash before it begins or ends a string: one that
 * begins before it ends there at the latest, and so does every other scalar.
 */
void
json_find_safe(struct json_reader *r)
{
	const char *p = r->end;
	const char *stop = p - r->buffer > LOOK_BACK_BYTES ? p - LOOK_BACK_BYTES : r->buffer;

	r->safe = r->buffer;
	while (--p > stop) {
		if (*p == '"' && p[-1] != '\\') {
			r->safe = p;
			return;
		}
	}
}
