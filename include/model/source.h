/*
 * A source: the stored result sets that a format writer reads. It emits the rows of one part to a sink
 * that the writer provides. A writer may request a part several times.
 *
 * Stacks, objects and spans refer to routines, classes and threads by their REC_IDs. Stacks and
 * metrics have the depot's numbers. sink->stack and sink->metric receive these numbers in *number
 * and must not change them.
 */
#ifndef PROFDEPOT_MODEL_SOURCE_H
#define PROFDEPOT_MODEL_SOURCE_H

#include "model/sink.h"

/* The parts of a result set. The comments name the rows of each part and their order. */
enum source_part {
	SOURCE_SET,            /* set, metadata, metrics */
	SOURCE_ROUTINES,       /* routines, then their lines */
	SOURCE_CLASSES,        /* class names, then counters */
	SOURCE_TRACKS,         /* threads, then tracks, by id */
	SOURCE_STACKS,         /* by stack number */
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
	/* The format of the result set's input; NULL if the result set was written with SQL. */
	const char *(*format)(struct source *s, uint32_t set);
	/* Emits one part of one result set. Members of the sink may be NULL. `track` selects the samples
	 * and spans of one track. */
	bool (*emit)(struct source *s, uint32_t set, enum source_part part, int32_t track,
		struct sink *to, struct error *err);
};

#endif
