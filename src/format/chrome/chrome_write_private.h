/*
 * Writing a Chrome trace: events are put aside in a temporary file until all
 * are known, then written in the order of the trace that was loaded.
 *
 *	chrome_write.c		events of traces as they came, what stands around them
 *	chrome_write_spans.c	spans of other formats as events
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_WRITE_PRIVATE_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_WRITE_PRIVATE_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "model/source.h"

#include <stdio.h>
#include <sys/types.h>

enum {
	CHROME_WRITE_TEXT_MAX = 256 * 1024 * 1024 /* bytes of an event */
};

/* An event in the temporary file. */
struct kept_event {
	int64_t index; /* in the trace that was loaded; INT64_MAX: behind those */
	uint64_t number;
	off_t at;
	size_t size;
};

struct json_node;

struct chrome_writer {
	struct sink sink;
	struct source *source;
	struct arena scratch; /* of one call */
	struct arena arena;
	FILE *out, *kept;
	struct kept_event *events;
	size_t count, room;
	struct strbuf text;            /* an event as it is written */
	const struct json_node *trace; /* attributes of the result set; NULL: none */
	bool has_navigation;           /* the events tell of navigations themselves */
	bool has_frames;               /* and of the pages that tracing began with */
	bool has_spans;                /* of other formats */
	bool first;

	/* Of other formats' result sets. */
	int8_t *metrics; /* by number: power of ten from its unit to microseconds */
	size_t metric_room;
	struct text *routines; /* names */
	struct pair_map routine_map;
	size_t routine_count, routine_room;
};

/* Puts w->text aside. */
bool chrome_write_keep(struct chrome_writer *w, int64_t index, struct error *err);

/* Tells one part to these members. */
bool chrome_write_tell(struct chrome_writer *w, enum source_part part, int32_t track,
	const struct sink *members, struct error *err);
bool chrome_write_metric(struct sink *s, uint32_t set, const struct metric_row *row,
	metric_number *number, struct error *err);

/* Spans of a result set that was no Chrome trace. */
bool chrome_write_others(struct chrome_writer *w, int32_t track, struct error *err);

#endif
