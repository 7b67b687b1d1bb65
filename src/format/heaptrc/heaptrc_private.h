/*
 * The reader of the reports of Free Pascal's heaptrc unit, and of the stack traces that Free Pascal's runtime
 * writes when a program fails. Source: heaptrc.pp of FPC 3.2.2 and of trunk in 2026.
 *
 * Format: "Heap dump by heaptrc unit of PATH", totals, then the blocks that were not freed: "Call trace for
 * block $ADDRESS size N[ (TClass)]" and frames. Errors come before the dump or between its blocks. The first line
 * of an error describes it. The error's stacks follow; a line before each stack announces it. A frame is
 * "  $ADDRESS[  ROUTINE,][  line N of FILE]". A program can dump its heap several times; each dump is
 * a result set, together with the errors before it.
 */
#ifndef PROFDEPOT_FORMAT_HEAPTRC_HEAPTRC_PRIVATE_H
#define PROFDEPOT_FORMAT_HEAPTRC_HEAPTRC_PRIVATE_H

#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"

enum {
	HT_TEXT_MAX_BYTES = 16 * 1024,
};

/* The item to which the next frames belong. */
enum ht_item {
	HT_NOTHING,
	HT_BLOCK,
	HT_ERROR,
};

struct ht_report {
	struct log_report out;
	bool open;
	bool dumped;    /* the dump's head has been read */
	bool fresh;     /* another run has begun */
	bool heaptrc;   /* at least one line is from heaptrc, not from the runtime */
	bool no_dump;   /* heaptrc could not write the dump */
	bool has_total; /* the number of unfreed blocks is known */
	uint64_t unfreed_count, unfreed_bytes;
	uint64_t blocks, bytes; /* sums over the listed blocks */
	bool damaged;
	struct strbuf program, totals;

	enum ht_item item;
	/* The current block or error. */
	bool has_handle, has_size;
	uint64_t handle, size;
	const char *kind; /* kind of the error */
	bool wants_end;   /* the error's last stack is still missing */
	bool wants_block; /* the next "Call trace for block" is about the error's block */
	bool wants_class; /* the next line has the exception's class and message */
	struct strbuf text, class_name;
	struct log_stacks stacks;
	struct strbuf names;
};

/* --- heaptrc_lines.c: recognises lines ---------------------------------------------------------- */

size_t heaptrc_mark(struct text line);
bool heaptrc_line(void *state, struct reader *in, struct text content);
bool heaptrc_end(void *state, struct reader *in);
void heaptrc_release(void *state);
bool heaptrc_look(unsigned *seen, struct text content);

/* --- heaptrc_rows.c: emits rows ---------------------------------------------------------------------- */

/* Begins the result set, unless it has already begun. */
bool heaptrc_begin(struct ht_report *r, struct reader *in);
bool heaptrc_end_report(struct ht_report *r);
/* Reports that the log ends inside the report. */
bool heaptrc_report_cut(struct ht_report *r);
/* Ends the current block or error. */
bool heaptrc_end_item(struct ht_report *r);
/* Begins a stack of the current item; the role is NULL for the stack of an error itself. */
bool heaptrc_begin_stack(struct ht_report *r, const char *role);
/* Adds a frame's line to the current stack. */
bool heaptrc_frame(struct ht_report *r, struct text line);

#endif
