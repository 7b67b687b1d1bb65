/* Streams that gzip or zlib packed, unpacked into memory. */
#ifndef PROFDEPOT_INPUT_INFLATE_H
#define PROFDEPOT_INPUT_INFLATE_H

#include "base/strbuf.h"
#include "input/spool.h"

/* Unpacks what is left of the spool, one gzip or zlib stream or several gzip ones behind each
 * other, to the end of `out`. ERROR_INPUT: cut off or damaged; ERROR_LIMIT: more than out's
 * maximum. */
bool inflate_spool(struct spool *s, struct strbuf *out, struct error *err);

#endif
