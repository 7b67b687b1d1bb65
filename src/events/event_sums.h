/*
 * Events summed by stack, as a tree. Where a question is about tracks only,
 * blocks of events are read as they lie and summed here; all else SQL sums.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_SUMS_H
#define PROFDEPOT_EVENTS_EVENT_SUMS_H

#include "events/event_sql.h"
#include "events/event_tree.h"

struct db;

/* Adds to the tree, stacks in the order in which they came first. */
bool event_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct event_tree *t,
	struct error *err);

#endif
