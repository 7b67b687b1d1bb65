/*
 * A queue of bytes: written to its end, then read from its beginning, as often
 * as wanted. What passes its memory goes into an unlinked temporary file.
 */
#ifndef PROFDEPOT_INPUT_SPOOL_H
#define PROFDEPOT_INPUT_SPOOL_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct spool;

/* memory_bytes: 0 for 8 MiB. */
struct spool *spool_new(size_t memory_bytes);
void spool_free(struct spool *s);

/* Not after spool_rewind. */
bool spool_write(struct spool *s, const void *data, size_t size, struct error *err);

/* Bytes written since it was new or reset. */
uint64_t spool_size(const struct spool *s);

/* To the beginning; from here on it is read only. */
bool spool_rewind(struct spool *s, struct error *err);

/* The next bytes; they must be there. */
bool spool_read(struct spool *s, void *data, size_t size, struct error *err);

/* The descriptor of a file that holds all of it: what lies in memory is written there first. The
 * spool's own, at any offset: to be opened anew (bundle_open_fd). -1 on error. */
int spool_file(struct spool *s, struct error *err);

/* Empties it for another use. */
void spool_reset(struct spool *s);

#endif
