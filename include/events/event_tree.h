/*
 * Builds a tree from event stacks. Children are in order of arrival, as in kernelscope's
 * flame graph.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_TREE_H
#define PROFDEPOT_EVENTS_EVENT_TREE_H

#include "model/tree.h"

struct event_tree;

struct event_tree *event_tree_new(void);
void event_tree_free(struct event_tree *t);

/* Sets the name of a routine of a result set, escaped as in the depot. Call this before adding the
 * set's stacks. */
void event_tree_name(struct event_tree *t, int64_t inst_id, int64_t routine, struct text name);

#define EVENT_TREE_UNKNOWN INT64_MIN

/* Adds a stack, innermost frame first. Each frame is a routine or EVENT_TREE_UNKNOWN. If count is 0, adds the weight
 * only to the root. Fails with ERROR_LIMIT if the tree has too many nodes. */
bool event_tree_add(struct event_tree *t, int64_t inst_id, const int64_t *routines, size_t count,
	wide_int weight, struct error *err);

/* Returns the number of nodes without the root. */
size_t event_tree_size(const struct event_tree *t);

/* Writes {"name":"root","value":N,"children":[...]}. Values are inclusive. Leaves have no
 * "children". */
bool event_tree_write(const struct event_tree *t, FILE *out, struct error *err);

/* Returns the tree as a call tree in the arena. */
struct tree *event_tree_tree(struct arena *a, const struct event_tree *t);

/* Parses a whole number of up to 38 digits in PostgreSQL's format. */
bool event_tree_parse_sum(struct text t, wide_int *out);

#endif
