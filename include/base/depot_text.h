/*
 * Text that PostgreSQL can store.
 *
 * JSON strings may contain U+0000 and lone surrogates, which PostgreSQL's text type rejects. The
 * depot stores each of them as U+001A (SUBSTITUTE), followed by its code unit in four upper-case
 * hex digits. U+001A itself is escaped in the same way, so every string can be restored.
 */
#ifndef PROFDEPOT_BASE_DEPOT_TEXT_H
#define PROFDEPOT_BASE_DEPOT_TEXT_H

#include "base/strbuf.h"
#include "base/text.h"

#include <stdint.h>

enum {
	DEPOT_TEXT_ESCAPE = 0x1A,
	DEPOT_TEXT_ESCAPE_BYTES = 5, /* U+001A and four digits */
};

/* Appends the escape of a UTF-16 code unit: U+0000, a lone surrogate or U+001A. */
void depot_text_append_unit(struct strbuf *b, uint16_t unit);

/* If t has a complete escape at `at`, sets *unit to its code unit; otherwise returns false. */
bool depot_text_unit_at(struct text t, size_t at, uint16_t *unit);

#endif
