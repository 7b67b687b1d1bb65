/*
 * Events in blocks, counted and summed by track. A query that needs only hosts, processes and threads
 * (the tracks) need not unnest the events.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_TRACK_SUMS_H
#define PROFDEPOT_EVENTS_EVENT_TRACK_SUMS_H

#include "events/event_sql.h"

struct db;

/* The sums, in the arena. *known is false if SQL must read the events, or there are no blocks. */
bool event_track_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct event_track_sums *out, bool *known,
	struct error *err);

#endif
