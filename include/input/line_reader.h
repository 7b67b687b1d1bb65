/*
 * Reads a stream of bytes line by line in constant memory. Lines end with LF or CRLF; the last line
 * may end without either. UTF-16 with a byte order mark is converted to UTF-8. A byte order mark in
 * UTF-8 is skipped. Invalid UTF-8 is replaced by U+FFFD, and U+0000 by the depot's escape.
 *
 * Logs (line_options.log) are read faster, because bytes are not checked. The rules for logs are less
 * strict: UTF-16 needs no byte order mark, the encoding may change within the file, and lines may end
 * with CR CR LF.
 */
#ifndef PROFDEPOT_INPUT_LINE_READER_H
#define PROFDEPOT_INPUT_LINE_READER_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct line_options {
	const char *source;                        /* name for messages; borrowed */
	size_t max_line_bytes;                     /* longer lines are cut off; 0 means 1 MiB */
	void (*tick)(void *self, uint64_t offset); /* called regularly; may be NULL */
	void *tick_self;
	bool log;
};

struct line {
	struct text text; /* without its line end; followed by NUL; valid until the next call */
	uint64_t number;  /* line number, from 1 */
	uint64_t offset;  /* offset of the first byte in the input */
	uint64_t cut;     /* bytes beyond the limit that were skipped; 0 if the line is complete */
	bool unended;     /* the line is the last one and has no line end */
	bool bad_utf8;    /* some bytes were replaced by U+FFFD; false in a log */
};

struct line_reader;

/* Borrows the descriptor. */
struct line_reader *line_reader_new_fd(int fd, const struct line_options *options);
/* Reads from memory, which must outlive the reader. A read copies at most `chunk` bytes; 0 means
 * no limit. */
struct line_reader *line_reader_new_memory(
	const void *data, size_t size, size_t chunk, const struct line_options *options);
void line_reader_free(struct line_reader *r);

/* Reads the next line; *more is false at the end. Fails with ERROR_FILE. */
bool line_next(struct line_reader *r, struct line *line, bool *more, struct error *err);

/* Returns `t`, a part of a line of a log, as UTF-8 without characters that the depot cannot store. Bytes that are not
 * UTF-8 are decoded from the code page. If there is no code page, or if the bytes are invalid in it, they
 * become U+FFFD, and *bad is set to true. The next call invalidates the result, and so does the end of t's lifetime. */
struct text line_clean(struct line_reader *r, struct text t, bool *bad);
/* Sets the code page of bytes that are not UTF-8. Returns false if iconv does not know the name. */
bool line_set_code_page(struct line_reader *r, const char *name);

/* Makes the next call of line_next return the same line again. */
void line_again(struct line_reader *r);

#endif
