/*
 * A queue of bytes that is written once and can then be read several times from its beginning.
 * Bytes that do not fit into the queue's memory go to an unlinked temporary file.
 */
#ifndef PROFDEPOT_INPUT_SPOOL_H
#define PROFDEPOT_INPUT_SPOOL_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct memory_pool;
struct spool;

/* memory_bytes: 0 means 8 MiB. */
struct spool *spool_new(size_t memory_bytes);
void spool_free(struct spool *s);

/* Returns a read-only spool of a file's first `size` bytes. The spool owns the file. */
struct spool *spool_adopt(int fd, uint64_t size);
/* From now on, a write that makes the spool larger than max_bytes fails with ERROR_LIMIT. */
void spool_limit(struct spool *s, uint64_t max_bytes);

/* From now on, the spool's memory beyond 4 KiB is a buffer of the pool. If the pool has no room for it, more bytes go to
 * the file. The pool must outlive the spool. Call it before the first write; NULL does nothing. */
void spool_share(struct spool *s, struct memory_pool *p);

/* Must not be called after spool_rewind. */
bool spool_write(struct spool *s, const void *data, size_t size, struct error *err);

/* The number of bytes written since creation or reset. */
uint64_t spool_size(const struct spool *s);

/* Prepares to read from the beginning. The spool can then only be read, until spool_reset empties it. */
bool spool_rewind(struct spool *s, struct error *err);

/* Reads the next `size` bytes, which must exist. */
bool spool_read(struct spool *s, void *data, size_t size, struct error *err);

/* Writes the bytes that are in memory to the spool's file, and returns a descriptor of that file;
 * -1 on error. The spool owns the descriptor. Its offset is arbitrary, so reopen the file
 * (bundle_open_fd). */
int spool_file(struct spool *s, struct error *err);

/* Empties the spool for reuse. */
void spool_reset(struct spool *s);

#endif
