/* The body of an answer: its entity tag and its compression. */
#ifndef PROFDEPOT_HTTP_CODING_H
#define PROFDEPOT_HTTP_CODING_H

#include "base/text.h"

struct exchange;
struct http_answer;
struct spool;

/* Replaces the answer's body. The exchange owns the new one. */
void http_replace_body(struct exchange *x, struct spool *body);

/* Returns the value of an answer's header; NULL if it is not set. */
struct text http_answer_value(struct http_answer *a, const char *name);

/* Returns how much a client wants the type or coding, from 0 (not at all) to 1000. `accept` is the value of
 * Accept or Accept-Encoding. */
int http_accept_quality(const char *accept, const char *type);

/* Completes a successful answer (status 200) to a GET request. Adds an entity tag, unless the
 * answer has its own Cache-Control. If the client already has the body, removes the body and sets status 304. Otherwise, compresses it if the client accepts gzip. */
void http_code_body(struct exchange *x);

#endif
