/* Arrays as SQL text parameters, such as {1,2} and {"a","b\"c"}. */
#ifndef PROFDEPOT_DB_SQL_ARRAY_H
#define PROFDEPOT_DB_SQL_ARRAY_H

#include "base/strbuf.h"

/* Append an element to an array, which starts as an empty buffer. */
void sql_array_int(struct strbuf *b, int64_t v);
void sql_array_text(struct strbuf *b, struct text t);

/* Closes the array, which may be empty, and returns its text. */
const char *sql_array_end(struct strbuf *b);

#endif
