/*
 * Finds reports of further formats in a log while the reader of one format reads it. A line is looked at
 * only after a line with a word that every report of the format has near its beginning.
 */
#ifndef PROFDEPOT_FORMAT_LOG_WATCH_H
#define PROFDEPOT_FORMAT_LOG_WATCH_H

#include "format/format.h"

/* The bit of a format of logs in a set of formats; 0 if the format is not one of them. */
unsigned log_format_bit(const struct format *f);

struct log_watch;

/* `known`: the formats that are not looked for. */
struct log_watch *log_watch_new(unsigned known);
void log_watch_free(struct log_watch *w);
void log_watch_line(struct log_watch *w, struct text line);
/* The formats whose reports have been found. */
unsigned log_watch_found(const struct log_watch *w);

/* Has the line a word that is typical of the beginning of the format's reports? */
bool log_begins_report(const struct format *f, struct text line);
/* Has the line one of valgrind's marks, such as "==4711== "? Only valgrind writes such lines. */
bool log_is_valgrind(struct text line);

#endif
