/*
 * A progress meter on standard error: bytes read of all bytes, rate, time
 * left. Nothing in the first two seconds, at most one line a second, redrawn
 * in place, only on a terminal (unless forced).
 */
#ifndef PROFDEPOT_BASE_PROGRESS_H
#define PROFDEPOT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool enabled;
	bool in_place; /* a terminal: one line that is redrawn */
	bool drawn;
	const char *what;     /* borrowed */
	double started, last; /* clock_seconds() */
};

/* forced: also when standard error is no terminal (a line each then). */
void progress_begin(struct progress *p, const char *what, bool forced, bool quiet);
void progress_update(struct progress *p, int64_t done_bytes, int64_t total_bytes);

/* Clears the line. */
void progress_end(struct progress *p);

#endif
