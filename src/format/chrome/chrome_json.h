/*
 * A trace event as a JSON tree (input/json/json_tree.h), with JavaScript's conversions.
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_JSON_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_JSON_H

#include "base/decimal.h"
#include "input/json/json_tree.h"

enum {
	CHROME_JSON_MAX_BYTES = 128 * 1024 * 1024, /* of one value in memory */
	/* PostgreSQL's json parser is recursive: deeper values are stored as a string of JSON
	 * text. */
	CHROME_JSON_MAX_DEPTH = 1000,
};

/* The text as one value; NULL if it is not JSON, or too large. tolerant: bytes that are not
 * UTF-8 become U+FFFD. */
struct json_node *chrome_json_parse(struct arena *a, struct text t, bool tolerant);

/* Removes the members with that key; j may be NULL. */
void chrome_json_remove(struct json_node *j, const char *key);
/* TEXT_NULL if j is NULL or not a string. */
struct text chrome_json_string(const struct json_node *j);
/* Sets *v if j is a number. */
bool chrome_json_double(const struct json_node *j, double *v);
/* DECIMAL_NULL if it is not a number, or out of range. */
struct decimal chrome_json_decimal(const struct json_node *j);
/* Truth as in JavaScript; a missing value is false. */
bool chrome_json_truthy(const struct json_node *j);
/* The result of JavaScript's String(); "undefined" if j is NULL. */
struct text chrome_json_js_text(struct arena *a, const struct json_node *j);

/* Is it nested too deep for PostgreSQL? */
bool chrome_json_is_deep(const struct json_node *j);
/* The shortest digits that read back as v, as JavaScript writes them. */
void chrome_json_write_double(struct strbuf *b, double v);

/* -1, 0, 1; NaN equals all. */
static inline int
chrome_compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* By time, the longer one first. */
static inline int
chrome_compare_times(double a_ts, double a_end, double b_ts, double b_end)
{
	const int r = chrome_compare(a_ts, b_ts);

	return r ? r : chrome_compare(b_end, a_end);
}

#endif
