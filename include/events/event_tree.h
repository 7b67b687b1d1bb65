/*
 * The tree of stacks of events under construction, in the order in which they
 * come: what kernelscope's flame graph is.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_TREE_H
#define PROFDEPOT_EVENTS_EVENT_TREE_H

#include "model/tree.h"

struct event_tree;

struct event_tree *event_tree_new(void);
void event_tree_free(struct event_tree *t);

/* The name of a routine of a result set; before any stack that has it. Text in the depot's escape.
 */
void event_tree_name(struct event_tree *t, int64_t inst_id, int64_t routine, struct text name);

#define EVENT_TREE_UNKNOWN INT64_MIN

/* Routines innermost first, or EVENT_TREE_UNKNOWN; none: the weight is the root's alone. False:
 * ERROR_LIMIT when the tree has too many nodes. */
bool event_tree_add(struct event_tree *t, int64_t inst_id, const int64_t *routines, size_t count,
	wide_int weight, struct error *err);

/* Nodes without the root. */
size_t event_tree_size(const struct event_tree *t);

/* {"name":"root","value":N,"children":[...]}: values inclusive, leaves without children. */
bool event_tree_write(const struct event_tree *t, FILE *out, struct error *err);

/* As a tree of calls in the arena, which borrows the names. */
struct tree *event_tree_tree(struct arena *a, const struct event_tree *t);

/* A whole number of up to 38 digits as PostgreSQL writes it. */
bool event_tree_parse_sum(struct text t, wide_int *out);

#endif
