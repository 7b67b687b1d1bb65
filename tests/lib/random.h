/* Random numbers that are the same on every machine, for generated inputs. */
#ifndef PROFDEPOT_TESTS_RANDOM_H
#define PROFDEPOT_TESTS_RANDOM_H

#include <stdint.h>

/* Returns a number below limit, from a linear congruential generator. limit is at most 2^31. */
static inline unsigned
random_below(uint64_t *state, unsigned limit)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*state >> 33) % limit;
}

#endif
