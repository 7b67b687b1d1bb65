/* A result set's call tree with its names (model/tree.h): the stored tree or a part of it. If no tree
 * is stored, or if the stored tree was cut, the tree is built from the facts. */
#ifndef PROFDEPOT_STORE_TREE_DEPOT_TREE_H
#define PROFDEPOT_STORE_TREE_DEPOT_TREE_H

#include "db/connection.h"
#include "model/tree.h"

struct tree_question {
	int64_t inst_id;
	const char *metric; /* name; NULL for the default metric */
	size_t max_nodes;   /* maximum number of nodes; the widest are read; 0 means all */
};

/* NULL with ERROR_NOT_FOUND if there is no such result set or metric. If q->metric is NULL and no
 * metric of the result set has a tree, the returned tree has only a root, and its metric is NULL. The
 * tree is in the arena. */
struct tree *depot_tree_load(
	struct db *db, struct arena *a, const struct tree_question *q, struct error *err);

/* Sets *out to a tree of two levels: the root calls each routine, which has its stored costs. Use it if the depot
 * stores only a part of the whole tree: building the whole tree would take ten times as long. *out is NULL if all
 * nodes are stored, the result set is open, a value is negative, or two routines have equal names. */
bool depot_tree_routines(struct db *db, struct arena *a, const struct tree_question *q,
	struct tree **out, struct error *err);

/* Sets *out to the same tree of two levels, whatever its size. Routines may have equal names. q->metric must not be NULL.
 * *out is NULL if the result set is open or no costs are stored, a stack costs less than 0 or nothing, the costs come
 * from a call graph, or frames have lines. */
bool depot_routine_costs(struct db *db, struct arena *a, const struct tree_question *q,
	struct tree **out, struct error *err);

/* A metric of a result set, including the metrics of objects and errors. */
struct depot_metric {
	struct text name, family, unit, title;
	struct text aggregate; /* for a gauge: max, last or mean; otherwise NULL */
};

/* Lists the metrics, the default metric first. The array is in the arena. */
bool depot_metrics(struct db *db, struct arena *a, int64_t inst_id, struct depot_metric **metrics,
	size_t *count, struct error *err);

/*
 * Copies the routines' costs from the call graph to the frames with the same module, class and name,
 * and sorts the frames by self and total, descending. The costs in a call graph are exact, but a tree
 * that is made from a call graph is only an estimate. Does nothing for a result set without a call
 * graph. The tree must not be filtered or cut.
 */
bool graph_totals_correct(struct db *db, int64_t inst_id, const struct tree *tree,
	struct tree_frame *frames, size_t count, struct error *err);

#endif
