/*
 * A queue of bytes: written once, then read from its beginning, as often as needed. What exceeds
 * its memory goes to an unlinked temporary file.
 */
#ifndef PROFDEPOT_INPUT_SPOOL_H
#define PROFDEPOT_INPUT_SPOOL_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct spool;

/* memory_bytes: 0 means 8 MiB. */
struct spool *spool_new(size_t memory_bytes);
void spool_free(struct spool *s);

/* Not allowed after spool_rewind. */
bool spool_write(struct spool *s, const void *data, size_t size, struct error *err);

/* Bytes written since creation or reset. */
uint64_t spool_size(const struct spool *s);

/* Goes to the beginning; from now on the spool can only be read. */
bool spool_rewind(struct spool *s, struct error *err);

/* Reads the next bytes, which must exist. */
bool spool_read(struct spool *s, void *data, size_t size, struct error *err);

/* The descriptor of a file with all the bytes; writes those in memory to it first. The spool owns
 * it, its offset is arbitrary: reopen it (bundle_open_fd). -1 on error. */
int spool_file(struct spool *s, struct error *err);

/* Empties it for reuse. */
void spool_reset(struct spool *s);

#endif
