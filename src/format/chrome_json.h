/*
 * A small JSON document in memory, exact: numbers as they stand, strings in
 * the depot's escape, repeated keys as often as they come. For one trace
 * event at a time.
 */
#ifndef PROFDEPOT_CHROME_JSON_H
#define PROFDEPOT_CHROME_JSON_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "input/json_reader.h"

enum {
	CHROME_JSON_MAX_NODES = 1024 * 1024,
	/* PostgreSQL's own parser of json is recursive: what is nested deeper is
	 * kept as a string of JSON text. */
	CHROME_JSON_MAX_DEPTH = 1000,
};

struct chrome_json {
	enum json_type type;
	struct text key;  /* of an object's member; NULL otherwise */
	struct text text; /* of a string or number */
	struct chrome_json *parent, *next, *first, *last;
	unsigned depth; /* containers around it */
	unsigned deep;  /* of the root: depth of the deepest */
};

/* Reads the value that is next. Lives in the arena. */
struct chrome_json *chrome_json_read(struct arena *a, struct json_reader *r, struct error *err);
/* The whole text is one value; NULL when it is none, or too large. tolerant:
 * bytes that are no UTF-8 become U+FFFD. */
struct chrome_json *chrome_json_parse(struct arena *a, struct text t, bool tolerant);

/* The last member of that key; NULL when there is none, or j is no object, or NULL. */
const struct chrome_json *chrome_json_get(const struct chrome_json *j, const char *key);
/* Takes the members of that key out; j may be NULL. */
void chrome_json_remove(struct chrome_json *j, const char *key);
/* TEXT_NULL when j is NULL or no string. */
struct text chrome_json_string(const struct chrome_json *j);
/* *v when j is a number. */
bool chrome_json_double(const struct chrome_json *j, double *v);
/* DECIMAL_NULL when it is no number, or out of range. */
struct decimal chrome_json_decimal(const struct chrome_json *j);
/* What JavaScript takes for true; a missing value is false. */
bool chrome_json_truthy(const struct chrome_json *j);
/* What JavaScript's String() makes of it; "undefined" when j is NULL. */
struct text chrome_json_js_text(struct arena *a, const struct chrome_json *j);

/* As JSON text, without j's key. */
void chrome_json_write(struct strbuf *b, const struct chrome_json *j);
void chrome_json_write_string(struct strbuf *b, struct text t);
/* The shortest digits that give v again, as JavaScript writes them. */
void chrome_json_write_double(struct strbuf *b, double v);

/* -1, 0, 1; NaN equals all. */
static inline int
chrome_compare(double a, double b)
{
	return (a > b) - (a < b);
}

#endif
