/*
 * One JSON value as a tree in an arena, for formats whose documents hold many
 * small records with keys in any order. Deep values need no deep C stack.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_JSON_TREE_H
#define PROFDEPOT_FORMAT_COMMON_JSON_TREE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "input/json/json_reader.h"

struct json_node {
	enum json_type type;
	uint32_t count;   /* of its members or items */
	struct text key;  /* of a member; NULL of an item */
	struct text text; /* of a string (in the depot's escape) or number */
	uint64_t offset;  /* bytes into the input */
	struct json_node *parent, *first, *last, *next;
};

/* An empty container for json_tree_attach. */
struct json_node *json_tree_new(struct arena *a, enum json_type type, uint64_t offset);
void json_tree_attach(struct json_node *container, struct json_node *n);

/* The reader's next value. ERROR_LIMIT when the arena then holds more than max_bytes. */
struct json_node *json_tree_read(
	struct json_reader *r, struct arena *a, size_t max_bytes, struct error *err);

/* JSON text in memory; NULL with an error when it is none. */
struct json_node *json_tree_parse(struct arena *a, struct text json, struct error *err);

/* The last member of that name; NULL when there is none or n is no object. */
struct json_node *json_tree_member(const struct json_node *n, struct text key);

/* Containers nested in n, itself included; 0 of a scalar. */
size_t json_tree_depth(const struct json_node *n);

/* As JSON text, without n's key; the depot's escape is undone. */
void json_tree_put(struct strbuf *b, const struct json_node *n);
void json_tree_put_string(struct strbuf *b, struct text t);

/* As JSON text for the depot: the escape stays, as text of its own. */
void json_tree_keep(struct strbuf *b, const struct json_node *n);
void json_tree_keep_string(struct strbuf *b, struct text t);

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
