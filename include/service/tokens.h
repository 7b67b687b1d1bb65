/*
 * A token determines what a client may do. A file contains one token per line:
 *
 *	NAME SCOPE[,SCOPE...] EXPIRY DIGEST
 *
 * SCOPE is read, ingest, review, sql or admin. EXPIRY is the last valid day (UTC), such as 2027-01-31, or
 * "never". DIGEST is the token's SHA-256 in hex digits; a token has 256 random bits, so its digest
 * needs no salt. Empty lines and lines that begin with # are ignored.
 */
#ifndef PROFDEPOT_SERVICE_TOKENS_H
#define PROFDEPOT_SERVICE_TOKENS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

enum {
	TOKEN_BYTES = 48, /* includes the final NUL */
	TOKEN_NAME_MAX = 64
};

/* Permissions, as bits. */
enum token_scope {
	TOKEN_OPEN = 0, /* for routes that need no token */
	TOKEN_READ = 1,
	TOKEN_INGEST = 2,
	TOKEN_ADMIN = 4,
	TOKEN_REVIEW = 8,
	TOKEN_ALL = 15, /* what `admin` includes */
	TOKEN_SQL = 16, /* SQL statements; `admin` does not include it */
};

struct token {
	const char *name;
	unsigned scopes; /* bits of enum token_scope */
	char expiry[16]; /* the day, written as in the file */
	uint8_t digest[32];
};

struct tokens;

/* Reads the file, and rereads it after each change. A missing file means no tokens. Fails with
 * ERROR_FILE, or with ERROR_USAGE if a line is invalid, or if another account owns the file or can
 * write to it. */
struct tokens *tokens_open(const char *path, struct error *err);
void tokens_free(struct tokens *t);

/* Returns the token's scopes and copies its name; returns 0 if the token is invalid or has expired. Thread-safe. */
unsigned tokens_scopes(struct tokens *t, struct text token, char name[TOKEN_NAME_MAX + 1]);

/* Returns the scopes of the valid tokens with this name whose digests pass the test; 0 if there are none. `passes` must
 * not call functions of `t`, because `t` is locked. Thread-safe. */
typedef bool token_test(void *self, const uint8_t digest[32]);
unsigned tokens_scopes_by_name(struct tokens *t, const char *name, token_test *passes, void *self);

size_t tokens_count(struct tokens *t);
/* The result is borrowed until the next call. */
const struct token *tokens_at(struct tokens *t, size_t i);

/* Returns whether the expiry day has passed; false for "never". */
bool token_is_past(const char *expiry);

/* Parses "read,ingest" into bits; fails with ERROR_USAGE. */
bool token_scopes_parse(const char *text, unsigned *scopes, struct error *err);
const char *token_scopes_text(unsigned scopes, char out[32]);

/* Creates a token, adds its digest to the file and returns the token itself, which is not stored.
 * Keeps the file's owner and mode, or creates the file with mode 0600. ERROR_USAGE: the name
 * is invalid or already exists, or the day is invalid. */
bool token_add(const char *path, const char *name, unsigned scopes, const char *expiry,
	char out[TOKEN_BYTES], struct error *err);
/* Deletes a token; fails with ERROR_NOT_FOUND. */
bool token_revoke(const char *path, const char *name, struct error *err);

#endif
