/*
 * User timings in the Chrome trace reader, as events and as spans.
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_TIMING_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_TIMING_H

#include "model/measures.h"

#include <stdbool.h>

enum {
	CHROME_MAX_TIMINGS = 5 * 1000 * 1000,
	CHROME_MAX_CALLS = 32 * 1000 * 1000,
	CHROME_MAX_EVENT_BYTES = 16 * 1024 * 1024, /* limit for an event that is read completely */
	CHROME_MAX_NAME_BYTES = 16 * 1024 * 1024,
	CHROME_MAX_TRACKS = 1000 * 1000,
	CHROME_ATTRIBUTES_MAX_BYTES = 256 * 1024 * 1024, /* limit per row */
};

/* An index that means "no item". It is a macro, because in C11 an enumerator cannot exceed INT_MAX. */
#define CHROME_NONE UINT32_MAX

enum chrome_kind {
	CHROME_MARK,
	CHROME_MEASURE,
	CHROME_CONSOLE,
	CHROME_STAMP,
	CHROME_MEASURE_CALL,
	CHROME_KINDS
};

/* Reasons why DevTools does not show a timing: code, name in the depot, text for messages. */
#define CHROME_LOST_TABLE(X) \
	X(CHROME_IGNORED_NAME, "ignored-name", "with the name of one of Chrome's own timings") \
	X(CHROME_OWN, "chrome-own", "written by Chrome for a navigation or resource") \
	X(CHROME_CATEGORY_LIST, "category-list", "in a list of categories") \
	X(CHROME_OTHER_PHASE, "phase", "with the phase i") \
	X(CHROME_OLD_PHASE, "old-phase", "begun or ended with a phase from before 2013") \
	X(CHROME_NO_ID, "no-id", "without id") \
	X(CHROME_NO_ARGS, "no-args", "without args") \
	X(CHROME_ZERO_LENGTH, "zero-length", "written as one instant event") \
	X(CHROME_NEVER_ENDED, "never-ended", "begun and never ended") \
	X(CHROME_NEVER_BEGUN, "never-begun", "ended and never begun") \
	X(CHROME_NEGATIVE, "negative", "ended before they began") \
	X(CHROME_REPEATED, "repeated", "with a repeated traceId")

enum chrome_lost {
	CHROME_SHOWN,
#define CHROME_LOST_ENUM(code, name, title) code,
	CHROME_LOST_TABLE(CHROME_LOST_ENUM)
#undef CHROME_LOST_ENUM
	CHROME_LOST_REASONS
};

/* Reasons why DevTools refuses the whole file. */
enum chrome_refusal {
	CHROME_BAD_JSON = 1 << 0,
	CHROME_NON_OBJECT = 1 << 1,
	CHROME_NAMELESS = 1 << 2,
	CHROME_NO_FRAMES = 1 << 3,
	CHROME_TIMING_NO_ARGS = 1 << 4,
};
enum {
	CHROME_REFUSALS = 5
};

enum chrome_payload {
	CHROME_NO_PAYLOAD,
	CHROME_MARKER,
	CHROME_ENTRY,
	CHROME_LINK, /* only a url and a description */
	CHROME_SYNTHETIC_STAMP,
};

/* The interval of a console.timeStamp. */
struct chrome_stamp {
	double start, end;               /* the interval, as the sort key */
	double start_value, end_value;   /* the start and the end, if they are numbers */
	uint32_t start_label, end_label; /* the same, if they are labels of other stamps */
	bool start_number, end_number;
	bool has_data, has_interval;
};

/* A user timing event with all its members. Times are doubles, as in JavaScript. */
struct chrome_timing {
	uint64_t offset;
	uint32_t size;
	uint32_t index;     /* index in the event array */
	uint32_t key;       /* for pairing: the id or a call's traceId; CHROME_NONE if absent */
	uint32_t track;     /* the thread, as an index into chrome->tracks */
	uint32_t label;     /* for a stamp: interned name, or message if it has no name */
	uint32_t tie_track; /* interned track; it orders timings with equal intervals */
	/* Interned texts from an extension payload. `grouped` is false if JavaScript considers the
	 * group false, as it does for an empty text. */
	uint32_t entry_group, entry_track;
	bool grouped;
	double ts, dur;                   /* 0 if they are not numbers */
	const struct chrome_stamp *stamp; /* NULL if it is not a stamp */
	enum chrome_kind kind;
	enum chrome_lost lost; /* reason that follows from this event alone */
	enum chrome_payload payload;
	char ph;
};

/* A span: one event, or a pair. */
struct chrome_span {
	uint32_t begin, end;     /* timings; CHROME_NONE if absent */
	uint32_t instant, count; /* `count` instants from chrome->instants[instant], newest first */
	enum chrome_kind kind;
	enum chrome_lost lost;
	enum chrome_payload payload;
	double ts, end_ts; /* the interval, as the sort key */
	uint32_t emitted;  /* position in the order in which the pairing made the spans */
	int64_t order;     /* position in DevTools' list of its kind, from 1; 0 if not listed */
	/* Set only for custom tracks and markers, which are called entries. */
	double entry_ts, entry_dur, self; /* NaN if absent */
	int64_t entry_order;
	uint32_t entry_depth;
	bool has_tree;
	int64_t id;
	uint32_t parent; /* index of the parent span, or CHROME_NONE */
	path_number path;
	bool path_wanted;
	bool crosses; /* see format/common/nesting.h */
};

#endif
