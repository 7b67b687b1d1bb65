/*
 * Events that lie in blocks, counted and summed by track. Hosts, processes and
 * threads are tracks: what is asked by these alone need not unfold each event.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_TRACK_SUMS_H
#define PROFDEPOT_EVENTS_EVENT_TRACK_SUMS_H

#include "events/event_sql.h"

struct db;

/* In *out, in the arena; NULL: there are none, or SQL must read them. */
bool event_track_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, const struct event_track_sums **out, struct error *err);

#endif
