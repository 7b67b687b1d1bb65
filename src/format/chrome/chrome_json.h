/*
 * A trace event as a JSON tree (input/json/json_tree.h), with JavaScript's conversions.
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_JSON_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_JSON_H

#include "base/decimal.h"
#include "input/json/json_tree.h"

enum {
	CHROME_JSON_MAX_BYTES = 128 * 1024 * 1024, /* limit for the memory of one value */
	/* PostgreSQL's JSON parser is recursive, so deeper values are stored as a string that
	 * contains JSON. */
	CHROME_JSON_MAX_DEPTH = 1000,
};

/* Parses the text as one value. Returns NULL if the text is not JSON or is too large. If `tolerant` is
 * true, each byte that is not UTF-8 becomes U+FFFD. */
struct json_node *chrome_json_parse(struct arena *a, struct text t, bool tolerant);

/* Removes the members with that key; j may be NULL. */
void chrome_json_remove(struct json_node *j, const char *key);
/* Returns the string; TEXT_NULL if j is NULL or not a string. */
struct text chrome_json_string(const struct json_node *j);
/* Sets *v and returns true if j is a number. */
bool chrome_json_double(const struct json_node *j, double *v);
/* Returns the number; DECIMAL_NULL if j is not a number or is out of range. */
struct decimal chrome_json_decimal(const struct json_node *j);
/* Returns whether JavaScript considers the value true; false if j is NULL. */
bool chrome_json_truthy(const struct json_node *j);
/* The result of JavaScript's String(); "undefined" if j is NULL. */
struct text chrome_json_js_text(struct arena *a, const struct json_node *j);

/* Returns whether the value is nested too deep for PostgreSQL. */
bool chrome_json_is_deep(const struct json_node *j);

/* Compares two numbers: returns -1, 0 or 1. NaN equals every number. */
static inline int
chrome_compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* Orders intervals by start time. If two start at the same time, the longer one comes first. */
static inline int
chrome_compare_times(double a_ts, double a_end, double b_ts, double b_end)
{
	const int r = chrome_compare(a_ts, b_ts);

	return r ? r : chrome_compare(b_end, a_end);
}

#endif
