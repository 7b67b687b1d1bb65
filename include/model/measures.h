/*
 * The rows of metrics, tracks, samples and spans that a reader emits to a sink. The sink borrows the texts
 * of a row during the call.
 */
#ifndef PROFDEPOT_MODEL_MEASURES_H
#define PROFDEPOT_MODEL_MEASURES_H

#include "base/decimal.h"
#include "model/rows.h"

/* The kind of facts that a metric measures. */
enum metric_family {
	METRIC_OF_OBJECTS,
	METRIC_OF_ERRORS,
	METRIC_OF_SAMPLES,
	METRIC_OF_SPANS,
	METRIC_OF_GAUGES, /* samples over time, without stacks; never added up */
	METRIC_FAMILIES
};

/*
 * The metrics "live_count", "live_size" and "errors" always exist and are not emitted. A name matches
 * [a-z][a-z0-9_]* and is unique in its set. Units are "count" and speedscope's units: "bytes",
 * "nanoseconds", "microseconds", "milliseconds", "seconds" and "none".
 */
struct metric_row {
	enum metric_family family;
	struct text name;
	struct text unit;
	struct text title; /* name for display */
	/* how a gauge is reduced to one value per run: max, last or mean; NULL for other metrics */
	struct text aggregate;
};

/* A metric's number within its result set. Metrics are numbered in the order in which the reader emits them. */
typedef int32_t metric_number;

/* A track, such as a thread, a profile or a page. Every sample and span belongs to one. */
struct track_row {
	int32_t id;       /* consecutive from 1 */
	const char *kind; /* thread, profile, process ... */
	struct text name;
	struct text source_id; /* the producer's own key, such as a profile's Id */
	struct text category;  /* event tracks only: the name in the catalogue */
	struct text host, user_name, process_name;
	int64_t process_id, thread_id; /* MODEL_NULL if unknown */
	metric_number metric; /* of its spans, or of values[0] of its samples; 0 if absent */
	struct decimal start, duration; /* on the track's own clock, in the metric's unit */
	int64_t started_us;             /* Unix time in microseconds, UTC; MODEL_NULL if unknown */
	struct text attributes; /* JSON object with values that have no column; NULL if empty */
};

/* A weighted stack. Samples are numbered from 1 in the order in which the reader emits them. */
struct sample_row {
	int32_t track;
	stack_number stack;
	struct decimal at;    /* on the track's clock; NULL if unknown */
	metric_number metric; /* metric of values[0]; values[k] has metric + k */
	const struct decimal *values;
	size_t value_count; /* at least 1 */
	struct text attributes;
};

/* A node's number in the result set's call tree, assigned by the sink; 0 means no path. */
typedef uint32_t path_number;

/* If a row has this path, the sink derives the actual path from the parent and the routine. A reader uses
 * this value for all spans and frames of a result set, or does not use it at all. */
#define PATH_OF_PARENT UINT32_MAX

/* An interval, or an instant with duration 0. */
struct span_row {
	int64_t id, parent_id; /* parent_id may be MODEL_NULL */
	int32_t track;
	metric_number metric; /* metric of its duration */
	const char *kind;     /* step, call, client, measure, mark, console, stamp, event ... */
	struct text name;
	int64_t routine_id; /* rec_id; MODEL_NULL if absent */
	path_number path;   /* its node in the call tree; 0 if it has no node */
	stack_number stack;
	struct decimal start, duration; /* NULL if unknown */
	struct decimal first_fetch;
	struct text source_id, category, execute_type, command;
	int errored;            /* 0 or 1; -1 if unknown */
	struct text attributes; /* JSON object with values that have no column; NULL if empty */
};

/* A call of a routine in an evented profile: a span of kind "frame" that is stored in blocks. */
struct frame_row {
	int64_t id, parent_id; /* id is consecutive from 1; parent_id may be MODEL_NULL */
	int32_t track;
	metric_number metric;
	int64_t routine_id;
	path_number path;
	struct decimal start, stop;
};

/*
 * A row of a call graph. It describes one line of a routine. Its kind is one of:
 *	self			the cost of the line, without the calls that it makes
 *	call			the calls from the line to another routine, and their inclusive cost
 *	jump, conditional jump	the number of jumps from the line
 */
struct graph_row {
	int64_t id; /* consecutive from 1 */
	const char *kind;
	int64_t routine_id;      /* rec_id */
	struct text source_file; /* file that contains the line; NULL if unknown */
	int64_t line;            /* MODEL_NULL if unknown */
	int64_t target_id;       /* rec_id of the called routine; MODEL_NULL if absent */
	int64_t target_line;     /* MODEL_NULL if unknown */
	struct decimal count;    /* calls or jumps; NULL if absent */
	struct decimal
		followed;     /* how many of `count` conditional jumps were taken; NULL if absent */
	metric_number metric; /* metric of values[0]; values[k] has metric + k */
	const struct decimal *values;
	size_t value_count; /* 0 for a jump */
};

#endif
