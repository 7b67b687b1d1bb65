/* Skips JSON values, or reads them as raw text. */
#include "json_members_private.h"

#include <assert.h>

/* Skips a short integer with a delimiter after it. Most skipped numbers have this form. */
static inline bool
pass_integer(struct json_reader *r)
{
	const char *p = r->p;

	if (*p == '0')
		return false;
	while ((unsigned char)(*p - '0') <= 9)
		p++;
	if (p == r->p || (*p != ',' && *p != '}' && *p != ']') ||
		(size_t)(p - r->p) > r->max_string)
		return false;
	r->p = p;
	return true;
}

/* Skips a scalar or enters a container. */
static bool
skip_step(struct json_reader *r, struct error *err)
{
	struct text unused;
	const char *end;

	if (!json_to_value(r, err))
		return false;
	switch (*r->p) {
	case '{':
	case '[':
		return json_enter_in(r) || json_enter(r, err);
	case '"':
		end = json_text_in(r, ++r->p);
		if (*end == '"')
			r->p = end + 1;
		else if (!json_string_slow(r, false, err))
			return false;
		break;
	case 't':
	case 'f':
	case 'n':
		if (!json_literal(r, err))
			return false;
		break;
	default:
		if (*r->p != '-' && !char_is_digit(*r->p))
			return json_fail_wanted(r, err, "a value");
		if (!pass_integer(r) && !json_number(r, false, &unused, err))
			return false;
	}
	json_value_done(r);
	return true;
}

/* Moves to the next member or item, and leaves containers that are at their end. Stops with *more false when
 * the depth is `base`. */
static bool
skip_to_member(struct json_reader *r, size_t base, bool *more, struct error *err)
{
	struct text key;

	*more = false;
	while (r->depth > base && !*more) {
		if (json_in_object(r)) {
			*more = !r->keys &&
				(json_short_member_in(r, &key) || json_member_in(r, &key));
			if (*more || json_end_in(r, '}'))
				continue;
			if (!json_member(r, r->keys != NULL, &key, more, err))
				return false;
		} else {
			*more = json_item_in(r);
			if (*more || json_end_in(r, ']'))
				continue;
			if (!json_next_item(r, more, err))
				return false;
		}
	}
	return true;
}

/* Not recursive, because the input may be nested very deeply. */
bool
json_skip(struct json_reader *r, struct error *err)
{
	size_t base = r->depth;
	bool more = true;

	while (more) {
		if (!skip_step(r, err) || !skip_to_member(r, base, &more, err))
			return false;
		if (r->raw.failed)
			return json_fail_limit(
				r, err, "a value of more than %zu bytes", r->raw.max);
	}
	return true;
}

bool
json_read_raw(struct json_reader *r, size_t max_bytes, struct text *value, struct error *err)
{
	uint64_t offset;
	bool ok;

	if (!json_to_value(r, err))
		return false;
	assert(r->state == JSON_AT_VALUE);
	offset = r->value_offset;
	strbuf_reset(&r->raw);
	r->raw.max = max_bytes ? max_bytes : r->max_string;
	r->record = r->p;
	ok = json_skip(r, err);
	if (ok && r->raw.size == 0 && (size_t)(r->p - r->record) <= r->raw.max) {
		*value = (struct text){ r->record, (size_t)(r->p - r->record) };
	} else if (ok) {
		json_raw_flush(r, r->p, r->p);
		*value = strbuf_text(&r->raw);
	}
	r->record = NULL;
	r->value_offset = offset;
	if (ok && r->raw.failed)
		ok = json_fail_limit(r, err, "a value of more than %zu bytes", r->raw.max);
	r->raw.failed = false;
	return ok;
}
