/*
 * Memory with one lifetime: everything taken from an arena goes at once.
 *
 * Four lifetimes exist: process, load, batch, request. A function that
 * allocates takes the arena first; all else is borrowed. Out of memory ends
 * the process; what outsiders can make grow is bounded by its taker.
 */
#ifndef PROFDEPOT_BASE_ARENA_H
#define PROFDEPOT_BASE_ARENA_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *head;
	size_t used;  /* bytes of the head block in use */
	size_t total; /* bytes handed out since the last reset */
};

#define ARENA_INIT ((struct arena){ NULL, 0, 0 })

void arena_release(struct arena *a);

/* Empties the arena but keeps one block for what comes next. */
void arena_reset(struct arena *a);

/* Zeroed, aligned for any type. size 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* count * size, checked for overflow. */
void *arena_alloc_array(struct arena *a, size_t count, size_t size);

/* Copies, NUL terminated. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t size);
char *arena_printf(struct arena *a, const char *format, ...) ERROR_PRINTF(2, 3);

/* A copy of the text (NUL terminated behind its size); NULL stays NULL. */
struct text arena_text(struct arena *a, struct text t);

/* malloc, calloc and realloc that end the process when memory is out. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);

/* Zeroed memory for a table that is read all over, in huge pages where it is big
 * and the system has them; for free(). */
void *xcalloc_table(size_t count, size_t size);

#endif
