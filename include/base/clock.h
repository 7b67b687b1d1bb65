/* The time in seconds on a monotonic clock with an arbitrary origin. */
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

static inline void
clock_sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&t, NULL);
}

#endif
