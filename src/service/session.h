/*
 * Sessions: after a browser has sent a token once, a cookie identifies the browser.
 *
 * Value of the cookie: EXPIRY.ID.SIGNATURE.NAME. EXPIRY is in seconds since 1970, ID is a random number, and NAME is
 * the token's name. SIGNATURE is HMAC-SHA-256 of the other parts and of the token's digest, with a random key that the
 * server makes when it starts. Therefore a session ends when its token becomes invalid or when the server ends. It also
 * ends when its user signs out.
 */
#ifndef PROFDEPOT_SERVICE_SESSION_H
#define PROFDEPOT_SERVICE_SESSION_H

#include "base/arena.h"
#include "http/http.h"
#include "service/tokens.h"

struct sessions;

/* The tokens are borrowed. A session ends after `seconds`. With `tls`, browsers send the cookie only over TLS. */
struct sessions *sessions_new(struct tokens *tokens, int64_t seconds, bool tls, struct error *err);
void sessions_free(struct sessions *s); /* NULL does nothing */

/* Begins a session for the token: returns the value of Set-Cookie, in the arena, and sets *scopes. Returns NULL if
 * the token is invalid. Thread-safe, like the functions below. */
const char *sessions_begin(struct sessions *s, const struct http_request *q, struct text token,
	struct arena *a, unsigned *scopes);

/* Returns the scopes of the session that the request's cookie names, and copies the token's name to q->user. Returns 0
 * if there is no valid session. */
unsigned sessions_scopes(struct sessions *s, struct http_request *q);

/* Returns whether the request has a cookie of a session, valid or not. */
bool sessions_has_cookie(const struct http_request *q);

/* Ends the session: its cookie is invalid from now on. Returns the value of Set-Cookie that deletes the cookie. */
const char *sessions_end(struct sessions *s, const struct http_request *q, struct arena *a);

#endif
