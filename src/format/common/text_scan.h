/*
 * Steps over a line of text: each takes what stands at the front, or leaves the line as
 * it is. Linear, without locale.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H
#define PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H

#include "base/text.h"

#include <stdint.h>

#define TEXT_NOT_FOUND SIZE_MAX

/* What is left from `at` on, at most the whole. */
static inline struct text
text_from_at(struct text t, size_t at)
{
	return at < t.size ? (struct text){ t.data + at, t.size - at }
			   : (struct text){ t.data + t.size, 0 };
}

static inline struct text
text_up_to(struct text t, size_t size)
{
	return (struct text){ t.data, size < t.size ? size : t.size };
}

static inline bool
text_begins(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.size >= n && memcmp(t.data, word, n) == 0;
}

bool text_ends(struct text t, const char *word);
/* Offset of the first, TEXT_NOT_FOUND without. */
size_t text_find(struct text t, const char *word);
/* Takes the word. */
bool scan_word(struct text *t, const char *word);
/* Takes blanks and tabs, if any. */
void scan_blanks(struct text *t);
/* Takes digits; false, and nothing taken, without one or beyond 64 bits. */
bool scan_decimal(struct text *t, uint64_t *v);
/* Takes hex digits, with or without 0x; as scan_decimal. */
bool scan_hex(struct text *t, uint64_t *v);

#endif
