/*
 * Blocks of events as they are stored, read in PostgreSQL's binary format: unnesting them in SQL would
 * cost more than everything else.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_BLOCKS_H
#define PROFDEPOT_EVENTS_EVENT_BLOCKS_H

#include "base/error.h"
#include "base/text.h"
#include "events/event_sql.h"

struct db;

/* An array of integers in the binary format: a header, then each value after its length. */
struct event_array {
	const char *at, *end;
	size_t count;
};

/* Empty for NULL and for anything that is not an array. */
struct event_array event_array_open(struct text t);
/* False: the value is NULL, or there are no more. */
bool event_array_next(struct event_array *a, int64_t *v);
/* A bigint or an integer. */
int64_t event_binary_int(struct text t);
/* An integer in the text format; 0 if it is not one. */
int64_t event_text_int(struct text t);

/* Bits: which parts of each event to read. */
enum event_parts {
	EVENT_STACKS = 1,
	EVENT_WEIGHTS = 2,
	EVENT_TRACKS = 4,
};

/* A block of consecutive events. */
struct event_block {
	int64_t inst_id, first_id;
	size_t count;
	bool plain; /* each event has a weight, a whole number */
	struct event_array stacks, weights;
	struct event_array tracks; /* one for the block, or one per event */
};

/* The track of event i. Call it for each event in turn, with *track from the call before. */
static inline void
event_block_track(struct event_block *b, size_t i, int64_t *track)
{
	if (i < b->tracks.count)
		(void)event_array_next(&b->tracks, track);
}

typedef bool event_block_fn(void *self, struct event_block *b, struct error *err);

/* Calls `each` for every block of the result sets. `parts`: enum event_parts. */
bool event_blocks_each(struct db *db, const struct event_sets *sets, unsigned parts,
	event_block_fn *each, void *self, struct error *err);

#endif
