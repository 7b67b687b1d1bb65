/*
 * Scans a line of text. A scan_ function removes a part from the front or the end of the text. If the
 * text has no such part, the function returns false and leaves the text unchanged. All these functions
 * take linear time and ignore the locale.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H
#define PROFDEPOT_FORMAT_COMMON_TEXT_SCAN_H

#include "base/text.h"

bool scan_word(struct text *t, const char *word);
/* Removes blanks and tabs, if any. */
void scan_blanks(struct text *t);
/* Removes blanks and tabs, then returns and removes the token up to the next blank or tab. */
struct text scan_token(struct text *t);
/* Removes digits. Fails if there are no digits, or if the number exceeds 64 bits (scan_int64: 63 bits). */
bool scan_decimal(struct text *t, uint64_t *v);
bool scan_int64(struct text *t, int64_t *v);
/* Removes hex digits, with or without 0x. */
bool scan_hex(struct text *t, uint64_t *v);
/* Removes this byte. */
bool scan_char(struct text *t, char c);
/* Removes exactly `count` digits, which must be a number from min to max. */
bool scan_digits(struct text *t, int count, int min, int max, int *v);

/* Removes ":LINE" or ":LINE:COLUMN" from the end, with at most 9 digits each. At least one byte must
 * precede it. *column is 0 if absent. */
bool scan_last_place(struct text *t, int64_t *line, int64_t *column);
/* Removes text such as "+0x1d1" from the end. At least one byte must precede it. */
bool scan_last_offset(struct text *t, uint64_t *offset);

/* The offset of the round bracket that matches the last byte; TEXT_NOT_FOUND if there is none. */
size_t text_opening_bracket(struct text t);

/* The last part of a path; the whole path if it has no slash. */
struct text text_basename(struct text path);

#endif
