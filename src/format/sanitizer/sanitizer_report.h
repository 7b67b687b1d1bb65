/*
 * Reports of a log that are open: several processes may write at once, so that lines of
 * one come between those of another.
 */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_REPORT_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_REPORT_H

#include "sanitizer_private.h"

struct sanitizer;

enum {
	REPORT_STACKS_MAX = 1024,
	REPORT_THREADS_MAX = 256,
	REGIONS_MAX = 16,
	REGION_BITS = 28, /* code of one process lies close together */
	NOTES_MAX_BYTES = 64 * 1024,
	DETAIL_MAX_BYTES = 64 * 1024
};

#define NO_THREAD UINT64_MAX

/* A thread as a report names it; its numbers are the process's own. */
struct report_thread {
	struct named_thread id;
	int64_t os_thread_id; /* MODEL_NULL: not told */
	bool created;         /* the stack that created it was told */
	stack_number stack;
	struct text description;
};

struct report_stack {
	const char *role; /* NULL: the report's first */
	struct text description;
	uint64_t thread; /* of the process, or NO_THREAD */
	stack_number number;
	size_t depth;
};

struct report {
	struct arena arena; /* its texts */
	struct strbuf prefix;
	enum head_kind kind;
	bool fresh;   /* no line of it was seen but its head */
	bool located; /* where the block of memory lies was told */
	bool has_pid, warning, summarised, aborted, omitted;
	uint64_t pid, line, offset, quiet;
	uint64_t heard; /* the last line that was its own */
	struct text tool, bug, description, summary, prologue;
	struct text top; /* the first frame of the first stack, as it stands there */
	uint64_t thread; /* or NO_THREAD */
	int64_t count;
	struct strbuf access, notes, detail;
	uint64_t regions[REGIONS_MAX]; /* of memory that its frames' code lies in */
	size_t region_count;

	/* the stack in the making */
	bool stack_open, main_seen;
	bool has_module; /* class_module is told */
	struct report_stack stack;
	size_t thread_of_stack; /* index of the thread that it created, or SIZE_MAX */
	struct frame_numbers *frames;
	size_t frame_count, frame_room;
	struct text class_name, class_module; /* of a leak's stack */

	struct report_stack *stacks;
	size_t stack_count;
	struct report_thread *threads;
	size_t thread_count;

	/* the leak in the making */
	bool leak_open, direct;
	uint64_t leak_bytes, leak_blocks, leak_line;
	stack_number leak_stack;
	size_t leak_depth;
	struct strbuf leaked;           /* addresses of its blocks */
	uint64_t sum_bytes, sum_blocks; /* of the report's leaks so far */
};

/* --- sanitizer_report.c: what a line adds to a report ------------------------------ */

struct report *report_new(struct sanitizer *s, const struct head *h, struct text line);
void report_free(struct report *r);
/* Would the frame of that number go on with the stack in the making? */
bool report_expects(const struct report *r, uint64_t number);
/* Adds the line. */
bool report_add(struct sanitizer *s, struct report *r, const struct part *p);
/* Ends the stack in the making. */
bool report_end_stack(struct sanitizer *s, struct report *r);
bool report_summary(struct sanitizer *s, struct report *r, const struct head *h);

#endif
