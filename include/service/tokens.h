/*
 * Tokens: who may do what with a server. A file keeps them, one a line:
 *
 *	NAME SCOPE[,SCOPE...] EXPIRY DIGEST
 *
 * SCOPE is read, ingest or admin; EXPIRY a day such as 2027-01-31 (its end, UTC) or "never";
 * DIGEST the SHA-256 of the token in hexadecimal digits. Lines that are empty or begin with # are
 * passed over. A token is 256 random bits, so that its plain digest gives nothing away.
 */
#ifndef PROFDEPOT_SERVICE_TOKENS_H
#define PROFDEPOT_SERVICE_TOKENS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

enum {
	TOKEN_BYTES = 48, /* with its NUL */
	TOKEN_NAME_MAX = 64
};

struct token {
	const char *name;
	unsigned scopes; /* of enum http_scope */
	char expiry[16]; /* as in the file */
	uint8_t digest[32];
};

struct tokens;

/* The file is read again when it changed. ERROR_FILE, or ERROR_USAGE for a file that is none (with
 * the line), that others may write, or that is neither root's nor our account's. A file that does
 * not exist holds no tokens. */
struct tokens *tokens_open(const char *path, struct error *err);
void tokens_free(struct tokens *t);

/* Scopes of the token, 0: there is none such, or it is past its day. May be called by many
 * threads. */
unsigned tokens_scopes(struct tokens *t, struct text token);

size_t tokens_count(struct tokens *t);
/* Borrowed until the next call. */
const struct token *tokens_at(struct tokens *t, size_t i);

/* Is that day over? Not for "never". */
bool token_is_past(const char *expiry);

/* "read,ingest" as bits; ERROR_USAGE. */
bool token_scopes_parse(const char *text, unsigned *scopes, struct error *err);
const char *token_scopes_text(unsigned scopes, char out[32]);

/* Makes one, writes it into the file (made with mode 0600; owner and mode stay) and gives it: it is
 * never seen again.
 * ERROR_USAGE: a name that is there, a name or day that is none. */
bool token_add(const char *path, const char *name, unsigned scopes, const char *expiry,
	char out[TOKEN_BYTES], struct error *err);
/* ERROR_NOT_FOUND. */
bool token_revoke(const char *path, const char *name, struct error *err);

#endif
