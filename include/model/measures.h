/*
 * Metrics, tracks, samples and spans, as a reader emits them to a sink. Texts are borrowed for the
 * call.
 */
#ifndef PROFDEPOT_MODEL_MEASURES_H
#define PROFDEPOT_MODEL_MEASURES_H

#include "base/decimal.h"
#include "model/rows.h"

/* The kind of fact that a metric measures: a sample's weight, a span's time, an object's size. */
enum metric_family {
	METRIC_OF_OBJECTS,
	METRIC_OF_ERRORS,
	METRIC_OF_SAMPLES,
	METRIC_OF_SPANS,
	METRIC_FAMILIES
};

/*
 * The metrics "live_count", "live_size" and "errors" of objects and errors exist without being
 * emitted. A name is [a-z][a-z0-9_]*, unique in its set. Units: count, bytes, nanoseconds,
 * microseconds, milliseconds, seconds or none, as in speedscope.
 */
struct metric_row {
	enum metric_family family;
	struct text name;
	struct text unit;
	struct text title; /* for people */
};

/* A metric's number within its result set; the sink numbers metrics in order. */
typedef int32_t metric_number;

/* What samples and spans belong to: a thread, a profile, a page. */
struct track_row {
	int32_t id;       /* dense from 1 */
	const char *kind; /* thread, profile, process ... */
	struct text name;
	struct text source_id; /* the producer's own key, such as a profile's Id */
	struct text category;  /* for events: the catalogue's name */
	struct text host, user_name, process_name;
	int64_t process_id, thread_id; /* MODEL_NULL if unknown */
	metric_number metric; /* of its spans, or the first of its samples' values; 0 if absent */
	struct decimal start, duration; /* on the track's own clock, in the metric's unit */
	int64_t started_us;             /* Unix time in microseconds, UTC; MODEL_NULL if unknown */
	struct text attributes;         /* JSON object of what no column holds; NULL if empty */
};

/* A weighted stack. Samples are numbered from 1 in the order of the calls. */
struct sample_row {
	int32_t track;
	stack_number stack;
	struct decimal at;    /* on the track's clock; NULL without a time */
	metric_number metric; /* of values[0]; the metric of values[k] is metric + k */
	const struct decimal *values;
	size_t value_count; /* at least 1 */
	struct text attributes;
};

/* A node of the result set's call tree, numbered by the sink; 0 means no path. */
typedef uint32_t path_number;

/* An interval, or an instant with duration 0. */
struct span_row {
	int64_t id, parent_id; /* parent_id may be MODEL_NULL */
	int32_t track;
	metric_number metric; /* of its duration */
	const char *kind;     /* step, call, client, measure, mark, console, stamp, event ... */
	struct text name;
	int64_t routine_id; /* rec_id; MODEL_NULL if absent */
	path_number path;   /* where its duration counts in the call tree; 0 for nowhere */
	stack_number stack;
	struct decimal start, duration; /* NULL if unknown */
	struct decimal first_fetch;
	struct text source_id, category, execute_type, command;
	int errored;            /* 0 or 1; -1 if unknown */
	struct text attributes; /* JSON object of what no column holds; NULL if empty */
};

/* A plain call of a routine: the span of evented profiles, of kind "frame", stored in blocks. */
struct frame_row {
	int64_t id, parent_id; /* id dense from 1; parent_id may be MODEL_NULL */
	int32_t track;
	metric_number metric;
	int64_t routine_id;
	path_number path;
	struct decimal start, stop;
};

/*
 * A row of a call graph: the cost of a routine's line by itself ("self") or by calls of another
 * routine ("call", with the cost inside it), or how often it jumps from there ("jump", "conditional
 * jump").
 */
struct graph_row {
	int64_t id; /* dense from 1 */
	const char *kind;
	int64_t routine_id;      /* rec_id */
	struct text source_file; /* of the line; NULL if unknown */
	int64_t line;            /* MODEL_NULL if unknown */
	int64_t target_id;       /* rec_id of the called routine; MODEL_NULL if absent */
	int64_t target_line;     /* MODEL_NULL if unknown */
	struct decimal count;    /* calls or jumps; NULL if absent */
	struct decimal followed; /* of a conditional jump's count; NULL if absent */
	metric_number metric;    /* of values[0]; the metric of values[k] is metric + k */
	const struct decimal *values;
	size_t value_count; /* 0 for a jump */
};

#endif
