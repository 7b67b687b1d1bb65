/*
 * Memory that several processes share: together they may use `limit` bytes. Each process may use what the
 * others leave, but at least its equal part.
 *
 * The pool is in shared memory. A process that exceeds it ends through a function that it has named, because
 * a failed allocation could end it at any place.
 */
#ifndef PROFDEPOT_BASE_MEMORY_POOL_H
#define PROFDEPOT_BASE_MEMORY_POOL_H

#include "base/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct memory_share {
	atomic_llong used; /* bytes; the process is up to 64 KiB ahead */
	atomic_bool busy;  /* counts for the equal parts */
};

struct memory_pool {
	int64_t limit; /* bytes */
	size_t count;
	struct memory_share shares[]; /* one per process */
};

/* Create it before the processes are forked. NULL on error. */
struct memory_pool *memory_pool_new(int64_t limit, size_t processes, struct error *err);
void memory_pool_free(struct memory_pool *p); /* NULL does nothing */

/* From now on, counts what this thread allocates and frees. `exceeded` must end the process and must not
 * allocate. Has no effect if a sanitizer replaces malloc. */
void memory_pool_join(struct memory_pool *p, size_t share, void (*exceeded)(void));

/* The largest amount that this thread has used at once since it joined. */
int64_t memory_pool_peak(void);

/* For malloc: whether this thread has joined a pool, and the change in bytes. */
extern _Thread_local bool memory_pool_joined;
void memory_pool_count(int64_t bytes);

#endif
