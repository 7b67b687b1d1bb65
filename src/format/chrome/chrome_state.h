/*
 * The state of the Chrome trace reader.
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_STATE_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_STATE_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "chrome_timing.h"
#include "format/common/emit.h"
#include "format/common/frame_dictionary.h"
#include "format/common/text_table.h"
#include "input/json/json_reader.h"

struct chrome_track {
	struct text pid, tid; /* as JSON */
	int64_t process_id, thread_id;
	struct text name; /* from thread_name; NULL if absent */
	uint32_t process; /* index */
	int64_t named;    /* position of the thread_name event; 0 if absent */
	bool hidden;      /* DevTools' thread list does not show it */
	/* IDs of the tracks, one per metric; 0 until the track is emitted. */
	int32_t id, event_id, async_id;
};

struct chrome_process {
	struct text pid, name;
	int64_t named;        /* position of the process_name event; 0 if absent */
	int64_t thread_named; /* position of the first thread_name event */
};

struct chrome_navigation {
	struct text id, frame, url; /* NULL if absent */
	struct text ts, pid;        /* as JSON */
	bool hidden;
};

struct chrome_bounds {
	double min, max, started;
	bool any, has_started, broken;
};

struct chrome_calls;
struct chrome_profiles;

struct chrome {
	struct reader *in;
	struct arena arena;   /* kept until the whole file has been read */
	struct arena scratch; /* kept until the current event has been processed */
	char *window;         /* bytes of the file, for events that are read again */
	uint64_t window_at;
	size_t window_size, window_room;

	struct json_reader *json;
	bool array_form;
	bool unclosed, trailing_comma;
	uint64_t unclosed_at, trailing_comma_at, bad_utf8_at;
	uint64_t bad_utf8;
	uint64_t events; /* number of elements in the event array */
	unsigned refusals;

	struct chrome_timing *timings;
	size_t timing_count, timing_room;
	uint32_t *instants;
	size_t instant_count, instant_room;
	struct chrome_span *spans;
	size_t span_count, span_room;
	struct text_table strings;
	struct frame_dictionary *frames;

	struct chrome_track *tracks;
	size_t track_count, track_room;
	struct chrome_process *processes;
	size_t process_count, process_room;
	struct chrome_navigation *navigations;
	size_t navigation_count, navigation_room;
	struct pair_map track_map, process_map, frame_map, navigation_map;
	struct chrome_bounds bounds;
	struct strbuf others;     /* other members of the top-level object */
	struct text application;  /* the program that wrote the trace */
	int32_t last_track;       /* ID of the last emitted track */
	struct strbuf attributes; /* the current span's attributes */
	metric_number metric;
	int64_t last_id;                  /* last span ID */
	struct chrome_calls *calls;       /* for --events all; NULL if only user timings are read */
	struct chrome_profiles *profiles; /* NULL before the first CPU profile */
	double lasted;                    /* sum of all durations */
	uint64_t too_long;                /* number of omitted durations */
	bool took_timing;                 /* whether the last event was a user timing */
};

#endif
