/* Lends memory of a pool to work that can fail. */
#include "base/memory_pool.h"

enum {
	STEP_BYTES = 64 * 1024, /* a lease grows by at least this size */
	LEASED_PART = 2,        /* all leases together may use this fraction of the limit */
};

static bool
raise_limit(struct memory_budget *b, int64_t bytes)
{
	struct memory_lease *l = (struct memory_lease *)b;
	struct memory_pool *p = l->pool;
	int64_t more = bytes - b->limit + STEP_BYTES;
	int64_t leased = atomic_fetch_add(&p->leased, more) + more;

	if (l->force || (leased <= p->limit / LEASED_PART && memory_pool_used(p) <= p->limit)) {
		b->limit += more;
		return true;
	}
	atomic_fetch_sub(&p->leased, more);
	l->too_large = b->limit + more > p->limit / LEASED_PART;
	return false;
}

void
memory_lease_begin(struct memory_lease *l, struct memory_pool *p)
{
	*l = (struct memory_lease){ .budget = { .raise = raise_limit }, .pool = p };
	memory_budget_use(&l->budget);
}

static void
keep(struct memory_lease *l, int64_t bytes)
{
	atomic_fetch_sub(&l->pool->leased, l->budget.limit - bytes);
	l->budget.limit = bytes;
}

void
memory_lease_leave(struct memory_lease *l)
{
	int64_t used = atomic_load(&l->budget.used);

	memory_budget_use(NULL);
	keep(l, used > 0 ? used : 0);
}

void
memory_lease_end(struct memory_lease *l)
{
	keep(l, 0);
}
