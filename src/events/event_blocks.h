/*
 * Reads stored event blocks in PostgreSQL's binary format. If SQL unnested the blocks, this step would
 * take longer than the rest of a query.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_BLOCKS_H
#define PROFDEPOT_EVENTS_EVENT_BLOCKS_H

#include "base/error.h"
#include "base/text.h"
#include "events/event_sql.h"

struct db;

/* An array of integers in the binary format. A header is followed by the values, each preceded by
 * its length. */
struct event_array {
	const char *at, *end;
	size_t count;
};

/* Opens an array. The result is empty if t is NULL or not an array. */
struct event_array event_array_open(struct text t);
/* Reads the next value. Returns false if the value is NULL or there are no more values. */
bool event_array_next(struct event_array *a, int64_t *v);
/* Reads a bigint or an integer. */
int64_t event_binary_int(struct text t);
/* Reads an integer in the text format; 0 if the text is not an integer. */
int64_t event_text_int(struct text t);

/* Bits that select which parts of each event to read. */
enum event_parts {
	EVENT_STACKS = 1,
	EVENT_WEIGHTS = 2,
	EVENT_TRACKS = 4,
};

/* A block of consecutive events. */
struct event_block {
	int64_t inst_id, first_id;
	size_t count;
	bool plain; /* true if each event has an integer weight */
	struct event_array stacks, weights;
	struct event_array tracks; /* one element for the whole block, or one per event */
};

/* Sets *track to the track of event i. Call it for all events in order. *track must still have the
 * value from the previous call. */
static inline void
event_block_track(struct event_block *b, size_t i, int64_t *track)
{
	if (i < b->tracks.count)
		(void)event_array_next(&b->tracks, track);
}

typedef bool event_block_fn(void *self, struct event_block *b, struct error *err);

/* Calls `each` for every block of the result sets. `parts` has bits of enum event_parts. */
bool event_blocks_each(struct db *db, const struct event_sets *sets, unsigned parts,
	event_block_fn *each, void *self, struct error *err);

#endif
