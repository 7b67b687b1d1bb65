/*
 * The context of a reader: the data that every format needs while it reads one member of an input.
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
	uint32_t set;     /* the member's set; ISSUE_EVERY_SET before the set begins */
	bool wanted;      /* false if the depot already has the set */
	size_t member;    /* the member's number in the bundle */
	const char *name; /* the member's name, for messages */
	int64_t size;     /* the member's size in bytes */
	int64_t before;   /* total size of the members before this one */
	bool lenient;     /* option --lenient */
	bool again;       /* the member must be read again, because source->plan changed */
	const char *part; /* prefix of messages that name an offset: "profile 2: "; may be NULL */

	struct line line; /* the current line; if its number is 0, messages name no line */
	struct line_reader *lines;
	int fd; /* descriptor of the member's file; -1 if it is not open */
	unsigned ticks;
	struct strbuf plain; /* a demangled name */
};

void reader_init(struct reader *r, struct format_source *source, struct sink *sink, size_t member,
	struct error *err);
/* Closes the member. */
void reader_release(struct reader *r);

/* Opens the member at its beginning, as r->fd. */
bool reader_open(struct reader *r);
/* Opens the member for reader_next_line. For max_line_bytes see struct line_options. */
bool reader_open_lines(struct reader *r, size_t max_line_bytes);
/* Opens a log for reader_next_line; see struct line_options. */
bool reader_open_log(struct reader *r, size_t max_line_bytes);
/* Reads the next line into r->line. At the end, *more is false and r->line is unspecified. */
bool reader_next_line(struct reader *r, bool *more);
/* Like reader_next_line, for a loop: while (reader_line(r, &ok)) ok = take(...). If the line cannot
 * be read, sets *ok to false and ends the loop. */
bool reader_line(struct reader *r, bool *ok);

/* Emits an issue if the current line contained invalid UTF-8. */
bool reader_check_utf8(struct reader *r);

/* Reports that `offset` bytes of the member have been read. `self` is a struct reader. */
void reader_progress(void *self, uint64_t offset);
/* Reports progress in every 4096th call. */
void reader_tick(struct reader *r, uint64_t offset);

/* Emits an issue about the current line, with the text of the line. */
bool reader_issue(struct reader *r, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);
/* Emits an issue about an offset, for formats without lines. */
bool reader_issue_at(struct reader *r, enum issue_code code, uint64_t offset, const char *format,
	...) ERROR_PRINTF(4, 5);
/* Emits the issue "COUNT ONE" or "COUNT MANY", unless the count is 0. */
bool reader_issue_count(struct reader *r, enum issue_code code, uint64_t offset, uint64_t count,
	const char *one, const char *many);
/* Emits an issue with the code, line, offset and raw text of `at`. */
bool reader_issue_like(struct reader *r, const struct issue *at, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Fails with ERROR_INPUT "NAME: line N: MESSAGE", or "NAME: MESSAGE" before the first line. */
bool reader_refuse(struct reader *r, const char *format, ...) ERROR_PRINTF(2, 3);
/* Fails with ERROR_INPUT "NAME: offset N: MESSAGE". */
bool reader_refuse_at(struct reader *r, uint64_t offset, const char *format, ...)
	ERROR_PRINTF(3, 4);
/* Fails like reader_refuse. With --lenient, emits an issue about the current line instead. */
bool reader_tolerate(struct reader *r, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Like reader_tolerate, but at an offset. */
bool reader_tolerate_at(struct reader *r, enum issue_code code, uint64_t offset, const char *format,
	...) ERROR_PRINTF(4, 5);

/* Begins a further set of the member, and updates r->set and r->wanted. */
bool reader_set(struct reader *r, const char *caption);

#endif
