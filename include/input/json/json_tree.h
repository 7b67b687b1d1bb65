/*
 * One JSON value as a tree in an arena, for documents with many small records
 * whose keys come in any order, and for request bodies. Numbers keep their text,
 * so 64-bit ids and decimals stay exact; deep values need no deep C stack.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_TREE_H
#define PROFDEPOT_INPUT_JSON_JSON_TREE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "input/json/json_reader.h"

struct json_node {
	enum json_type type;
	uint32_t count;   /* of its members or items */
	struct text key;  /* of a member; NULL for an item */
	struct text text; /* of a string (in the depot's escape) or a number (as written) */
	uint64_t offset;  /* bytes into the input */
	struct json_node *parent, *first, *last, *next;
};

/* An empty container for json_tree_attach. */
struct json_node *json_tree_new(struct arena *a, enum json_type type, uint64_t offset);
void json_tree_attach(struct json_node *container, struct json_node *n);

/* The reader's next value. ERROR_LIMIT if the arena then holds more than max_bytes. */
struct json_node *json_tree_read(
	struct json_reader *r, struct arena *a, size_t max_bytes, struct error *err);

/* The JSON value that the text begins with, whatever its size. NULL with ERROR_INPUT. */
struct json_node *json_tree_parse(struct arena *a, struct text json, struct error *err);

enum {
	JSON_BODY_MAX_DEPTH = 100,
	JSON_BODY_MAX_VALUES = 100000, /* of all kinds */
	JSON_BODY_MAX_MEMBERS = 1000,  /* of one object: keys are searched one by one */
};

/* A request's body: one document and nothing after it, within the limits above. If an object
 * repeats a key, the last value counts, in the place of the first. NULL with ERROR_INPUT or
 * ERROR_LIMIT. */
struct json_node *json_tree_parse_body(struct arena *a, struct text body, struct error *err);

/* The last member with that key; NULL if absent or n is not an object. */
struct json_node *json_tree_member(const struct json_node *n, struct text key);
/* The same for a key in C. */
struct json_node *json_tree_get(const struct json_node *n, const char *key);

/* A whole number of 64 bits, or a string that contains one. False: it is neither. */
bool json_tree_int64(const struct json_node *n, int64_t *out);

/* Levels of nested containers, n included; 0 for a scalar. */
size_t json_tree_depth(const struct json_node *n);

/* As JSON text, without n's key; the depot's escape is undone. For strings: base/json_string.h. */
void json_tree_put(struct strbuf *b, const struct json_node *n);

/* As JSON text for the depot: the escape stays, as ordinary text. */
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
