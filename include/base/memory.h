/*
 * What happens when memory runs out.
 *
 * The process prints one line and ends with a documented exit status. This must also hold inside
 * libraries: libpq, expat, OpenSSL and others crash, hang or lose data after a failed malloc. The
 * program's own malloc therefore replaces the C library's, and never returns NULL for a small
 * block. A library's request for a large block may fail, because libraries handle that case.
 *
 * A budget bounds the memory of one load in a server. It is soft: allocations beyond the budget
 * succeed, but then fd_read and the load's sink fail, so the load ends with an error.
 */
#ifndef PROFDEPOT_BASE_MEMORY_H
#define PROFDEPOT_BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Prints the message and ends the process. */
_Noreturn void memory_exhausted(void);

/* How far a load had come when memory ran out. This decides the message and the exit status. */
enum memory_stage {
	MEMORY_NOTHING_STORED, /* exit status 4 */
	MEMORY_COMMITTING,     /* exit status 4; the result set may have been stored */
	MEMORY_STORED,         /* exit status 5 */
};

/* Returns the previous stage. */
enum memory_stage memory_set_stage(enum memory_stage stage);

struct memory_budget {
	atomic_llong used;   /* bytes */
	int64_t limit;       /* bytes */
	atomic_bool refused; /* whether memory_budget_exceeded has returned true */
	/* Raises the limit to at least `bytes`, or returns false. NULL: the limit is fixed. */
	bool (*raise)(struct memory_budget *b, int64_t bytes);
};

/* Counts what this thread allocates and frees, until the thread calls this function with NULL.
 * Threads may share a budget. */
void memory_budget_use(struct memory_budget *b);
struct memory_budget *memory_budget_in_use(void); /* this thread's budget, or NULL */
/* Returns whether this thread's budget has `bytes` left. Tries to raise its limit if not. */
bool memory_budget_fits(int64_t bytes);
bool memory_budget_exceeded(void);

#endif
