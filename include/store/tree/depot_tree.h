/*
 * A result set's tree of calls with its names (model/tree.h): the stored one
 * or a part of it, or built anew from the facts where nothing is stored or
 * the stored one was cut.
 */
#ifndef PROFDEPOT_STORE_TREE_DEPOT_TREE_H
#define PROFDEPOT_STORE_TREE_DEPOT_TREE_H

#include "db/connection.h"
#include "model/tree.h"

struct tree_question {
	int64_t inst_id;
	const char *metric; /* name; NULL: the result set's first */
	size_t max_nodes;   /* the widest ones; 0: all, whatever it takes */
};

/* NULL with ERROR_NOT_FOUND when there is no such result set or metric. A
 * result set with nothing that has a tree gives a bare root whose metric is
 * NULL, unless one was asked for. Lives in the arena. */
struct tree *depot_tree_load(
	struct db *db, struct arena *a, const struct tree_question *q, struct error *err);

/* The unit of the metric that depot_tree_load would show, NULL when there is
 * none: model/measures.h has the words. */
bool depot_tree_unit(struct db *db, struct arena *a, int64_t inst_id, const char *metric,
	struct text *unit, struct error *err);

/* A metric of a result set, objects and errors as if they were told. */
struct depot_metric {
	struct text name, family, unit, title;
};

/* The one that stands for the result set first. In the arena. */
bool depot_metrics(struct db *db, struct arena *a, int64_t inst_id, struct depot_metric **metrics,
	size_t *count, struct error *err);

#endif
