/* Decompresses gzip and zlib streams into memory. */
#ifndef PROFDEPOT_INPUT_INFLATE_H
#define PROFDEPOT_INPUT_INFLATE_H

#include "base/strbuf.h"
#include "input/spool.h"

/* Decompresses the spool's unread bytes (a zlib stream, or one or more gzip streams) into `out`.
 * Fails with ERROR_INPUT if they are truncated or damaged, and with ERROR_LIMIT if `out` would exceed
 * its maximum size. ERROR_MEMORY: this thread's budget (base/memory.h) does not suffice. */
bool inflate_spool(struct spool *s, struct strbuf *out, struct error *err);

#endif
