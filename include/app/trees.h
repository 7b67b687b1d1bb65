/* Loads a requested call tree, and compares, filters, inverts and cuts it as requested. */
#ifndef PROFDEPOT_APP_TREES_H
#define PROFDEPOT_APP_TREES_H

#include "base/option.h"
#include "model/tree.h"

struct db;

struct tree_request {
	int64_t inst_id;
	int64_t base_id;    /* result set to compare with; 0 if absent */
	bool normalized;    /* scale the base to the same total, so that shares are compared */
	const char *metric; /* NULL means the result set's first metric */
	bool inverted;
	struct option_list focus, ignore; /* globs; see tree_filter in analysis/trees.h */
	double min_share; /* minimum weight of a node, in percent of the root's weight */
	size_t max_nodes; /* 0 means all */
};

enum {
	TREES_MAX_NODES = 8192 /* default of max_nodes */
};

/* Runs in the caller's snapshot. Returns NULL with ERROR_NOT_FOUND for an unknown result set or
 * metric, or ERROR_USAGE if the two result sets cannot be compared. */
struct tree *trees_make(
	struct db *db, struct arena *a, const struct tree_request *q, struct error *err);

/* Parses a percentage from 0 to 100, such as "2.5". Can set ERROR_USAGE. */
bool trees_parse_share(const char *s, double *percent, struct error *err);

#endif
