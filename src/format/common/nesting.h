/*
 * Nests the intervals of a track by their times.
 *
 * The parent of an interval is the innermost interval that contains it. Of intervals that start together,
 * the longer one contains the shorter one; of equal intervals, the first one in the file contains
 * the others. An interval without a length or an end keeps its place among the begin and end events
 * of the file. An interval without an end ends together with the interval that contains it.
 *
 * An interval crosses an earlier one if they overlap and neither contains the other. The later interval begins a branch
 * of its own in the call tree, so that the intervals directly below a node of the tree never add up to more than the
 * node.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_NESTING_H
#define PROFDEPOT_FORMAT_COMMON_NESTING_H

#include "base/decimal.h"

#define NEST_NONE UINT32_MAX

struct nest_span {
	wide_int start, end; /* end is at least start, or WIDE_MAX if unknown */
	uint32_t place;      /* place of the interval, or of its begin event, in the file */
	uint32_t ended;      /* place of its end event; 0 if the interval has no end event */
	uint32_t item;       /* used only by the caller */
};

/* Sorts intervals that all have the same start, for nest_add. */
void nest_sort(struct nest_span *spans, size_t count);

/* The interval that was added last, and the intervals that contain it. The outermost interval comes
 * first. */
struct nest {
	struct nest_span *open;
	size_t depth, room;
};

void nest_release(struct nest *n);
/* Adds the next interval. Intervals must be added in the order of their starts. Returns the item of
 * the interval that contains the new one, or NEST_NONE. */
uint32_t nest_add(struct nest *n, const struct nest_span *span, bool *crosses);

/* Finds the begin event for each end event. A key is a number below key_count, such as the number
 * of a name. */
struct nest_begins {
	struct nest_begin *open;
	size_t count, room;
	size_t *newest; /* for each key: 1 + the index of its newest open begin event */
};

void nest_begins_init(struct nest_begins *b, size_t key_count);
void nest_begins_release(struct nest_begins *b);
void nest_begins_add(struct nest_begins *b, uint32_t key, uint32_t item);
/* Ends the newest open begin event with the key, or with any key if the key is NEST_NONE. Returns its
 * item, or NEST_NONE if there is no such event. */
uint32_t nest_begins_end(struct nest_begins *b, uint32_t key);
/* Like nest_begins_end, but the event stays open. */
uint32_t nest_begins_find(const struct nest_begins *b, uint32_t key);
/* Forgets the open begin events. */
void nest_begins_clear(struct nest_begins *b);

#endif
