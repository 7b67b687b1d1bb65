/* Shared by the files that read and write trees of the depot. */
#ifndef PROFDEPOT_STORE_TREE_TREE_PRIVATE_H
#define PROFDEPOT_STORE_TREE_TREE_PRIVATE_H

#include "db/copy.h"
#include "model/call_tree.h"
#include "model/measures.h"
#include "store/tree/depot_tree.h"

struct tree_metric {
	char inst_id[24];
	struct text caption;
	bool closed;
	int64_t number; /* 0 if the result set is open and has no row for the metric */
	struct text name, unit, title;
	enum metric_family family;
};

/* Finds the metric by name, or the first one if name is NULL. m->name is NULL if the result set has no
 * metrics. */
bool tree_metric_find(struct db *db, struct arena *a, int64_t inst_id, const char *name,
	struct tree_metric *m, struct error *err);

enum {
	TREE_NAME_COLUMNS = 6 /* module, class, routine, unit, file, line */
};

/* Reads a routine's name from TREE_NAME_COLUMNS columns of the row, starting at column `first`. */
struct table_frame tree_name(struct arena *a, const struct db_result *row, size_t first);

/* Sets the metric, unit, title and result set of a tree. */
void tree_describe(struct tree *t, struct arena *a, const struct tree_metric *m);

/* Nodes are in preorder; node 0 is the root. */
struct plain_node {
	uint32_t parent, depth;
	int64_t routine; /* INT64_MIN if absent or unknown */
	wide_int self, total;
	bool folded;
};

struct plain_tree {
	struct plain_node *nodes; /* in the arena */
	size_t count;             /* 0 if there is no tree */
	size_t all_nodes;
};

/* Reads at most max_nodes nodes of the stored tree, or all of them if max_nodes is 0. *whole is true if no
 * nodes were omitted when the tree was stored. */
bool tree_read_stored(struct db *db, struct arena *a, const struct tree_metric *m, size_t max_nodes,
	struct plain_tree *out, bool *whole, struct error *err);

/* Reads the number of nodes that are stored. */
bool tree_stored_size(
	struct db *db, const struct tree_metric *m, int64_t *nodes, struct error *err);

/* Reads the stored costs of the routines as a tree of two levels. *out is NULL if nothing is stored or a value is
 * negative. (*ids)[n] is the routine with name n. Both are in the arena. */
bool tree_read_routines(struct db *db, struct arena *a, const struct tree_metric *m,
	struct tree **out, int64_t **ids, struct error *err);

/* Builds the whole tree from the facts. */
bool tree_read_facts(struct db *db, struct arena *a, const struct tree_metric *m,
	struct plain_tree *out, struct error *err);

/* Adds the durations of all spans to the tree. Spans whose metric_no is metrics[i] are added to the tree's
 * metric i. */
bool tree_add_spans(struct db *db, const char *inst_id, const int32_t *metrics, size_t metric_count,
	struct call_tree *tree, struct error *err);

/* The numbers of rows that call_tree_write wrote. */
struct call_tree_rows {
	int64_t blocks, routines;
};

/* Writes the stored tree and the routine totals for one metric of `tree`. `number` is the metric's
 * number in the depot. Adds the numbers of written rows to *rows. */
bool call_tree_write(struct copier *c, int64_t inst_id, struct call_tree *tree, size_t metric,
	int32_t number, struct call_tree_rows *rows, struct error *err);

/* Parses a number that the server sent; 0 for NULL. */
wide_int tree_fixed(struct text t);

#endif
