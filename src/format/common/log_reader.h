/*
 * Reads logs in which reports of one kind are mixed with other lines. The reader of a format
 * recognises the lines of a report. The code here removes prefixes, and keeps one state of the
 * reader for each prefix.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_LOG_READER_H
#define PROFDEPOT_FORMAT_COMMON_LOG_READER_H

#include "format/common/log_report.h"
#include "format/common/members.h"

struct log_kind {
	const char *noun;       /* such as "dump of the CRT's debug heap" */
	const char *looked_for; /* for the hint if the log has no report */
	size_t state_bytes;     /* size of the reader's state, which is zeroed at first */
	/* Returns the offset at which a mark of the format begins; TEXT_NOT_FOUND if the line has no mark. A mark is a
	 * text that occurs only in logs of this format. The text before it may be a prefix. */
	size_t (*mark)(struct text line);
	/* Handles a line whose prefix was removed. Begins result sets with log_report_begin. */
	bool (*line)(void *state, struct reader *in, struct text content);
	/* Called at the end of the log. */
	bool (*end)(void *state, struct reader *in);
	void (*release)(void *state);
	/* Called for each line of a log that may have the format; *seen is 0 at first. Returns true
	 * as soon as the lines prove that the log contains a report. */
	bool (*look)(unsigned *seen, struct text content);
};

/* Reads the reader's member. Fails with ERROR_INPUT if the member contains no report. */
bool log_read(struct reader *r, const struct log_kind *kind);

/* Returns the number of bits that identify the member as a log of this kind, or 0 if it is no such log.
 * Reads only the head. */
int log_look(const struct format_source *source, size_t member, const struct log_kind *kind);

/* The functions of a struct format_lines whose `kind` points to a struct log_kind. */
void *log_lines_begin(const void *kind);
bool log_lines_line(void *state, struct text line);
void log_lines_end(void *state);

/* Defines log_members and log_lines, for a format whose files are all logs of this kind. */
#define LOG_MEMBERS(kind, what) \
	static bool read_log(struct reader *r) \
	{ \
		return log_read(r, &(kind)); \
	} \
	static int look_at_log(const struct format_source *source, size_t member) \
	{ \
		return log_look(source, member, &(kind)); \
	} \
	static const struct member_kind log_members = { \
		.noun = (what), .look = look_at_log, .read = read_log, .own_sets = true \
	}; \
	static const struct format_lines log_lines = { &(kind), log_lines_begin, log_lines_line, \
		log_lines_end };

#endif
