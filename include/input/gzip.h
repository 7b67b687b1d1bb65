/*
 * Compresses data into gzip's format (RFC 1952).
 */
#ifndef PROFDEPOT_INPUT_GZIP_H
#define PROFDEPOT_INPUT_GZIP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

struct spool;

/* Compresses a text as far as possible. The result is in the arena; NULL if it would not be shorter than
 * the text. */
struct text gzip_text(struct arena *a, struct text content);

/* Compresses all bytes of `in` quickly and appends them to `out`. */
bool gzip_spool(struct spool *in, struct spool *out, struct error *err);

#endif
