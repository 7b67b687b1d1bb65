/*
 * The fast paths of the JSON reader, for values that are completely in the buffer and have no
 * special cases. Nearly all values take these paths. For other values the functions return false
 * and change nothing.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_INLINE_PRIVATE_H
#define PROFDEPOT_INPUT_JSON_JSON_INLINE_PRIVATE_H

#include "json_private.h"

/* Keeps a function from being inlined, so that its callers, the fast paths, need no stack frame. */
#ifdef __GNUC__
#define JSON_SLOW __attribute__((noinline, cold))
#else
#define JSON_SLOW
#endif

/* Skips blanks and stores the value's offset. Before the first read and at the input's end, the
 * buffer is empty and *p is NUL. */
static inline bool
json_to_value(struct json_reader *r, struct error *err)
{
	if ((unsigned char)*r->p <= ' ' && !json_pass_blanks(r, err))
		return false;
	r->value_offset = json_offset_in(r, r->p);
	return true;
}

static inline void
json_value_done(struct json_reader *r)
{
	r->state = r->depth ? JSON_AT_NEXT : JSON_AT_VALUE;
}

static inline bool
json_in_object(const struct json_reader *r)
{
	return r->kinds & 1;
}

static inline const char *
json_blanks_in(const struct json_reader *r, const char *p)
{
	return (unsigned char)*p <= ' ' ? json_scan_blanks(p, r->portable) : p;
}

/* The end of the run of plain bytes and valid UTF-8 that begins at p. */
static inline const char *
json_text_in(const struct json_reader *r, const char *p)
{
	p = json_scan_plain(p, r->portable);
	return (unsigned char)*p < 0x80 ? p : json_scan_text(r, p);
}

/* Whether the scalar at p is known to end in the buffer. */
static inline bool
json_is_safe(const struct json_reader *r, const char *p)
{
	return p < r->safe || !r->look_ahead || json_whole_in_buffer(r, p);
}

/* The size of the string after the quote at p, if it is plain and has at most 15 bytes. Otherwise
 * returns a value of at least 16. The byte after the closing quote must be before r->swift. This
 * function makes no calls, so its callers need no stack frame. */
static inline size_t
json_short_text_in(const char *p)
{
#ifdef __SSE2__
	unsigned mask = json_mask_plain_sse2(p + 1);
	size_t n = mask ? (unsigned)__builtin_ctz(mask) : 16;

	return p[n + 1] == '"' ? n : 16;
#else
	size_t n = 0;

	while (n < 16 && json_is_plain((unsigned char)p[n + 1]))
		n++;
	return p[n + 1] == '"' ? n : 16;
#endif
}

#endif
