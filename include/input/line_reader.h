/*
 * Lines of a stream of bytes, one after another, in constant memory. Ends of
 * lines are LF or CRLF; a last line needs none. UTF-16 with a byte order mark
 * becomes UTF-8, a UTF-8 mark is passed over; bytes that are no UTF-8 become
 * U+FFFD, and U+0000 its depot escape.
 */
#ifndef PROFDEPOT_INPUT_LINE_READER_H
#define PROFDEPOT_INPUT_LINE_READER_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct line_options {
	const char *source;                        /* as errors name it; borrowed */
	size_t max_line_bytes;                     /* 0: 1 MiB. A longer line is cut there */
	void (*tick)(void *self, uint64_t offset); /* now and then; may be NULL */
	void *tick_self;
};

struct line {
	struct text text; /* without its end; until the next call, followed by a NUL */
	uint64_t number;  /* from 1 */
	uint64_t offset;  /* of its first byte in the input */
	uint64_t cut;     /* bytes behind the limit that were passed over; 0: it is whole */
	bool unended;     /* the input ends in it, without an end of line */
	bool bad_utf8;    /* some bytes of it became U+FFFD */
};

struct line_reader;

/* The descriptor stays the caller's. */
struct line_reader *line_reader_new_fd(int fd, const struct line_options *options);
/* Of bytes that outlive the reader; chunk: as much is read at a time, 0: all. */
struct line_reader *line_reader_new_memory(
	const void *data, size_t size, size_t chunk, const struct line_options *options);
void line_reader_free(struct line_reader *r);

/* The next line, and *more; *more false at the end. ERROR_FILE. */
bool line_next(struct line_reader *r, struct line *line, bool *more, struct error *err);

/* The line just read comes again. */
void line_again(struct line_reader *r);

/* Bytes read so far. */
uint64_t line_reader_offset(const struct line_reader *r);

#endif
