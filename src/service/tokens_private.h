/* The fields of a token file's line. */
#ifndef PROFDEPOT_SERVICE_TOKENS_PRIVATE_H
#define PROFDEPOT_SERVICE_TOKENS_PRIVATE_H

#include "base/hash.h"
#include "base/text.h"

enum {
	TOKENS_MAX_BYTES = 1024 * 1024, /* maximum size of the file */
	TOKENS_MAX = 4096
};

bool token_is_name(const char *s);
/* Returns whether the text is "never" or has the form YYYY-MM-DD. */
bool token_is_expiry(const char *s);
void token_digest(struct text token, uint8_t out[SHA256_BYTES]);

#endif
