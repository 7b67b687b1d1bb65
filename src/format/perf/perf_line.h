/*
 * Lines of perf script, whatever -F asked for.
 *
 * A sample begins with a header,
 *
 *	COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: REST
 *
 * of which any part may be missing, but not time and event both. COMM may have
 * blanks and numbers in it. Of a sample without call chain REST is its frame;
 * of a tracepoint it is the event's fields. Frames follow, the innermost first,
 *
 *	ADDRESS SYMBOL+0xOFFSET (DSO+0xOFFSET)
 *
 * each with its source line below when srcline was asked for,
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
	struct text comm;    /* empty: not said */
	int64_t pid, tid;    /* MODEL_NULL: not said */
	int64_t cpu;         /* MODEL_NULL: not said */
	struct decimal time; /* seconds; NULL: not said */
	struct decimal period;
	struct text event; /* empty: not said */
	struct text rest;  /* trimmed */
};

struct perf_frame {
	struct text symbol; /* without its offset; "[unknown]" as told */
	struct text dso;    /* without its offset; "inlined" of a frame that was inlined */
};

/* What srcline says of the frame above it. */
struct perf_source {
	struct text file; /* NULL: not known, and something else stands in its place */
	int64_t line;     /* 0: not known */
	bool inlined;
};

/* False when the line is no header. */
bool perf_parse_header(struct text line, struct perf_header *out);

/* A header of which only comm and pid were asked for; any text with a number
 * behind it is one, so that only its place tells. */
bool perf_parse_bare_header(struct text line, struct perf_header *out);

bool perf_parse_frame(struct text line, struct perf_frame *out);

/* Counts only below a frame. */
bool perf_parse_source(struct text line, struct perf_source *out);

#endif
