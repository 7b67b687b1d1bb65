/*
 * A budget for what one load writes: bytes of temporary files, and bytes that are sent to the database. Each thread of
 * the load uses it.
 */
#ifndef PROFDEPOT_BASE_DISK_BUDGET_H
#define PROFDEPOT_BASE_DISK_BUDGET_H

#include "base/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct disk_budget {
	atomic_llong used; /* bytes */
	int64_t limit;     /* bytes */
};

/* Counts what this thread writes, until the thread calls this function with NULL. */
void disk_budget_use(struct disk_budget *b);
struct disk_budget *disk_budget_in_use(void); /* this thread's budget, or NULL */
/* Call it before `bytes` are written. Fails with ERROR_DISK if the budget has less. */
bool disk_budget_take(size_t bytes, struct error *err);

#endif
