/*
 * A progress meter on standard error: bytes done out of the total, rate, time left. It shows
 * nothing in the first two seconds. Then it draws at most once per second, on the same line.
 * Without a terminal it shows nothing unless forced.
 */
#ifndef PROFDEPOT_BASE_PROGRESS_H
#define PROFDEPOT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool enabled;
	bool in_place; /* a terminal: redraw one line */
	bool drawn;
	bool quiet;
	bool waited;          /* the wait for a stream was reported */
	const char *what;     /* borrowed */
	double started, last; /* clock_seconds() */
};

/* If `forced`, progress is shown even if standard error is not a terminal; each update is then a new line. */
void progress_begin(struct progress *p, const char *what, bool forced, bool quiet);
void progress_update(struct progress *p, int64_t done_bytes, int64_t total_bytes);

/* For a stream, whose size is unknown: after the first second, shows how many bytes have arrived. If
 * no byte has arrived by then, prints once that the program is waiting for data, even without a terminal. */
void progress_stream(struct progress *p, int64_t bytes);

/* Clears the line. */
void progress_end(struct progress *p);

#endif
