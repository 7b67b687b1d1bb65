/*
 * Members of a JSON object, put together for a row's attributes. The buffer is empty at first.
 * A member that would exceed the buffer's maximum is left out as a whole: the function then
 * returns false.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_JSON_MEMBERS_H
#define PROFDEPOT_FORMAT_COMMON_JSON_MEMBERS_H

#include "base/strbuf.h"

/* Would a string of so many bytes fit, whatever it holds? */
bool members_fit(const struct strbuf *b, size_t bytes);
/* Begins a member, without a check for room: the value follows. */
void members_key(struct strbuf *b, const char *key);

/* NULL adds nothing. */
bool members_text(struct strbuf *b, const char *key, struct text value);
bool members_int(struct strbuf *b, const char *key, int64_t value);
bool members_number(struct strbuf *b, const char *key, uint64_t value);
/* value is JSON. */
bool members_json(struct strbuf *b, const char *key, struct text value);
/* Adds a string to the elements of an array, if it fits. */
bool members_element(struct strbuf *elements, struct text t);
/* An array of elements that are separated by commas; nothing is added without any. */
bool members_array(struct strbuf *b, const char *key, struct text elements);

/* Closes the object and gives its text: TEXT_NULL if it has no member, or if the buffer failed. */
struct text members_end(struct strbuf *b);

#endif
