/*
 * A result set's call tree with its names (model/tree.h): the stored one or a part of it. It is built
 * from the facts if no tree is stored, or if the stored one was cut.
 */
#ifndef PROFDEPOT_STORE_TREE_DEPOT_TREE_H
#define PROFDEPOT_STORE_TREE_DEPOT_TREE_H

#include "db/connection.h"
#include "model/tree.h"

struct tree_question {
	int64_t inst_id;
	const char *metric; /* name; NULL for the default metric */
	size_t max_nodes;   /* only the widest ones; 0 for all */
};

/* NULL with ERROR_NOT_FOUND if there is no such result set or metric. If nothing in the result set
 * has a tree and no metric was named, the tree is a bare root with a NULL metric. In the arena. */
struct tree *depot_tree_load(
	struct db *db, struct arena *a, const struct tree_question *q, struct error *err);

/* The unit of the metric that depot_tree_load would show (see model/measures.h); NULL if there is no
 * metric. */
bool depot_tree_unit(struct db *db, struct arena *a, int64_t inst_id, const char *metric,
	struct text *unit, struct error *err);

/* A metric of a result set, including those of objects and errors. */
struct depot_metric {
	struct text name, family, unit, title;
};

/* The default metric first. In the arena. */
bool depot_metrics(struct db *db, struct arena *a, int64_t inst_id, struct depot_metric **metrics,
	size_t *count, struct error *err);

#endif
