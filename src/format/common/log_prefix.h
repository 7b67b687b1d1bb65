/*
 * What other programs add to the beginning of a log's lines: the times of CI systems and of DebugView,
 * the names of compose's services, the numbers of parallel builds and tests, and mail quoting.
 *
 * A prefix is found where a line has a mark of the format after it. From then on it is removed from
 * all lines that begin with it. Times and counters in a prefix may differ from line to line. All
 * other text of a prefix identifies the process that wrote the line.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_LOG_PREFIX_H
#define PROFDEPOT_FORMAT_COMMON_LOG_PREFIX_H

#include "base/arena.h"
#include "base/strbuf.h"

enum {
	LOG_PREFIXES = 256,         /* different prefixes in a file; further ones are not removed */
	LOG_PREFIX_MAX_BYTES = 200, /* length of a prefix */
};

/* Makes a prefix's pattern, in which times match any time. */
void log_prefix_make(struct strbuf *pattern, struct text prefix);
/* Does the line begin with a prefix of that pattern? If so, *content is the rest of the line. A line
 * that was trimmed may lack blanks at the end of its prefix. */
bool log_prefix_match(struct text pattern, struct text line, struct text *content);

/* Is it text that other programs add to the beginning of lines, and not part of a sentence? */
bool log_prefix_is_likely(struct text t);

/* The size of a time or counter at the front, such as "2026-01-02T03:04:05.678Z", "12/345", the
 * "123s" of "[ 123s]", or a number before a tab; otherwise 0. Any other plain number does not
 * count. */
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
/* Adds a prefix. Returns false if it is too long, or if there are too many. */
bool log_prefix_add(struct log_prefixes *p, struct text prefix);

#endif
