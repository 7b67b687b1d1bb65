/*
 * A JSON value as a tree in an arena. Used for documents with many small records
 * whose keys can be in any order, and for request bodies. Numbers keep their text, so 64-bit ids and
 * decimals stay exact, unlike in a library that stores doubles. No function recurses.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_TREE_H
#define PROFDEPOT_INPUT_JSON_JSON_TREE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "input/json/json_reader.h"

struct json_node {
	enum json_type type;
	uint32_t count;   /* number of members or items */
	struct text key;  /* a member's key; NULL for an item */
	struct text text; /* a string (escaped as in the depot), or a number as written */
	uint64_t offset;  /* position of the value in the input, in bytes */
	struct json_node *parent, *first, *last, *next;
};

/* Returns an empty container, to which json_tree_attach adds members or items. */
struct json_node *json_tree_new(struct arena *a, enum json_type type, uint64_t offset);
void json_tree_attach(struct json_node *container, struct json_node *n);

/* Reads the next value. Fails with ERROR_LIMIT if the arena would hold more than max_bytes. */
struct json_node *json_tree_read(
	struct json_reader *r, struct arena *a, size_t max_bytes, struct error *err);

/* Parses the JSON value at the beginning of the text, without limits. Fails with ERROR_INPUT. */
struct json_node *json_tree_parse(struct arena *a, struct text json, struct error *err);

enum {
	JSON_BODY_MAX_DEPTH = 100,
	JSON_BODY_MAX_VALUES = 100000, /* scalars and containers */
	JSON_BODY_MAX_MEMBERS = 1000,  /* per object, because keys are searched one by one */
};

/* Parses a request body: one document and nothing after it, within the limits above. If an object
 * repeats a key, the last value is used. Fails with ERROR_INPUT or ERROR_LIMIT. */
struct json_node *json_tree_parse_body(struct arena *a, struct text body, struct error *err);

/* Returns the last member with that key; NULL if it is absent or n is not an object. */
struct json_node *json_tree_member(const struct json_node *n, struct text key);
/* Like json_tree_member, but the key is a C string. */
struct json_node *json_tree_get(const struct json_node *n, const char *key);

/* Returns false unless n is a 64-bit whole number, or a string that contains such a number. */
bool json_tree_int64(const struct json_node *n, int64_t *out);

/* Returns the number of nested container levels, including n; 0 for a scalar. */
size_t json_tree_depth(const struct json_node *n);

/* Appends n as JSON text without its key. Undoes the depot's escape (base/json_string.h). */
void json_tree_put(struct strbuf *b, const struct json_node *n);

/* Appends n as JSON text for a json column of the depot: like json_tree_put, but does not undo the depot's escape. */
void json_tree_keep(struct strbuf *b, const struct json_node *n);

static inline bool
json_tree_is(const struct json_node *n, enum json_type type)
{
	return n && n->type == type;
}

static inline bool
json_tree_is_container(const struct json_node *n)
{
	return n->type == JSON_OBJECT || n->type == JSON_ARRAY;
}

#endif
