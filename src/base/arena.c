/* Arenas of blocks, and allocation that ends the process if memory runs out. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/arena.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	BLOCK_BYTES = 16 * 1024,
	ALIGN = 16,
	HUGE_PAGE_BYTES = 2 * 1024 * 1024,
};

struct arena_block {
	struct arena_block *next;
	size_t size; /* bytes after the header */
};

/* Rounded up so that the data after the header is aligned. */
#define HEADER_BYTES ((sizeof(struct arena_block) + ALIGN - 1) / ALIGN * ALIGN)

void *
xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		memory_exhausted();
	return p;
}

void *
xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		memory_exhausted();
	return p;
}

void *
xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		memory_exhausted();
	return p;
}

void *
xcalloc_table(size_t count, size_t size)
{
	size_t bytes = count * size;
	void *p;

	if (bytes < HUGE_PAGE_BYTES || bytes / size != count || bytes % HUGE_PAGE_BYTES)
		return xcalloc(count, size);
	p = aligned_alloc(HUGE_PAGE_BYTES, bytes);
	if (!p)
		memory_exhausted();
#ifdef MADV_HUGEPAGE
	/* If this fails, look-ups in the table are only slower. */
	madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return memset(p, 0, bytes);
}

static void
add_block(struct arena *a, size_t least)
{
	size_t size = least > BLOCK_BYTES ? least : BLOCK_BYTES;
	struct arena_block *b;

	if (size > SIZE_MAX - HEADER_BYTES)
		memory_exhausted();
	b = xmalloc(HEADER_BYTES + size);
	b->next = a->head;
	b->size = size;
	a->head = b;
	a->used = 0;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	char *p;

	if (size > SIZE_MAX - ALIGN)
		memory_exhausted();
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	if (!a->head || a->head->size - a->used < size)
		add_block(a, size);
	p = (char *)a->head + HEADER_BYTES + a->used;
	a->used += size;
	a->total += size;
	memset(p, 0, size);
	return p;
}

void *
arena_alloc_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		memory_exhausted();
	return arena_alloc(a, count * size);
}

void *
arena_copy_array(struct arena *a, const void *items, size_t count, size_t size)
{
	void *copy = arena_alloc_array(a, count, size);

	if (count)
		memcpy(copy, items, count * size);
	return copy;
}

void
arena_release(struct arena *a)
{
	while (a->head) {
		struct arena_block *b = a->head;

		a->head = b->next;
		free(b);
	}
	a->used = 0;
	a->total = 0;
}

void
arena_reset(struct arena *a)
{
	struct arena_block *keep = a->head;

	if (!keep)
		return;
	a->head = keep->next;
	keep->next = NULL;
	arena_release(a);
	if (keep->size > BLOCK_BYTES) {
		free(keep);
		return;
	}
	a->head = keep;
}

char *
arena_strndup(struct arena *a, const char *s, size_t size)
{
	char *p = arena_alloc(a, size + 1);

	if (size)
		memcpy(p, s, size);
	p[size] = '\0';
	return p;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

struct text
arena_text(struct arena *a, struct text t)
{
	if (!t.data)
		return t;
	return (struct text){ arena_strndup(a, t.data, t.size), t.size };
}

char *
arena_upper(struct arena *a, struct text t)
{
	char *copy = arena_strndup(a, t.data, t.size);

	for (char *p = copy; *p; p++)
		*p = char_upper(*p);
	return copy;
}

char *
arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	va_list again;
	int n;
	char *p;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0)
		memory_exhausted();
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, format, again);
	va_end(again);
	return p;
}
