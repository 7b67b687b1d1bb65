/*
 * The context of a reader: what every format needs while it reads one member of an input.
 * Formats keep a pointer to it and add what is specific to them.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_READER_H
#define PROFDEPOT_FORMAT_COMMON_READER_H

#include "base/strbuf.h"
#include "format/format.h"
#include "input/bundle/bundle.h"
#include "input/line_reader.h"

struct reader {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	uint32_t set;     /* of the member; ISSUE_EVERY_SET until it has one */
	bool wanted;      /* false: the depot has the set, its rows need not be emitted */
	size_t member;    /* its number in the bundle */
	const char *name; /* its name, for messages */
	int64_t size;     /* its bytes */
	int64_t before;   /* bytes of the members before it */
	bool lenient;     /* as the user asked */
	bool again;       /* read returned false because the source's plan changed: read again */

	struct line line; /* the last line; number 0: messages name no line */
	struct line_reader *lines;
	int fd; /* of the member; -1: not open */
	unsigned ticks;
	struct strbuf plain; /* a demangled name */
};

void reader_init(struct reader *r, struct format_source *source, struct sink *sink, size_t member,
	struct error *err);
/* Closes what is open. */
void reader_release(struct reader *r);

/* --- bytes and lines ------------------------------------------------------------------- */

/* Opens the member again, at its start, as r->fd. */
bool reader_open(struct reader *r);
/* The same, for reader_next_line; max_line_bytes as in struct line_options. */
bool reader_open_lines(struct reader *r, size_t max_line_bytes);
/* The next line, in r->line. *more false: the end, and r->line is unspecified. */
bool reader_next_line(struct reader *r, bool *more);

/* The issue for a line that had bytes that are not UTF-8. */
bool reader_check_utf8(struct reader *r);

/* Reports progress: bytes of the member read so far. self: struct reader. */
void reader_progress(void *self, uint64_t offset);
/* The same at every 4096th call. */
void reader_tick(struct reader *r, uint64_t offset);

/* --- messages ---------------------------------------------------------------------------- */

/* An import issue at the last line, whose text is kept with it. */
bool reader_issue(struct reader *r, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);
/* At an offset, for formats without lines. */
bool reader_issue_at(struct reader *r, enum issue_code code, uint64_t offset, const char *format,
	...) ERROR_PRINTF(4, 5);
/* With the code, line, offset and raw text of `at`. */
bool reader_issue_like(struct reader *r, const struct issue *at, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Fails with ERROR_INPUT "NAME: line N: MESSAGE", or "NAME: MESSAGE" before the first line. */
bool reader_refuse(struct reader *r, const char *format, ...) ERROR_PRINTF(2, 3);
/* "NAME: offset N: MESSAGE". */
bool reader_refuse_at(struct reader *r, uint64_t offset, const char *format, ...)
	ERROR_PRINTF(3, 4);
/* Refuses the input unless it is read with --lenient: then an issue at the last line. */
bool reader_tolerate(struct reader *r, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Begins a further set of the member, in r->set and r->wanted. emit.h has its rows. */
bool reader_set(struct reader *r, const char *caption);

#endif
