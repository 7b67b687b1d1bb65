/*
 * A tree as somebody asks for it: loaded, compared, filtered, inverted, cut.
 */
#ifndef PROFDEPOT_APP_TREES_H
#define PROFDEPOT_APP_TREES_H

#include "base/option.h"
#include "model/tree.h"

struct db;

struct tree_request {
	int64_t inst_id;
	int64_t base_id;    /* result set to compare with; 0: none */
	bool normalized;    /* compare shares: the base as if it had the same total */
	const char *metric; /* NULL: the result set's first */
	bool inverted;
	struct option_list focus, ignore; /* globs, as analysis/trees.h says */
	double min_share;                 /* percent of the root; 0: none */
	size_t max_nodes;                 /* 0: all */
};

enum {
	TREES_MAX_NODES = 8192 /* when nobody says */
};

/* In the caller's snapshot. NULL with ERROR_NOT_FOUND for an unknown result
 * set or metric, ERROR_USAGE when two cannot be compared. */
struct tree *trees_make(
	struct db *db, struct arena *a, const struct tree_request *q, struct error *err);

/* "2.5" as percent from 0 to 100; ERROR_USAGE. */
bool trees_parse_share(const char *s, double *percent, struct error *err);

#endif
