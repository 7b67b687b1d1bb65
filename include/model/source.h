/*
 * A source: stored result sets as a format writer sees them. It emits the rows of one part to a
 * sink, as often as asked; the writer is that sink and knows no table.
 *
 * Routine, class and thread rows carry the REC_IDs that stacks, objects and spans name. Stack
 * and metric numbers are the depot's: sink->stack and sink->metric receive them in *number and
 * leave it unchanged.
 */
#ifndef PROFDEPOT_MODEL_SOURCE_H
#define PROFDEPOT_MODEL_SOURCE_H

#include "model/sink.h"

enum source_part {
	SOURCE_SET,            /* set, metadata, metrics */
	SOURCE_ROUTINES,       /* routines, then their lines */
	SOURCE_CLASSES,        /* class names, then counters */
	SOURCE_TRACKS,         /* threads, then tracks, by id */
	SOURCE_STACKS,         /* by number */
	SOURCE_OBJECTS,        /* by id */
	SOURCE_ERRORS,         /* by id */
	SOURCE_SAMPLES,        /* by id */
	SOURCE_SPANS,          /* span and frame rows, by track and id; path is 0 */
	SOURCE_FURTHER_STACKS, /* by owner, after the errors and objects */
	SOURCE_SUPPRESSIONS,   /* by id */
	SOURCE_GRAPH,          /* by id */
	SOURCE_PARTS
};

enum {
	SOURCE_EVERY_TRACK = 0
};

struct source {
	uint32_t set_count;
	/* The format the result set was loaded from; NULL if SQL wrote it. */
	const char *(*format)(struct source *s, uint32_t set);
	/* Emits one part of one result set; skips the sink's members that are NULL. `track`
	 * selects the samples and spans of one track. */
	bool (*emit)(struct source *s, uint32_t set, enum source_part part, int32_t track,
		struct sink *to, struct error *err);
};

#endif
