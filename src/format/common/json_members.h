/*
 * The members of a JSON object, put together for a row's attributes. The buffer is empty
 * at first; a member that would pass its maximum is left out whole.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_JSON_MEMBERS_H
#define PROFDEPOT_FORMAT_COMMON_JSON_MEMBERS_H

#include "base/strbuf.h"

/* Would a string of so many bytes fit, however it is written? */
bool members_fit(const struct strbuf *b, size_t bytes);

void members_text(struct strbuf *b, const char *key, struct text value);
void members_number(struct strbuf *b, const char *key, uint64_t value);
void members_true(struct strbuf *b, const char *key);
/* value: JSON. */
void members_json(struct strbuf *b, const char *key, struct text value);
/* Closes the object: its text, TEXT_NULL when it has no member. */
struct text members_end(struct strbuf *b);

#endif
