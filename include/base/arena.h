/*
 * Arenas: memory that is freed all at once.
 *
 * There are four lifetimes: process, load, batch, request. A function that allocates takes an
 * arena as a parameter and only borrows its other arguments. The process ends if memory runs out, so
 * every size that an input or a client controls needs a limit.
 */
#ifndef PROFDEPOT_BASE_ARENA_H
#define PROFDEPOT_BASE_ARENA_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *head;
	size_t used;  /* bytes in use in the head block */
	size_t total; /* bytes allocated since the last reset */
};

#define ARENA_INIT ((struct arena){ NULL, 0, 0 })

void arena_release(struct arena *a);

/* Empties the arena but keeps one block for later. */
void arena_reset(struct arena *a);

/* Returns zeroed memory that is aligned for any type. The pointer is valid even if size is 0. */
void *arena_alloc(struct arena *a, size_t size);

/* Allocates count * size bytes; an overflow ends the process. */
void *arena_alloc_array(struct arena *a, size_t count, size_t size);
/* Returns a copy of an array; `items` may be NULL if count is 0. */
void *arena_copy_array(struct arena *a, const void *items, size_t count, size_t size);

/* These return copies with a NUL at the end. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t size);
/* Returns a copy with all ASCII letters in upper case. */
char *arena_upper(struct arena *a, struct text t);
char *arena_printf(struct arena *a, const char *format, ...) ERROR_PRINTF(2, 3);

/* Returns a copy of the text, with a NUL after it. NULL stays NULL. */
struct text arena_text(struct arena *a, struct text t);

/* Like malloc, calloc and realloc, but end the process if memory runs out (see base/memory.h). */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);

/* Returns zeroed memory for a table with random access. A large table uses huge pages if the system
 * has them. Release it with free(). */
void *xcalloc_table(size_t count, size_t size);

#endif
