/*
 * Appends JSON strings (RFC 8259) to a buffer. Every writer of JSON text uses these functions.
 *
 * The text must be UTF-8. Bytes that need an escape are escaped, and all the others are copied.
 */
#ifndef PROFDEPOT_BASE_JSON_STRING_H
#define PROFDEPOT_BASE_JSON_STRING_H

#include "base/strbuf.h"

enum json_escape {
	JSON_ESCAPE_NEWLINE = 1 << 0, /* U+000A becomes \n, not \u000a */
	JSON_ESCAPE_LETTERS = 1 << 1, /* use \b \f \n \r \t; U+007F becomes \u007f */
	JSON_ESCAPE_DEPOT = 1 << 2,   /* undo the depot's escape (base/depot_text.h) */
};

enum {
	JSON_ESCAPE_BYTES = 7 /* size of the longest escape, including its NUL */
};

/* Splits *rest at its first byte that needs an escape; returns false if no byte needs one. Sets
 * *plain to the text before that byte, `escape` to its escape, and *rest to the text after it. */
bool json_escape_next(
	struct text *rest, unsigned how, struct text *plain, char escape[JSON_ESCAPE_BYTES]);

/* Appends the text in quotes; `how` has bits of enum json_escape. */
void json_append_string(struct strbuf *b, struct text t, unsigned how);

/* Appends text for the depot's json columns. Keeps the depot's escape, so that SQL's ->> returns
 * the text in the same form as the depot's text columns. */
void json_append_text(struct strbuf *b, struct text t);

/* Appends the string as it was in the original file, without the depot's escape. */
void json_append_depot_text(struct strbuf *b, struct text t);

/* Appends JSON text that was read from a json column, with the depot's escape undone. */
void json_append_original(struct strbuf *b, struct text json);

#endif
