/* Counts the bytes that the threads of a load write. */
#include "base/disk_budget.h"

static _Thread_local struct disk_budget *budget;

void
disk_budget_use(struct disk_budget *b)
{
	budget = b;
}

struct disk_budget *
disk_budget_in_use(void)
{
	return budget;
}

bool
disk_budget_take(size_t bytes, struct error *err)
{
	if (!budget || atomic_fetch_add(&budget->used, (long long)bytes) + (long long)bytes <=
			       budget->limit)
		return true;
	return error_set(
		err, ERROR_DISK, "the load writes more than %lld bytes", (long long)budget->limit);
}
