/*
 * Builds a JSON object member by member, for the attributes of a row. The buffer must be empty at
 * first. A function that would exceed the buffer's maximum adds nothing and returns false.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_JSON_MEMBERS_H
#define PROFDEPOT_FORMAT_COMMON_JSON_MEMBERS_H

#include "base/strbuf.h"

/* Appends a key, without checking the buffer's maximum. The caller appends the value. */
void members_key(struct strbuf *b, const char *key);
void members_text_key(struct strbuf *b, struct text key);

/* Adds a string member; adds nothing if the value is NULL. */
bool members_text(struct strbuf *b, const char *key, struct text value);
bool members_int(struct strbuf *b, const char *key, int64_t value);
bool members_number(struct strbuf *b, const char *key, uint64_t value);
/* Adds a value that already is JSON. */
bool members_json(struct strbuf *b, const char *key, struct text value);
/* Appends a string to the elements of an array. */
bool members_element(struct strbuf *elements, struct text t);
/* Adds an array. `elements` is JSON separated by commas; if it is empty, nothing is added. */
bool members_array(struct strbuf *b, const char *key, struct text elements);

/* Closes the object and returns its text; TEXT_NULL if it has no members or the buffer failed. */
struct text members_end(struct strbuf *b);

#endif
