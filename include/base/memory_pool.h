/*
 * A limit on the memory of several processes: together they may use `limit` bytes. The busy processes have
 * equal shares of the limit. A process may always use its share, and more while the others leave memory free.
 *
 * The pool is in shared memory. If the limit is exceeded, a process that uses more than its share calls
 * `exceeded`. This function can report the error and must end the process. The allocation does not simply fail,
 * because that could end the process without a report.
 */
#ifndef PROFDEPOT_BASE_MEMORY_POOL_H
#define PROFDEPOT_BASE_MEMORY_POOL_H

#include "base/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct memory_share {
	atomic_llong used; /* bytes; wrong by up to 64 KiB */
	atomic_bool busy;  /* the process handles a request, so it has a share */
};

struct memory_pool {
	int64_t limit; /* bytes */
	size_t count;
	struct memory_share shares[]; /* one per process */
};

/* Call this before the processes are forked. Returns NULL on error. */
struct memory_pool *memory_pool_new(int64_t limit, size_t processes, struct error *err);
void memory_pool_free(struct memory_pool *p); /* NULL does nothing */

/* From now on, counts what this thread allocates and frees. `exceeded` must end the process and must not
 * allocate. Has no effect if a sanitizer replaces malloc. */
void memory_pool_join(struct memory_pool *p, size_t share, void (*exceeded)(void));

/* The largest number of bytes that this thread has had in use since it joined. */
int64_t memory_pool_peak(void);

/* Only for malloc and free. If this thread has joined a pool, they report each change in bytes to
 * memory_pool_count. */
extern _Thread_local bool memory_pool_joined;
void memory_pool_count(int64_t bytes);

#endif
