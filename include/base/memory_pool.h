/*
 * A limit on the memory of several processes: together they may use `limit` bytes. The busy processes have
 * equal shares of the limit. A process may always use its share, and more while the others leave memory free.
 *
 * The pool is in shared memory. If the limit is exceeded, a process that uses more than its share calls
 * `exceeded`. This function can report the error and must end the process. The allocation does not simply fail,
 * because that could end the process without a report.
 *
 * A process that must not end, because it does the work of many clients, takes leases instead. Work with a lease
 * can fail. All leases together may use half of the limit. All buffers that could also be files may use an eighth of
 * it. The processes share what the leases and the buffers leave.
 */
#ifndef PROFDEPOT_BASE_MEMORY_POOL_H
#define PROFDEPOT_BASE_MEMORY_POOL_H

#include "base/error.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct memory_share {
	atomic_llong used; /* bytes; wrong by up to 64 KiB */
	atomic_bool busy;  /* the process handles a request, so it has a share */
};

struct memory_pool {
	int64_t limit;         /* bytes */
	atomic_llong leased;   /* bytes */
	atomic_llong buffered; /* bytes */
	size_t count;
	struct memory_share shares[]; /* one per process */
};

/* Call this before the processes are forked. Returns NULL on error. */
struct memory_pool *memory_pool_new(int64_t limit, size_t processes, struct error *err);
void memory_pool_free(struct memory_pool *p); /* NULL does nothing */
/* The number of bytes that the processes use, that are leased, and that buffers use. */
int64_t memory_pool_used(const struct memory_pool *p);

/* From now on, counts what this thread allocates and frees. `exceeded` must end the process and must not
 * allocate. Has no effect if a sanitizer replaces malloc. */
void memory_pool_join(struct memory_pool *p, size_t share, void (*exceeded)(void));

/* The largest number of bytes that this thread has had in use since it joined. */
int64_t memory_pool_peak(void);

/* Takes bytes for a buffer, or returns false if there is no room for it; then the caller uses a file. */
bool memory_pool_take_buffer(struct memory_pool *p, int64_t bytes);
/* Gives bytes of a buffer back. */
void memory_pool_end_buffer(struct memory_pool *p, int64_t bytes);

/* Memory that belongs to one piece of work, whichever thread does it. */
struct memory_lease {
	struct memory_budget
		budget; /* must be first; its limit is what the lease has taken from the pool */
	struct memory_pool *pool;
	bool force;     /* the lease gets all memory that it needs */
	bool too_large; /* the lease was refused because it alone would exceed the part for leases */
};

/* Makes the lease the budget of this thread, until the thread calls memory_lease_leave. The lease grows as far as the
 * pool permits; see memory_budget_fits. */
void memory_lease_begin(struct memory_lease *l, struct memory_pool *p);
/* Keeps only what the thread still uses. */
void memory_lease_leave(struct memory_lease *l);
/* Gives all memory back to the pool. */
void memory_lease_end(struct memory_lease *l);

/* Only for malloc and free. If this thread has joined a pool, they report each change in bytes to
 * memory_pool_count. */
extern _Thread_local bool memory_pool_joined;
void memory_pool_count(int64_t bytes);

#endif
