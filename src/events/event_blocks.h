/* Blocks of events as they lie, read in binary: unfolding them in SQL costs more than all else. */
#ifndef PROFDEPOT_EVENTS_EVENT_BLOCKS_H
#define PROFDEPOT_EVENTS_EVENT_BLOCKS_H

#include "base/error.h"
#include "base/text.h"
#include "events/event_sql.h"

struct db;

/* Integers as the server sends an array of them: a header, then length and value of each. */
struct event_array {
	const char *at, *end;
	size_t count;
};

/* NULL and whatever else is none: an empty one. */
struct event_array event_array_open(struct text t);
/* False: NULL, or no more. */
bool event_array_next(struct event_array *a, int64_t *v);
/* A bigint or an integer. */
int64_t event_binary_int(struct text t);

/* What is asked for of each event, bits. */
enum event_parts {
	EVENT_STACKS = 1,
	EVENT_WEIGHTS = 2,
	EVENT_TRACKS = 4,
};

/* A block of consecutive events. */
struct event_block {
	int64_t inst_id, first_id;
	size_t count;
	bool plain; /* weights are whole numbers, one an event */
	struct event_array stacks, weights;
	struct event_array tracks; /* one for all, or one an event */
};

/* The track of the i-th event, asked in turn from 0; *track: of the one before. */
static inline void
event_block_track(struct event_block *b, size_t i, int64_t *track)
{
	if (i < b->tracks.count)
		(void)event_array_next(&b->tracks, track);
}

typedef bool event_block_fn(void *self, struct event_block *b, struct error *err);

/* Each block of the result sets. */
bool event_blocks_each(struct db *db, const struct event_sets *sets, unsigned parts,
	event_block_fn *each, void *self, struct error *err);

#endif
