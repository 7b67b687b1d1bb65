/*
 * A log's open reports. Several processes may write at the same time, so the lines of several
 * reports may be mixed.
 */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_REPORT_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_REPORT_H

#include "sanitizer_private.h"

struct sanitizer;

enum {
	REPORT_STACKS_MAX = 1024,
	REPORT_THREADS_MAX = 256,
	REGIONS_MAX = 16,
	REGION_BITS = 28, /* log2 of a region's size; a process's code is in few regions */
	NOTES_MAX_BYTES = 64 * 1024,
	DETAIL_MAX_BYTES = 64 * 1024,
	TOP_MAX_BYTES = 64 * 1024
};

#define NO_THREAD UINT64_MAX

/* A thread of a report; id.number is its number in the process. */
struct report_thread {
	struct named_thread id;
	int64_t os_thread_id; /* or MODEL_NULL */
	bool created;         /* whether `stack` is its creation stack */
	stack_number stack;
	struct text description;
};

struct report_stack {
	const char *role; /* NULL for the report's first stack */
	struct text description;
	uint64_t thread; /* the thread's number in the process, or NO_THREAD */
	bool unknown;    /* its frames may belong to other reports, and are left out */
	stack_number number;
	size_t depth;
};

struct report {
	struct arena arena; /* memory for the report's texts */
	struct strbuf prefix;
	enum head_kind kind;
	bool fresh;   /* only the report's head has been read */
	bool located; /* has a note on the location of the memory block */
	bool has_pid, warning, summarised, aborted, omitted;
	uint64_t pid, line, offset, quiet;
	uint64_t heard; /* number of the report's last line so far */
	struct text tool, bug, description, summary, prologue;
	struct strbuf top; /* the frames of the first stack, one per line */
	uint64_t pc;       /* the address where the error was found; 0 if unknown */
	bool mixed;        /* other reports were open at the same time */
	uint64_t thread;   /* or NO_THREAD */
	int64_t count;
	struct strbuf access, notes, detail;
	uint64_t regions[REGIONS_MAX]; /* regions that contain the process's code */
	size_t region_count;

	/* the current stack */
	bool stack_open, main_seen;
	bool has_module; /* whether class_module is set */
	struct report_stack stack;
	size_t thread_of_stack; /* index of the thread whose creation the stack shows, or SIZE_MAX */
	struct frame_numbers *frames;
	size_t frame_count, frame_room;
	struct text class_name, class_module; /* class of a leak's stack */

	struct report_stack *stacks;
	size_t stack_count, stack_room;
	struct report_thread *threads;
	size_t thread_count;

	/* the current leak */
	bool leak_open, direct;
	uint64_t leak_bytes, leak_blocks, leak_line;
	stack_number leak_stack;
	size_t leak_depth;
	struct strbuf leaked;           /* addresses of the leak's blocks */
	uint64_t sum_bytes, sum_blocks; /* sums over the report's leaks so far */
};

struct report *report_new(struct sanitizer *s, const struct head *h, struct text line);
void report_free(struct report *r);
/* Whether a frame with this number can be the next frame of the current stack. */
bool report_expects(const struct report *r, uint64_t number);
/* Adds a line to the report. */
bool report_add(struct sanitizer *s, struct report *r, const struct part *p);
/* Ends the current stack. */
bool report_end_stack(struct sanitizer *s, struct report *r);
/* Whether a frame of the first stack is at this place, such as "/src/x.c:6:1" or "(/bin/x+0x12)". */
bool report_has_place(const struct report *r, struct text place);
bool report_summary(struct sanitizer *s, struct report *r, const struct head *h);

#endif
