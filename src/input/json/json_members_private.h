/* Fast paths for containers and their members; see json_inline_private.h. */
#ifndef PROFDEPOT_INPUT_JSON_JSON_MEMBERS_PRIVATE_H
#define PROFDEPOT_INPUT_JSON_JSON_MEMBERS_PRIVATE_H

#include "json_inline_private.h"

static inline void
json_leave_in(struct json_reader *r)
{
	if (r->keys || r->depth % 64 == 1) {
		json_leave(r);
		return;
	}
	r->depth--;
	r->kinds >>= 1;
	r->state = JSON_AT_NEXT;
}

/* Leaves the container if p is at its end. */
static inline bool
json_end_in(struct json_reader *r, char close)
{
	if (*r->p != close) {
		const char *p = json_blanks_in(r, r->p);

		if (*p != close)
			return false;
		r->p = p;
	}
	r->p++;
	json_leave_in(r);
	return true;
}

/* Enters a container that is inside another one. */
static inline bool
json_enter_in(struct json_reader *r)
{
	if ((*r->p | 0x20) != '{' || r->depth >= r->max_depth || r->keys || r->depth % 64 == 0)
		return false;
	r->value_offset = json_offset_in(r, r->p);
	r->kinds = r->kinds << 1 | (*r->p++ == '{');
	r->depth++;
	r->state = JSON_AT_FIRST;
	return true;
}

static inline bool
json_item_in(struct json_reader *r)
{
	const char *p = r->p;

	if (*p != ',')
		p = json_blanks_in(r, p);
	if (*p != ',' || r->state != JSON_AT_NEXT)
		return false;
	p = json_blanks_in(r, p + 1);
	if (*p == '\0' || *p == ']' || !json_is_safe(r, p))
		return false;
	r->p = p;
	r->state = JSON_AT_VALUE;
	return true;
}

static inline bool
json_member_in(struct json_reader *r, struct text *key)
{
	const char *p = json_blanks_in(r, r->p);
	const char *end;

	if (r->state != JSON_AT_FIRST) {
		if (*p != ',')
			return false;
		p = json_blanks_in(r, p + 1);
	}
	if (*p++ != '"')
		return false;
	end = json_text_in(r, p);
	if (end[0] != '"' || end[1] != ':' || (size_t)(end - p) > r->max_string ||
		!json_is_safe(r, json_blanks_in(r, end + 2)))
		return false;
	*key = (struct text){ p, (size_t)(end - p) };
	r->value_offset = json_offset_in(r, p - 1);
	r->p = end + 2;
	r->state = JSON_AT_VALUE;
	return true;
}

/* Reads ,"key": without blanks. Returns false if the value after the colon is not completely in the fast part of the
 * buffer. */
static inline bool
json_short_member_in(struct json_reader *r, struct text *key)
{
	const char *p = r->p;
	size_t n;

	if (r->state != JSON_AT_FIRST && *p++ != ',')
		return false;
	if (*p != '"')
		return false;
	n = json_short_text_in(p);
	if (n == 16 || p[n + 2] != ':' || p + n + 3 >= r->swift || (unsigned char)p[n + 3] <= ' ')
		return false;
	key->data = p + 1;
	key->size = n;
	r->value_offset = json_offset_in(r, p);
	r->p = p + n + 3;
	r->state = JSON_AT_VALUE;
	return true;
}

#endif
