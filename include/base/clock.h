/* Seconds of a monotonic clock with an arbitrary origin. */
#ifndef PROFDEPOT_BASE_CLOCK_H
#define PROFDEPOT_BASE_CLOCK_H

#include <time.h>

static inline double
clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
