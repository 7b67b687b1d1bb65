/*
 * Finds the encoding of log files. A program can append UTF-16 to a log of 8-bit text, and 8-bit
 * text to a log of UTF-16. Nothing in the file marks these changes.
 */
#ifndef PROFDEPOT_INPUT_LINE_ENCODING_H
#define PROFDEPOT_INPUT_LINE_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

enum line_encoding {
	ENCODING_UNKNOWN,
	ENCODING_BYTES, /* UTF-8 or a code page */
	ENCODING_UTF16LE,
	ENCODING_UTF16BE
};

/* Returns the offset at which 8-bit text changes to UTF-16 that begins with ASCII characters, and sets
 * *encoding; a byte order mark belongs to the UTF-16. Returns `size` if there is no change. If the decision
 * depends on bytes after `size`, returns `size` as well, but sets *encoding to ENCODING_UNKNOWN. `ended`
 * means that no bytes follow. */
size_t encoding_find_utf16(const char *data, size_t size, bool ended, enum line_encoding *encoding);

/* Returns the offset at which UTF-16 changes to 8-bit text, or `size` if there is no change. The offset
 * of a change is even. *certain is the number of bytes from the beginning that are certainly UTF-16.
 * It is smaller than the result if the decision needs the bytes after `size`. */
size_t encoding_find_bytes(const unsigned char *data, size_t size, bool ended, size_t *certain);

/* Returns the number of bytes that the UTF-8 text would have in UTF-16. */
size_t encoding_utf16_bytes(const char *data, size_t size);

#endif
