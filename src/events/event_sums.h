/* Sums events by stack (as a tree) or by track. */
#ifndef PROFDEPOT_EVENTS_EVENT_SUMS_H
#define PROFDEPOT_EVENTS_EVENT_SUMS_H

#include "events/event_sql.h"
#include "events/event_tree.h"

struct db;

/* Adds the sums to the tree, in the order in which each stack first arrived. */
bool event_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct event_tree *t,
	struct error *err);

/* For each track, counts and sums the events that are stored in blocks; the results are in the arena. With these sums, a
 * query for hosts, processes and threads need not unnest the events. *known is false if SQL must
 * read the events or there are no blocks. */
bool event_track_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct event_track_sums *out, bool *known,
	struct error *err);

#endif
