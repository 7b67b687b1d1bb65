/* Decompression of gzip and zlib streams into memory. */
#ifndef PROFDEPOT_INPUT_INFLATE_H
#define PROFDEPOT_INPUT_INFLATE_H

#include "base/strbuf.h"
#include "input/spool.h"

/* Decompresses the rest of the spool, one zlib stream or one or more gzip streams, and appends it
 * to `out`. Fails with ERROR_INPUT (truncated, damaged), or ERROR_LIMIT beyond out's maximum. */
bool inflate_spool(struct spool *s, struct strbuf *out, struct error *err);

#endif
