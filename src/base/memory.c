/* Ends the process if memory runs out, even if this happens in a library; counts the memory of a
 * thread. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "base/memory.h"

#include "base/memory_pool.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	DATABASE_STATUS = 4,
	PARTLY_STATUS = 5,
};

/* --- the end of the process ------------------------------------------------------------------ */

static _Atomic(enum memory_stage) stage;

enum memory_stage
memory_set_stage(enum memory_stage s)
{
	return atomic_exchange(&stage, s);
}

/* Needs no memory. _exit closes the connection, so the server rolls back. */
_Noreturn void
memory_exhausted(void)
{
	static const struct {
		int status;
		const char *message;
	} ends[] = {
		[MEMORY_NOTHING_STORED] = { DATABASE_STATUS, "profdepot: out of memory\n" },
		[MEMORY_COMMITTING] = { DATABASE_STATUS,
			"profdepot: out of memory during COMMIT; it is not known whether the "
			"result set was stored\nhint: load the input again: if it was stored, it "
			"is reported as known\n" },
		[MEMORY_STORED] = { PARTLY_STATUS,
			"profdepot: out of memory; a result set was already stored\n"
			"hint: \"profdepot list\" shows it\n" },
	};
	enum memory_stage s = atomic_load(&stage);

	(void)!write(STDERR_FILENO, ends[s].message, strlen(ends[s].message));
	_exit(ends[s].status);
}

/* --- budgets --------------------------------------------------------------------------------- */

static _Thread_local struct memory_budget *budget;

void
memory_budget_use(struct memory_budget *b)
{
	budget = b;
}

struct memory_budget *
memory_budget_in_use(void)
{
	return budget;
}

bool
memory_budget_fits(int64_t bytes)
{
	if (!budget)
		return true;
	bytes += atomic_load_explicit(&budget->used, memory_order_relaxed);
	return bytes <= budget->limit || (budget->raise && budget->raise(budget, bytes));
}

bool
memory_budget_exceeded(void)
{
	if (memory_budget_fits(0))
		return false;
	atomic_store(&budget->refused, true);
	return true;
}

/* --- malloc ---------------------------------------------------------------------------------- */

/* Sanitizers have a malloc of their own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
	__has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

enum {
	LARGE_BYTES = 16 * 1024 * 1024
};

#define PUBLIC __attribute__((visibility("default")))

/* These names call the C library's functions even though this file replaces malloc. */
/* NOLINTBEGIN(bugprone-reserved-identifier): the names are the C library's */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);
/* NOLINTEND(bugprone-reserved-identifier) */

/* The C library's functions, unless a preloaded library replaces them. */
static struct {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *old, size_t size);
	void *(*aligned_alloc)(size_t alignment, size_t size);
	void (*free)(void *p);
} next = { __libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free };

/* Finds the C library's functions. C does not define how to convert dlsym's results to function
 * pointers, but POSIX ensures that their bytes can be copied. */
__attribute__((constructor)) static void
find_next(void)
{
	struct {
		const char *name;
		void *function;
	} found[] = { { "malloc", &next.malloc }, { "calloc", &next.calloc },
		{ "realloc", &next.realloc }, { "aligned_alloc", &next.aligned_alloc },
		{ "free", &next.free } };

	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		void *function = dlsym(RTLD_NEXT, found[i].name);

		if (function)
			memcpy(found[i].function, &function, sizeof(function));
	}
}

static void
count(void *p, int sign)
{
	if (budget && p)
		atomic_fetch_add_explicit(&budget->used, sign * (long long)malloc_usable_size(p),
			memory_order_relaxed);
	if (memory_pool_joined && p)
		memory_pool_count(sign * (int64_t)malloc_usable_size(p));
}

static void *
checked(void *p, size_t size)
{
	if (!p && size < LARGE_BYTES)
		memory_exhausted();
	count(p, 1);
	return p;
}

PUBLIC void *
malloc(size_t size)
{
	return checked(next.malloc(size), size);
}

PUBLIC void *
calloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		bytes = SIZE_MAX;
	return checked(next.calloc(n, size), bytes);
}

PUBLIC void *
realloc(void *old, size_t size)
{
	void *p;

	count(old, -1);
	p = next.realloc(old, size);
	if (!p && size)
		count(old, 1);
	return size ? checked(p, size) : p;
}

PUBLIC void *
aligned_alloc(size_t alignment, size_t size)
{
	return checked(next.aligned_alloc(alignment, size), size);
}

PUBLIC void
free(void *p)
{
	count(p, -1);
	next.free(p);
}

#endif
