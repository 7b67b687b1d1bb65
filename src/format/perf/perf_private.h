/*
 * Lines of perf script output, with any fields (-F).
 *
 * A sample begins with a header:
 *
 *	COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: REST
 *
 * Any part may be missing, except that the time or the event must be present. COMM may contain
 * blanks and numbers. REST is the frame of a sample without a call chain, or a tracepoint's fields.
 * The frames follow, innermost first:
 *
 *	ADDRESS SYMBOL+0xOFFSET (DSO+0xOFFSET)
 *
 * With srcline, each frame is followed by its source line:
 *
 *	  FILE:LINE (inlined)
 */
#ifndef PROFDEPOT_FORMAT_PERF_PERF_PRIVATE_H
#define PROFDEPOT_FORMAT_PERF_PERF_PRIVATE_H

#include "base/array.h"
#include "base/decimal.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "format/common/frame_dictionary.h"
#include "format/common/members.h"
#include "perf_map.h"

enum {
	PERF_LINE_MAX_BYTES = 1024 * 1024,
	PERF_METRIC_NAME_BYTES = 64,
	PERF_ATTRIBUTES_MAX_BYTES = 8 * PERF_LINE_MAX_BYTES, /* JSON escapes make lines longer */
	PERF_MAX_EVENTS = 24, /* the first has up to 3 metrics, others 2; a set can have 61 */
	PERF_MAX_STREAMS = 1024 * 1024,
};

/* All texts point into the line. */
struct perf_header {
	struct text comm;    /* empty if absent */
	int64_t pid, tid;    /* MODEL_NULL if absent */
	int64_t cpu;         /* MODEL_NULL if absent */
	struct decimal time; /* seconds; DECIMAL_NULL if absent */
	struct decimal period;
	struct text event; /* empty if absent */
	struct text rest;  /* REST without surrounding blanks */
};

struct perf_frame {
	struct text symbol; /* without the offset; perf writes "[unknown]" for an unknown symbol */
	struct text dso;    /* without the offset; "inlined" for an inlined frame */
	uint64_t address;
	uint64_t offset; /* offset in the DSO; 0 if it is not printed */
};

/* A source line, which belongs to the frame on the preceding line. */
struct perf_source {
	struct text file; /* NULL if unknown */
	int64_t line;     /* 0 if unknown */
	bool inlined;
};

struct perf_event {
	struct text name; /* in the arena */
	char metric_name[PERF_METRIC_NAME_BYTES];
	bool has_period;
	bool has_weights;     /* whether at least one stream has two samples with a time */
	metric_number metric; /* first of the metrics: seconds (if has_weights), samples, period */
};

/* The samples of one event in one thread. A thread with several names has a stream for each
 * name. */
struct perf_stream {
	struct text comm; /* in the arena */
	int64_t pid, tid;
	uint32_t event;
	uint64_t timed; /* number of samples that have a time */
	struct decimal first, last;
	int64_t thread; /* ID of the thread */
	int32_t track;  /* 0 if the event has no metric */

	/* The latest sample. It waits until the time of the next sample is known, and is then
	 * emitted. */
	bool waits;
	struct decimal before, at, period; /* `before` is DECIMAL_NULL for the first sample */
	stack_number stack;
	struct strbuf attributes; /* the waiting sample's attributes */
};

struct perf_file {
	struct reader *in;
	struct arena arena;

	/* Set in the first pass. */
	struct perf_event *events;
	size_t event_count, event_room;
	struct perf_stream *streams;
	size_t stream_count, stream_room;
	struct pair_map event_by_name, stream_by_key, thread_by_key;
	struct perf_map map;
	size_t header_count;
	bool has_sources; /* whether frames have source lines */

	/* The sample being read. */
	bool open;
	struct perf_header header;
	uint32_t stream;
	struct strbuf fields; /* a copy of header.rest */
	struct frame_dictionary *frames;
	bool holds; /* whether a frame waits for its source line */
	struct perf_frame held;
	struct strbuf held_texts;
	struct line header_line;
	struct strbuf name;
};

enum perf_line {
	PERF_BLANK,
	PERF_COMMENT,
	PERF_HEADER,
	PERF_FRAME,
	PERF_SOURCE,
	PERF_OTHER,
};

/* Returns false if the line is not a header. */
bool perf_parse_header(struct text line, struct perf_header *out);

/* Parses a header that has only COMM and PID. Any text followed by a number looks like such a header,
 * so call this function only for lines between samples. */
bool perf_parse_bare_header(struct text line, struct perf_header *out);

bool perf_parse_frame(struct text line, struct perf_frame *out);

/* Parses a source line. Call it only for a line after a frame. */
bool perf_parse_source(struct text line, struct perf_source *out);

/* The kind of a line. `inside` is true after the header of a sample. */
enum perf_line perf_classify(
	struct text line, bool inside, struct perf_header *header, struct perf_frame *frame);

/* Finds the stream that a header belongs to. */
bool perf_stream_of(struct perf_file *p, const struct perf_header *h, uint32_t *stream);

/* The first pass: emits metrics, threads and tracks. */
bool perf_survey(struct perf_file *p);

#endif
