/* Events summed by stack, as a tree. */
#ifndef PROFDEPOT_EVENTS_EVENT_SUMS_H
#define PROFDEPOT_EVENTS_EVENT_SUMS_H

#include "events/event_sql.h"
#include "events/event_tree.h"

struct db;

/* Adds the sums to the tree, in the order in which the stacks first arrived. */
bool event_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct event_tree *t,
	struct error *err);

#endif
