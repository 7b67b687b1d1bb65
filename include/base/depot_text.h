/*
 * Text as PostgreSQL can hold it.
 *
 * JSON strings may hold U+0000 and lone surrogates, which no text of
 * PostgreSQL holds. They are written as U+001A (SUBSTITUTE) and four upper
 * case hex digits of the code unit; U+001A itself likewise, so that every
 * string comes back as it was.
 */
#ifndef PROFDEPOT_BASE_DEPOT_TEXT_H
#define PROFDEPOT_BASE_DEPOT_TEXT_H

#include "base/strbuf.h"
#include "base/text.h"

#include <stdint.h>

enum {
	DEPOT_TEXT_ESCAPE = 0x1A,
	DEPOT_TEXT_ESCAPE_BYTES = 5, /* with its digits */
};

/* Appends one UTF-16 code unit (U+0000, a lone surrogate or U+001A) escaped. */
void depot_text_append_unit(struct strbuf *b, uint16_t unit);

/* At an escape in t: the code unit that it stands for and true; false when
 * the bytes at `at` are no complete escape of one of these units. An escape has
 * five bytes. */
bool depot_text_unit_at(struct text t, size_t at, uint16_t *unit);

#endif
