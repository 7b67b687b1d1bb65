/* Counts the memory of processes that share a budget. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/memory_pool.h"

#include <sys/mman.h>

enum {
	/* Smaller changes are not published, because each update delays other processors. */
	STEP_BYTES = 64 * 1024,
	BUFFERED_PART = 8, /* all buffers together may use this fraction of the limit */
};

_Thread_local bool memory_pool_joined;

static _Thread_local struct {
	struct memory_pool *pool;
	struct memory_share *share;
	int64_t used, published, peak;
	void (*exceeded)(void);
} own;

static size_t
bytes_of(size_t processes)
{
	return sizeof(struct memory_pool) + processes * sizeof(struct memory_share);
}

struct memory_pool *
memory_pool_new(int64_t limit, size_t processes, struct error *err)
{
	struct memory_pool *p = mmap(NULL, bytes_of(processes), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		error_set_errno(err, ERROR_INTERNAL, "cannot share memory between processes");
		return NULL;
	}
	p->limit = limit;
	p->count = processes;
	return p;
}

void
memory_pool_free(struct memory_pool *p)
{
	if (p)
		munmap(p, bytes_of(p->count));
}

static int64_t
used_by_processes(const struct memory_pool *p)
{
	int64_t all = 0;

	for (size_t i = 0; i < p->count; i++)
		all += atomic_load_explicit(&p->shares[i].used, memory_order_relaxed);
	return all;
}

int64_t
memory_pool_used(const struct memory_pool *p)
{
	return used_by_processes(p) + atomic_load(&p->leased) + atomic_load(&p->buffered);
}

bool
memory_pool_take_buffer(struct memory_pool *p, int64_t bytes)
{
	int64_t buffered = atomic_fetch_add(&p->buffered, bytes) + bytes;

	if (buffered <= p->limit / BUFFERED_PART && memory_pool_used(p) <= p->limit)
		return true;
	atomic_fetch_sub(&p->buffered, bytes);
	return false;
}

void
memory_pool_end_buffer(struct memory_pool *p, int64_t bytes)
{
	atomic_fetch_sub(&p->buffered, bytes);
}

void
memory_pool_join(struct memory_pool *p, size_t share, void (*exceeded)(void))
{
	own.pool = p;
	own.share = &p->shares[share];
	own.exceeded = exceeded;
	memory_pool_joined = true;
}

int64_t
memory_pool_peak(void)
{
	return own.peak;
}

/* Returns whether the pool's limit is exceeded and this process uses more than its equal share of what the leases and
 * buffers leave. If the limit is exceeded, this is true for at least one process, so the other processes need not end. */
static bool
is_exceeded(void)
{
	int64_t limit = own.pool->limit -
			atomic_load_explicit(&own.pool->leased, memory_order_relaxed) -
			atomic_load_explicit(&own.pool->buffered, memory_order_relaxed);
	int64_t busy = 0;

	for (size_t i = 0; i < own.pool->count; i++)
		busy += atomic_load_explicit(&own.pool->shares[i].busy, memory_order_relaxed);
	return used_by_processes(own.pool) > limit && own.used > limit / (busy ? busy : 1);
}

void
memory_pool_count(int64_t bytes)
{
	own.used += bytes;
	if (own.used > own.peak)
		own.peak = own.used;
	if (own.used < own.published + STEP_BYTES && own.used > own.published - STEP_BYTES)
		return;
	own.published = own.used;
	atomic_store_explicit(&own.share->used, own.used, memory_order_relaxed);
	if (bytes > 0 && is_exceeded())
		own.exceeded();
}
