/* Decompresses gzip and zlib streams into memory. */
#ifndef PROFDEPOT_INPUT_INFLATE_H
#define PROFDEPOT_INPUT_INFLATE_H

#include "base/strbuf.h"
#include "input/spool.h"

/* Decompresses the spool's unread bytes (a zlib stream, or one or more gzip streams) into `out`.
 * Fails with ERROR_INPUT (truncated, damaged), or with ERROR_LIMIT beyond out's maximum. */
bool inflate_spool(struct spool *s, struct strbuf *out, struct error *err);

#endif
