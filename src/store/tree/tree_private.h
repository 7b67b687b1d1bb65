/* What makes a tree from the depot's rows. */
#ifndef PROFDEPOT_STORE_TREE_TREE_PRIVATE_H
#define PROFDEPOT_STORE_TREE_TREE_PRIVATE_H

#include "model/call_tree.h"
#include "store/tree/depot_tree.h"

enum tree_family {
	TREE_OF_OBJECTS,
	TREE_OF_ERRORS,
	TREE_OF_SAMPLES,
	TREE_OF_SPANS
};

struct tree_metric {
	char inst_id[24];
	struct text caption;
	bool closed;
	int64_t number; /* 0: the result set is open and has no row for it */
	struct text name, unit, title;
	enum tree_family family;
};

/* Finds the metric by name, NULL: the first one; m->name is NULL when the
 * result set measures nothing. */
bool tree_metric_find(struct db *db, struct arena *a, int64_t inst_id, const char *name,
	struct tree_metric *m, struct error *err);

/* A node as it comes, in preorder; node 0 is the root. */
struct plain_node {
	uint32_t parent, depth;
	int64_t routine; /* INT64_MIN if absent or unknown */
	wide_int self, total;
	bool folded;
};

struct plain_tree {
	struct plain_node *nodes; /* in the arena */
	size_t count;             /* 0: there is none */
	size_t all_nodes;
};

/* The stored tree, cut to max_nodes, 0: not cut. *whole: nothing was left out
 * when it was stored. */
bool tree_read_stored(struct db *db, struct arena *a, const struct tree_metric *m, size_t max_nodes,
	struct plain_tree *out, bool *whole, struct error *err);

/* All of it, from the facts. */
bool tree_read_facts(struct db *db, struct arena *a, const struct tree_metric *m,
	struct plain_tree *out, struct error *err);

/* Adds the durations of all spans: those of metrics[i] (a metric_no) to metric i of the tree. */
bool tree_add_spans(struct db *db, const char *inst_id, const int32_t *metrics, size_t metric_count,
	struct call_tree *tree, struct error *err);

/* Numbers that the server wrote; NULL is `otherwise`. */
wide_int tree_fixed(struct text t);

#endif
