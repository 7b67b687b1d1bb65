/*
 * One trace event as a JSON tree (json_tree.h), read as JavaScript does.
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_JSON_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_JSON_H

#include "base/decimal.h"
#include "input/json/json_tree.h"

enum {
	CHROME_JSON_MAX_BYTES = 128 * 1024 * 1024, /* of one value in memory */
	/* PostgreSQL's own parser of json is recursive: what is nested deeper is
	 * kept as a string of JSON text. */
	CHROME_JSON_MAX_DEPTH = 1000,
};

/* The whole text is one value; NULL when it is none, or too large. tolerant:
 * bytes that are no UTF-8 become U+FFFD. */
struct json_node *chrome_json_parse(struct arena *a, struct text t, bool tolerant);

/* Takes the members of that key out; j may be NULL. */
void chrome_json_remove(struct json_node *j, const char *key);
/* TEXT_NULL when j is NULL or no string. */
struct text chrome_json_string(const struct json_node *j);
/* *v when j is a number. */
bool chrome_json_double(const struct json_node *j, double *v);
/* DECIMAL_NULL when it is no number, or out of range. */
struct decimal chrome_json_decimal(const struct json_node *j);
/* What JavaScript takes for true; a missing value is false. */
bool chrome_json_truthy(const struct json_node *j);
/* What JavaScript's String() makes of it; "undefined" when j is NULL. */
struct text chrome_json_js_text(struct arena *a, const struct json_node *j);

/* Is it nested deeper than PostgreSQL should be given? */
bool chrome_json_is_deep(const struct json_node *j);
/* The shortest digits that give v again, as JavaScript writes them. */
void chrome_json_write_double(struct strbuf *b, double v);

/* -1, 0, 1; NaN equals all. */
static inline int
chrome_compare(double a, double b)
{
	return (a > b) - (a < b);
}

#endif
