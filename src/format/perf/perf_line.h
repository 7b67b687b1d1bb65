/*
 * Lines of perf script, with whatever -F asked for.
 *
 * A sample begins with a header:
 *
 *	COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: REST
 *
 * Any part may be missing, but not both time and event. COMM may contain blanks and numbers. REST
 * is the frame of a sample without call chain, or a tracepoint's fields. Frames follow, innermost
 * first:
 *
 *	ADDRESS SYMBOL+0xOFFSET (DSO+0xOFFSET)
 *
 * With srcline, each frame is followed by its source line:
 *
 *	  FILE:LINE (inlined)
 */
#ifndef PROFDEPOT_FORMAT_PERF_PERF_LINE_H
#define PROFDEPOT_FORMAT_PERF_PERF_LINE_H

#include "base/decimal.h"
#include "base/text.h"

#include <stdint.h>

/* All texts borrow the line. */
struct perf_header {
	struct text comm;    /* empty if absent */
	int64_t pid, tid;    /* MODEL_NULL if absent */
	int64_t cpu;         /* MODEL_NULL if absent */
	struct decimal time; /* seconds; DECIMAL_NULL if absent */
	struct decimal period;
	struct text event; /* empty if absent */
	struct text rest;  /* trimmed */
};

struct perf_frame {
	struct text symbol; /* without its offset; perf writes "[unknown]" */
	struct text dso;    /* without its offset; "inlined" for an inlined frame */
};

/* The source line of the frame above it. */
struct perf_source {
	struct text file; /* NULL if perf does not know it */
	int64_t line;     /* 0 if unknown */
	bool inlined;
};

/* False if the line is not a header. */
bool perf_parse_header(struct text line, struct perf_header *out);

/* A header with COMM and PID only. Any text followed by a number looks like one: only its place
 * between samples shows that it is. */
bool perf_parse_bare_header(struct text line, struct perf_header *out);

bool perf_parse_frame(struct text line, struct perf_frame *out);

/* Only a line below a frame is one. */
bool perf_parse_source(struct text line, struct perf_source *out);

#endif
