/*
 * Steps over a line of text: each takes what stands at the front, or leaves the line as
 * it is. Linear, without locale.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H
#define PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H

#include "base/text.h"

/* Takes the word. */
bool scan_word(struct text *t, const char *word);
/* Takes blanks and tabs, if any. */
void scan_blanks(struct text *t);
/* Takes digits; false, and nothing taken, without one or beyond 64 bits. */
bool scan_decimal(struct text *t, uint64_t *v);
/* Takes hex digits, with or without 0x; as scan_decimal. */
bool scan_hex(struct text *t, uint64_t *v);

#endif
