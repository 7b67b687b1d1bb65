/* Checks of a request's head. */
#ifndef PROFDEPOT_HTTP_HTTP_HEAD_H
#define PROFDEPOT_HTTP_HTTP_HEAD_H

#include "http_private.h"

/* If the head is ambiguous or too long, sets x->ends and fails. */
bool http_check_head(struct exchange *x, const char *version, struct error *err);
/* Rejects a request with status 403 if it is for a foreign host name or from another site's page. */
bool http_check_site(struct exchange *x, struct error *err);
/* If the client exceeds the rate limit, sets status 429 and Retry-After, and fails. */
bool http_check_rate(struct exchange *x, struct error *err);
/* Returns the client's address: the connection's address, or the address that our proxy reports. */
const char *http_forwarded_peer(struct exchange *x, const char *peer);

/* --- http_length.c: lengths that libmicrohttpd rejects ----------------------------------- */

/* Adds an exchange in EXCHANGE_NEW to its listener's list. Only for the listener's thread. */
void http_head_begins(struct exchange *x);
/* Removes the exchange when its head is complete, or its connection ends. */
void http_head_ends(struct exchange *x);
/* Answers the requests whose Content-Length libmicrohttpd rejects, and ends their streams. To be called when
 * libmicrohttpd logs a message; other threads than the listener's have no effect. */
void http_reject_lengths(struct listener *l);

#endif
