/*
 * Reads the recordings that KDE heaptrack 1.0 and later writes (libheaptrack.cpp and
 * heaptrack_interpret.cpp), in file formats 1 to 3. Each line begins with a letter or a sign; numbers are hex.
 *
 *	v VERSION FORMAT	heaptrack's version and the file format
 *	X COMMAND, A, I PAGESIZE PAGES, S leak:PATTERN
 *	s [LENGTH] STRING	number 1, 2 ...; LENGTH since format 3
 *	i IP MODULE [FUNCTION FILE LINE]...	innermost inlined function first; MODULE, FUNCTION
 *				and FILE are string numbers; 0 is unknown
 *	t IP PARENT		a call, and its caller's number from 1; 0 is no caller
 *	a SIZE TRACE		kind 0, 1 ...: allocations of SIZE bytes at a trace
 *	+ A, - A		an allocation, a release of that kind
 *	c MS, R PAGES		time since the start, resident set
 *
 * Raw recordings have x EXE, m MODULE ADDRESS [OFFSET SIZE]..., t ADDRESS PARENT, + SIZE TRACE
 * POINTER and - POINTER instead of i, a, + and -.
 */
#ifndef PROFDEPOT_FORMAT_HEAPTRACK_HEAPTRACK_PRIVATE_H
#define PROFDEPOT_FORMAT_HEAPTRACK_HEAPTRACK_PRIVATE_H

#include "base/arena.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"

/* An info: the allocations of one size at one trace. A new peak does not update all infos. Instead, the first
 * change of an info after a peak copies the old number of live blocks to peak_live. */
struct heaptrack_info {
	uint64_t size;
	uint64_t live, allocations, temporary;
	uint64_t peak_live; /* live blocks at peak number `epoch` */
	uint64_t epoch;
	uint32_t trace, site;
};

/* All allocations at one trace, summed at the end. */
struct heaptrack_site {
	uint32_t trace;
	stack_number stack;
	size_t depth;
	int64_t class_id;
	uint64_t allocations, temporary, live, peak_live;
	int64_t allocated_bytes, live_bytes, peak_bytes;
};

struct heaptrack_trace {
	uint32_t ip, parent; /* numbers, from 1; 0 if absent */
};

struct heaptrack_ip {
	size_t first_frame; /* index into frames */
	uint32_t frame_count, module;
};

struct heaptrack_frame {
	struct frame_numbers numbers;
	uint32_t function;
};

struct heaptrack_string {
	struct text text;
	bool allocator; /* whether the text is an allocator's name */
};

enum heaptrack_track {
	HEAPTRACK_HEAP = 1,
	HEAPTRACK_TIMELINE,
	HEAPTRACK_RSS
};

struct heaptrack {
	/* in->line is always the current line, but its text is not set for events on the fast path. */
	struct reader *in;
	struct frame_dictionary *dictionary;
	metric_number heap_metric, timeline_metric, rss_metric;
	struct arena arena;
	struct strbuf text, attributes;

	uint64_t tool_version, format_version;
	struct text command, executable;
	bool versioned, attached, has_command, ended;
	uint64_t page_size, pages;
	int64_t suppressions;

	struct heaptrack_string *strings;
	struct heaptrack_ip *ips;
	struct heaptrack_frame *frames;
	struct heaptrack_trace *traces;
	struct heaptrack_info *infos;
	size_t string_count, string_room, ip_count, ip_room, frame_count, frame_room, trace_count,
		trace_room, info_count, info_room;
	struct heaptrack_site *sites;
	size_t site_count;
	uint64_t stack_frames; /* number of frames in all stacks */
	int64_t next_object;

	/* last is the info of the last allocation, or 0 after a release. It is also 0 after an
	 * allocation with info 0; heaptrack does not distinguish the two cases, either. */
	uint64_t last, epoch;
	int64_t live_bytes, peak_bytes;
	uint64_t allocations;
	uint64_t now_ms, peak_ms, peak_rss_pages;
	struct heaptrack_raw *raw; /* only for a raw recording; otherwise NULL */
};

/* Reads the line h->in->line. */
typedef bool heaptrack_line_reader(struct heaptrack *h);

/* heaptrack_lines.c: reads any line, except valid "+" and "-" lines of interpreted recordings. */
heaptrack_line_reader heaptrack_line;

/* heaptrack_tables.c */
/* Removes the next number and the blank after it from *rest. Fails if there is no 64-bit number. */
bool heaptrack_take(struct text *rest, uint64_t *value);
/* Adds the string, and sets *number to its number, which is at least 1. */
bool heaptrack_add_string(struct heaptrack *h, struct text raw, uint32_t *number);
/* Adds an instruction without frames; heaptrack_add_frame adds a frame to the last instruction. */
bool heaptrack_add_ip(struct heaptrack *h, uint32_t module);
bool heaptrack_add_frame(struct heaptrack *h, const struct frame *frame, uint32_t function);
bool heaptrack_add_trace(struct heaptrack *h, uint64_t ip, uint64_t parent);
bool heaptrack_add_info(struct heaptrack *h, uint64_t size, uint64_t trace);

/* heaptrack_events.c */
/* Reads the recording from in->fd to its end. */
bool heaptrack_read(struct heaptrack *h, heaptrack_line_reader *read_line);
bool heaptrack_allocate(struct heaptrack *h, uint64_t info);
bool heaptrack_release(struct heaptrack *h, uint64_t info);

/* heaptrack_emit.c */
bool heaptrack_declare(struct heaptrack *h);
bool heaptrack_emit_time(struct heaptrack *h);
bool heaptrack_emit_rss(struct heaptrack *h, uint64_t pages);
/* Call these functions at the end. heaptrack_emit emits metadata and samples. heaptrack_emit_groups then emits
 * one object per leaking site; for a raw recording, call heaptrack_raw_emit_objects instead. */
bool heaptrack_emit(struct heaptrack *h);
bool heaptrack_emit_groups(struct heaptrack *h);
/* The caller sets the row's size, block_count, address and number. */
bool heaptrack_emit_object(
	struct heaptrack *h, const struct heaptrack_site *site, struct object_row *row);

/* heaptrack_raw.c */
bool heaptrack_raw_executable(struct heaptrack *h, struct text rest);
bool heaptrack_raw_module(struct heaptrack *h, struct text rest);
bool heaptrack_raw_trace(struct heaptrack *h, uint64_t address, uint64_t parent);
/* `rest` is the line without its letter. */
bool heaptrack_raw_event(struct heaptrack *h, struct text rest);
/* Emits each live block, in the order of allocation. */
bool heaptrack_raw_emit_objects(struct heaptrack *h);
void heaptrack_raw_free(struct heaptrack_raw *r);

#endif
