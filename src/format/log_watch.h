/*
 * Finds reports of further formats in a log while the reader of one format reads it. Each format has a few words, and
 * every report of the format has one of these words near its beginning. Only the line with such a word and the lines
 * after it are searched for a report.
 */
#ifndef PROFDEPOT_FORMAT_LOG_WATCH_H
#define PROFDEPOT_FORMAT_LOG_WATCH_H

#include "format/format.h"

/* The bit that stands for the format in a set of log formats; 0 for a format of other files. */
unsigned log_format_bit(const struct format *f);

struct log_watch;

/* Begins to look for all formats of logs except those in `known`. */
struct log_watch *log_watch_new(unsigned known);
void log_watch_free(struct log_watch *w);
void log_watch_line(struct log_watch *w, struct text line);
/* The formats whose reports have been found. */
unsigned log_watch_found(const struct log_watch *w);

/* Returns whether the line has a word that is typical of the beginning of the format's reports. */
bool log_begins_report(const struct format *f, struct text line);
/* Returns whether the line has one of valgrind's marks, such as "==4711== ". No other program writes them. */
bool log_is_valgrind(struct text line);
/* Returns whether a sanitizer's report of several lines begins on the line. */
bool log_is_sanitizer(struct text line);

#endif
