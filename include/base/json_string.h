/*
 * JSON strings (RFC 8259) in a buffer: what every writer of JSON text uses.
 *
 * The text must be UTF-8. Each byte that needs an escape gets one, all others are copied.
 */
#ifndef PROFDEPOT_BASE_JSON_STRING_H
#define PROFDEPOT_BASE_JSON_STRING_H

#include "base/strbuf.h"

enum json_escape {
	JSON_ESCAPE_NEWLINE = 1 << 0, /* U+000A becomes \n, not \u000a */
	JSON_ESCAPE_LETTERS = 1 << 1, /* \b \f \n \r \t, and U+007F becomes \u007f */
	JSON_ESCAPE_DEPOT = 1 << 2,   /* the depot's escape (base/depot_text.h) is undone */
};

enum {
	JSON_ESCAPE_BYTES = 7 /* of the longest escape, with its NUL */
};

/* Splits *rest at its first byte that needs an escape: *plain is the text before it, escape is
 * what to write for it, *rest the text after it. False if no byte needs one. */
bool json_escape_next(
	struct text *rest, unsigned how, struct text *plain, char escape[JSON_ESCAPE_BYTES]);

/* Appends the text in quotes; `how` has bits of enum json_escape. */
void json_append_string(struct strbuf *b, struct text t, unsigned how);

/* For the json columns of the depot: the depot's escape stays, so that SQL's ->> returns the
 * text as the depot holds it. */
void json_append_text(struct strbuf *b, struct text t);

/* The string as the original file had it: the depot's escape is undone. */
void json_append_depot_text(struct strbuf *b, struct text t);

/* Appends JSON text that was read from a json column, with the depot's escape undone. */
void json_append_original(struct strbuf *b, struct text json);

#endif
