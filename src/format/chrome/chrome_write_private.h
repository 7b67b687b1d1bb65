/*
 * The writer of Chrome traces. It collects events in a temporary file, and then writes them in the
 * order of the loaded trace.
 *
 *	chrome_write		writes the events and other members of a loaded trace
 *	chrome_write_spans	writes spans of other formats as events
 *	chrome_write_kept	stores the events in the temporary file
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_WRITE_PRIVATE_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_WRITE_PRIVATE_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "model/source.h"

#include <stdio.h>

/* Indexes of events that are not from the loaded trace. */
#define CHROME_BEFORE_ALL (-1)
#define CHROME_AFTER_ALL INT64_MAX

/* An event in the temporary file. */
struct kept_event {
	int64_t index; /* in the loaded trace, or CHROME_BEFORE_ALL or CHROME_AFTER_ALL */
	uint64_t number;
	int64_t at;
	size_t size;
};

struct json_node;

struct chrome_writer {
	struct sink sink;
	struct source *source;
	struct arena scratch; /* memory for one call */
	struct arena arena;
	FILE *out, *kept;
	struct json_writer json; /* writes to `kept` */
	struct kept_event *events;
	size_t count, room;
	int64_t kept_bytes;
	struct strbuf text;
	const struct json_node *trace; /* attributes of the result set; NULL if absent */
	bool has_navigation;           /* whether the events include navigations */
	bool has_frames;               /* whether the events include a list of the frames */
	bool has_spans;
	/* Used for spans of other formats. */
	int8_t *metrics; /* per metric: power of ten that converts its unit to microseconds */
	size_t metric_room;
	struct text *routines; /* names of the routines */
	struct pair_map routine_map;
	size_t routine_count, routine_room;
};

/* Ends the event that was written to w->json. `index` is its index in the loaded trace, or
 * CHROME_BEFORE_ALL or CHROME_AFTER_ALL. */
bool chrome_keep(struct chrome_writer *w, int64_t index, struct error *err);
/* Writes all events as the items of an array, one per line. */
bool chrome_write_kept(struct chrome_writer *w, struct error *err);

/* Reads one part of the source; passes its rows to the functions that are set in `members`. */
bool chrome_write_part(struct chrome_writer *w, enum source_part part, int32_t track,
	const struct sink *members, struct error *err);
bool chrome_write_metric(struct sink *s, uint32_t set, const struct metric_row *row,
	metric_number *number, struct error *err);
/* Writes the spans of a result set that was not loaded from a Chrome trace. */
bool chrome_write_others(struct chrome_writer *w, int32_t track, struct error *err);

#endif
