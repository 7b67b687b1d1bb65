/*
 * A library for LD_PRELOAD that makes one call of a function fail. Variables select this call:
 *
 *	FAULT_CALL	malloc (also calloc, realloc, aligned_alloc), read (pread), write (pwrite, send),
 *			open (openat, mkstemp), fsync (fdatasync)
 *	FAULT_AT	the number of the call that fails, from 1; 0 means none
 *	FAULT_HOW	an errno name; short: a read or write transfers one byte; kill: the process is killed
 *	FAULT_LASTS	if set, all later calls fail, too
 *	FAULT_COUNT	a file that receives the number of calls of each function when the process ends
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum call {
	CALL_MALLOC,
	CALL_READ,
	CALL_WRITE,
	CALL_OPEN,
	CALL_FSYNC,
	CALL_NONE
};

static enum call which = CALL_NONE;
static long fail_at;
static int error_number;
static int is_short;
static int lasts;
static const char *count_path;
static atomic_long counted[CALL_NONE];

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

/* NOLINTBEGIN(bugprone-reserved-identifier): the names are the C library's */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
/* NOLINTEND(bugprone-reserved-identifier) */

static int
find(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

__attribute__((constructor)) static void
begin(void)
{
	static const char *const calls[] = { "malloc", "read", "write", "open", "fsync", NULL };
	static const char *const errors[] = { "ENOMEM", "EIO", "ENOSPC", "EINTR", "EMFILE", "short",
		"kill", NULL };
	static const int numbers[] = { ENOMEM, EIO, ENOSPC, EINTR, EMFILE, 0, -1 };
	const char *call = getenv("FAULT_CALL");
	const char *how = getenv("FAULT_HOW");
	const char *at = getenv("FAULT_AT");
	int n = find(errors, how ? how : "ENOMEM");

	count_path = getenv("FAULT_COUNT");
	if (!call || n < 0 || find(calls, call) < 0)
		return;
	fail_at = at ? strtol(at, NULL, 10) : 0;
	error_number = numbers[n];
	is_short = error_number == 0;
	lasts = getenv("FAULT_LASTS") != NULL;
	which = (enum call)find(calls, call);
}

__attribute__((destructor)) static void
end(void)
{
	char text[160];
	int fd = count_path ? NEXT(open)(count_path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
	int size = 0;

	for (int i = 0; i < CALL_NONE; i++)
		size += snprintf(
			text + size, sizeof(text) - (size_t)size, "%ld ", (long)counted[i]);
	text[size - 1] = '\n';
	if (fd >= 0)
		(void)!NEXT(write)(fd, text, (size_t)size);
}

/* Returns 1 and sets errno if this call must fail, otherwise 0. */
static int
fails(enum call call)
{
	long n = atomic_fetch_add(&counted[call], 1) + 1;

	if (call != which || !fail_at || (lasts ? n < fail_at : n != fail_at))
		return 0;
	if (error_number < 0)
		raise(SIGKILL);
	errno = error_number;
	return 1;
}

void *
malloc(size_t size)
{
	return fails(CALL_MALLOC) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails(CALL_MALLOC) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return size && fails(CALL_MALLOC) ? NULL : __libc_realloc(old, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return fails(CALL_MALLOC) ? NULL : __libc_memalign(alignment, size);
}

/* Returns the number of bytes to transfer, or -1 with errno set. */
static ssize_t
room(enum call call, size_t size)
{
	if (!fails(call))
		return (ssize_t)size;
	return !is_short ? -1 : size > 0;
}

#define TRANSFER(name, call, result, parameters, size, ...) \
	result name parameters \
	{ \
		ssize_t n = room(call, size); \
\
		return n < 0 ? -1 : NEXT(name)(__VA_ARGS__); \
	}

TRANSFER(read, CALL_READ, ssize_t, (int fd, void *data, size_t size), size, fd, data, (size_t)n)
TRANSFER(pread, CALL_READ, ssize_t, (int fd, void *data, size_t size, off_t at), size, fd, data,
	(size_t)n, at)
TRANSFER(pread64, CALL_READ, ssize_t, (int fd, void *data, size_t size, off64_t at), size, fd, data,
	(size_t)n, at)
TRANSFER(write, CALL_WRITE, ssize_t, (int fd, const void *data, size_t size), size, fd, data,
	(size_t)n)
TRANSFER(pwrite, CALL_WRITE, ssize_t, (int fd, const void *data, size_t size, off_t at), size, fd,
	data, (size_t)n, at)
TRANSFER(pwrite64, CALL_WRITE, ssize_t, (int fd, const void *data, size_t size, off64_t at), size,
	fd, data, (size_t)n, at)

static mode_t
mode_of(int flags, va_list args)
{
	return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(args, mode_t) : 0;
}

#define OPEN(name, parameters, ...) \
	int name parameters \
	{ \
		va_list args; \
		mode_t mode; \
\
		va_start(args, flags); \
		mode = mode_of(flags, args); \
		va_end(args); \
		return fails(CALL_OPEN) ? -1 : NEXT(name)(__VA_ARGS__, mode); \
	}

OPEN(open, (const char *path, int flags, ...), path, flags)
OPEN(open64, (const char *path, int flags, ...), path, flags)
OPEN(openat, (int at, const char *path, int flags, ...), at, path, flags)
OPEN(openat64, (int at, const char *path, int flags, ...), at, path, flags)

#define SIMPLE(name, call, result, parameters, failure, ...) \
	result name parameters \
	{ \
		return fails(call) ? failure : NEXT(name)(__VA_ARGS__); \
	}

SIMPLE(mkstemp, CALL_OPEN, int, (char *path), -1, path)
SIMPLE(mkstemp64, CALL_OPEN, int, (char *path), -1, path)
SIMPLE(fopen, CALL_OPEN, FILE *, (const char *path, const char *mode), NULL, path, mode)
SIMPLE(fopen64, CALL_OPEN, FILE *, (const char *path, const char *mode), NULL, path, mode)
SIMPLE(tmpfile, CALL_OPEN, FILE *, (void), NULL, )
SIMPLE(tmpfile64, CALL_OPEN, FILE *, (void), NULL, )
SIMPLE(fsync, CALL_FSYNC, int, (int fd), -1, fd)
SIMPLE(fdatasync, CALL_FSYNC, int, (int fd), -1, fd)
