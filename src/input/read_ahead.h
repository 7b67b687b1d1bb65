/*
 * A file read a few blocks ahead of who takes them, by a thread of its own:
 * copying out of the page cache is a tenth of what reading JSON costs.
 */
#ifndef PROFDEPOT_INPUT_READ_AHEAD_H
#define PROFDEPOT_INPUT_READ_AHEAD_H

#include <stddef.h>
#include <sys/types.h>

struct ahead_thread;

/* Begin with { .fd = FD }, which is borrowed; its offset is undefined from the first read to the
 * end. */
struct read_ahead {
	int fd;
	size_t bytes; /* read without a thread */
	struct ahead_thread *thread;
};

/* As read(2): up to `room` bytes, 0 at the end, -1 with errno; never interrupted. The thread begins
 * after 2 MiB of a regular file: a pipe's writer could make read_ahead_end wait. */
ssize_t read_ahead(struct read_ahead *a, char *out, size_t room);
/* Ends the thread. */
void read_ahead_end(struct read_ahead *a);

#endif
