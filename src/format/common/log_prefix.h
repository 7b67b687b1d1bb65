/*
 * Prefixes that other programs add to the lines of a log: times (CI systems, DebugView), names of
 * services (docker compose), numbers (parallel builds and tests), and mail quoting.
 *
 * If a line has text before a mark of the format (see log_reader.h), this text is a prefix. From then on it is removed
 * from all lines that begin with it. Times and counters in a prefix may differ from line to line. The rest of the
 * prefix identifies the process that wrote the line.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_LOG_PREFIX_H
#define PROFDEPOT_FORMAT_COMMON_LOG_PREFIX_H

#include "base/arena.h"
#include "base/strbuf.h"

enum {
	LOG_PREFIXES = 256,         /* different prefixes in a file; further ones are not removed */
	LOG_PREFIX_MAX_BYTES = 200, /* length of a prefix */
};

/* Makes the pattern of a prefix. A time in the prefix becomes a placeholder for any time. */
void log_prefix_make(struct strbuf *pattern, struct text prefix);
/* Returns whether the line begins with a prefix that matches the pattern. *content is then the rest
 * of the line. A line that was trimmed may lack blanks at the end of its prefix. */
bool log_prefix_match(struct text pattern, struct text line, struct text *content);

/* Returns whether t looks like text that a program adds to the beginning of lines, and not like a
 * part of a sentence. */
bool log_prefix_is_likely(struct text t);

/* Returns the size of a time or counter at the front, such as "2026-01-02T03:04:05.678Z", "12/345",
 * the "123s" of "[ 123s]", or a number before a tab. Returns 0 for all other text, including other
 * plain numbers. */
size_t log_time_run(struct text t);

/* The prefixes of a file. All zeros at first. */
struct log_prefixes {
	struct arena arena;
	struct text patterns[LOG_PREFIXES];
	unsigned count;
	unsigned last; /* the prefix that was found last */
};

void log_prefixes_release(struct log_prefixes *p);
/* Removes the line's prefix. Returns the number of the prefix, from 1. If the line has no known prefix,
 * returns 0 and *content is the line. */
unsigned log_prefix_strip(struct log_prefixes *p, struct text line, struct text *content);
/* Adds a prefix. Returns false if the prefix is too long, or if there are too many prefixes. */
bool log_prefix_add(struct log_prefixes *p, struct text prefix);

#endif
