/*
 * Steps over a line of text. Each function takes something off the front or the end, or leaves
 * the text alone and returns false. All are linear and ignore the locale.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H
#define PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H

#include "base/text.h"

bool scan_word(struct text *t, const char *word);
/* Blanks and tabs, if any. */
void scan_blanks(struct text *t);
/* Blanks and tabs, then the bytes up to the next ones; empty at the end. */
struct text scan_token(struct text *t);
/* Digits; false without any, or if the number exceeds 64 (int64: 63) bits. */
bool scan_decimal(struct text *t, uint64_t *v);
bool scan_int64(struct text *t, int64_t *v);
/* Hex digits, with or without 0x. */
bool scan_hex(struct text *t, uint64_t *v);

/* Off the end: ":LINE" or ":LINE:COLUMN", at most 9 digits each, after at least one other byte.
 * Column 0 if absent. */
bool scan_last_place(struct text *t, int64_t *line, int64_t *column);
/* Off the end: "+0x1d1", after at least one other byte. */
bool scan_last_offset(struct text *t, uint64_t *offset);

/* The last part of a path; the whole without a slash. */
struct text text_basename(struct text path);

#endif
