/*
 * Emits the result set of one report in a text log: blocks and errors with their stacks, threads and
 * classes. The readers of several formats share this code. Errors and blocks are numbered in the order
 * in which they are emitted.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_LOG_REPORT_H
#define PROFDEPOT_FORMAT_COMMON_LOG_REPORT_H

#include "base/pair_map.h"
#include "format/common/emit.h"
#include "format/common/frame_dictionary.h"

#define LOG_NO_THREAD MODEL_NULL

struct log_report {
	struct reader *in;
	uint32_t set;
	bool wanted; /* if false, the functions emit nothing */
	struct frame_dictionary *frames;
	struct pair_map threads;      /* maps the system's number to an ID */
	struct pair_map known_frames; /* maps a frame's line to an index into `known` */
	struct frame_numbers *known;
	size_t known_count, known_room;
	int64_t objects, errors;
	size_t depth;        /* number of frames in the stack that is being built */
	struct strbuf names; /* a name from a linker's map */
};

/* A stack of a block or an error. */
struct log_stack {
	const char *role;        /* see struct further_stack_row; NULL for the first stack */
	struct text description; /* in the tool's words, or NULL */
	int64_t thread;          /* ID of its thread, or LOG_NO_THREAD */
	stack_number number;     /* 0 if it has no frame */
	size_t depth;
};

/* Begins the result set. The reader must outlive the report. */
bool log_report_begin(struct log_report *r, struct reader *in);
/* Like log_report_begin, for a report that begins on an earlier line than the current one. */
bool log_report_begin_at(struct log_report *r, struct reader *in, uint64_t line);
/* Makes the reader's rows and issues belong to this report. Call it when the lines of several reports alternate. */
void log_report_use(struct log_report *r);
void log_report_release(struct log_report *r);

/* Finds the ID of a thread, and emits the thread on its first use. */
bool log_report_thread(struct log_report *r, uint64_t os_id, int64_t *id);

/* Build a stack, innermost frame first. Equal lines of the report are the same frame. If log_stack_add has
 * already read an equal line, log_stack_known adds that line's frame again; otherwise it returns false. log_stack_add
 * looks up a frame without a name in the linker's maps, if the load has any. */
void log_stack_begin(struct log_report *r);
bool log_stack_known(struct log_report *r, struct text line);
bool log_stack_add(struct log_report *r, struct text line, const struct frame *given);
bool log_stack_end(struct log_report *r, struct log_stack *out);

/* The stacks of an error in the order of the report. All zeros at first. */
struct log_stacks {
	bool open;                /* a stack is being built */
	struct log_stack current; /* the stack that is being built */
	struct log_stack *items;  /* the stacks that are complete */
	size_t count, room;
};

/* Ends the open stack, and begins another one. Stacks after the first 100,000 are not kept. */
bool log_stacks_begin(struct log_stacks *s, struct log_report *r, const char *role, int64_t thread);
/* Ends the open stack, if any. */
bool log_stacks_end(struct log_stacks *s, struct log_report *r);
/* Whether the next frame is the innermost one of the first stack. */
bool log_stacks_at_start(const struct log_stacks *s, const struct log_report *r);
/* Forgets the stacks, for the next error. */
void log_stacks_reset(struct log_stacks *s);
void log_stacks_release(struct log_stacks *s);

/* Replaces the content of a buffer with a part of the current line, in a form that the depot can store. */
void log_keep(struct reader *in, struct strbuf *to, struct text t);

/* Emits a block. The caller sets number, address, size, block_count, leak_kind and attributes of the
 * row. `stack` may be NULL. */
bool log_report_object(struct log_report *r, struct object_row *row, struct text class_name,
	int64_t thread, const struct log_stack *stack);

/* Emits an error. The first stack without a role becomes the stack of the error itself. All other stacks become
 * further stacks. */
bool log_report_error(struct log_report *r, struct text kind, struct text description,
	struct text attributes, const struct log_stack *stacks, size_t count);
/* Like log_report_error, for an error that occurred `times` times, at least once. */
bool log_report_counted(struct log_report *r, struct text kind, struct text description,
	struct text attributes, uint64_t times, const struct log_stack *stacks, size_t count);

#endif
