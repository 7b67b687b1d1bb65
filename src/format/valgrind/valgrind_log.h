/*
 * The reader of valgrind's text. Format: every line of valgrind begins with a mark that contains the
 * process number: "==PID== text", "--PID-- text" for verbose messages, or "**PID** text" for messages
 * of the program. With --time-stamp=yes, a time precedes the number. The sources are m_errormgr.c, mc_errors.c,
 * mc_leakcheck.c, hg_errors.c and drd_error.c of valgrind 3.19 to 3.25.
 *
 * valgrind_log.c splits the lines by process. valgrind_log_lines.c recognises the lines of one
 * process. valgrind_log_record.c turns these lines into records like those of the XML, so the same
 * code makes the rows for text and XML. valgrind_log_words.c has valgrind's phrases.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_LOG_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_LOG_H

#include "valgrind_private.h"

enum {
	VG_LOG_SUPPRESSION_MAX_BYTES = 64 * 1024,
};

enum vg_log_section {
	VG_LOG_NO_SECTION,
	VG_LOG_HEAP_SUMMARY,
	VG_LOG_LEAK_SUMMARY,
};

/* One process of a log. */
struct vg_log_process {
	struct vg_document document;
	struct vg_builder builder;
	uint64_t pid;
	uint64_t line, offset;     /* position of the current line */
	uint64_t last_line;        /* number of the process's last line */
	bool headed;               /* the log has the process's first lines */
	bool in_head;              /* no blank line has been read yet */
	bool summed;               /* the first ERROR SUMMARY has been read */
	bool ended;                /* the last ERROR SUMMARY has been read */
	bool files_are_errors;     /* open files are errors in this version's XML */
	struct strbuf preamble;    /* lines of the head, separated by LF */
	struct strbuf leak_totals; /* lines of the last leak summary, separated by LF */
	enum vg_log_section section;
	int64_t tid;               /* the thread to which the next errors belong */
	struct strbuf thread_name; /* name of that thread; empty if unknown */

	/* The record that is being read. */
	bool open, in_stack;
	bool wrapped;        /* the stack is inside another element, such as other_segment_start */
	unsigned stacks;     /* number of stacks so far */
	bool needs_stack;    /* without a stack, the record is incomplete */
	struct strbuf maybe; /* a line that begins an error if a frame follows */
	/* At the end, valgrind lists each error again, with its count. These repetitions are not records. */
	uint64_t repeat;         /* count of the repeated error; 0 outside this list */
	uint64_t hash;           /* hash of the first line and the first stack of the record */
	struct pair_map uniques; /* maps the hash to the error's number */
	uint32_t errors;
};

/* --- valgrind_log_words.c ------------------------------------------------------------------- */

/* Scans a mark such as "==PID== " at the front. *mark is the character before PID: '=', '-' or '*'. */
bool valgrind_log_mark(struct text *t, uint64_t *pid, char *mark);
/* Returns the name of the tool whose output begins with this line; NULL if there is no such tool. *known is false
 * for tools that report neither leaks nor errors. */
const char *valgrind_log_tool(struct text t, bool *known);
/* The kind of an error with this first line; NULL if unknown. */
const char *valgrind_log_kind(struct text what);
/* If the line begins a leak record, returns the leak's kind as in XML; otherwise NULL. */
const char *valgrind_log_leak(struct text line);

/* --- valgrind_log_record.c ------------------------------------------------------------------ */

/* Add elements to the record. */
void valgrind_log_open(struct vg_log_process *p, const char *name);
void valgrind_log_close(struct vg_log_process *p);
void valgrind_log_leaf(struct vg_log_process *p, const char *name, struct text value);

/* Adds a frame from a line such as "   at 0x1234: f (x.c:3)". */
void valgrind_log_frame(struct vg_log_process *p, struct text line);
void valgrind_log_end_stack(struct vg_log_process *p);
/* Begins a record. `element` is NULL for a stack that is a record of its own. If `needs_stack` is
 * true, a record without a stack is incomplete. */
void valgrind_log_begin(struct vg_log_process *p, const char *element, bool needs_stack);
/* Begins an <error> of that kind. */
void valgrind_log_begin_error(struct vg_log_process *p, const char *kind, struct text what);
void valgrind_log_begin_leak(struct vg_log_process *p, const char *kind, struct text what);
/* "Process terminating with default action of signal 11 (SIGSEGV)" */
void valgrind_log_begin_signal(struct vg_log_process *p, struct text line);
/* "Thread #3 was created" */
void valgrind_log_begin_thread(struct vg_log_process *p, struct text line);
void valgrind_log_begin_open_file(struct vg_log_process *p, struct text line);
/* Ends the current record, if any. Returns false if the sink failed. */
bool valgrind_log_end(struct vg_log_process *p);

/* --- valgrind_log_totals.c ------------------------------------------------------------------- */

/* Makes records from the lines of the process's head. */
void valgrind_log_head(struct vg_log_process *p);
/* "in use at exit: ..." or "total heap usage: ..." */
void valgrind_log_heap_total(struct vg_log_process *p, struct text line);
void valgrind_log_leak_totals(struct vg_log_process *p);
void valgrind_log_error_summary(struct vg_log_process *p, struct text line);
/* "used_suppression:   1 name file:2 suppressed: 64 bytes in 4 blocks" */
void valgrind_log_suppression(struct vg_log_process *p, struct text line);

/* --- valgrind_log_lines.c ------------------------------------------------------------------- */

/* Handles a line of the process. `line` is the text after the mark. */
bool valgrind_log_line(struct vg_log_process *p, char mark, struct text line);
/* Ends the process. */
bool valgrind_log_finish(struct vg_log_process *p);

/* --- valgrind_log.c ------------------------------------------------------------------------- */

/* The number of bits that identify the member as valgrind's text; 0 if it is something else. */
int valgrind_log_look(const struct format_source *source, size_t member);
extern const struct format_lines valgrind_log_lines;
/* Like valgrind_log_look, but reads the whole member. */
int valgrind_log_search(const struct format_source *source, size_t member);
bool valgrind_log_read(struct reader *r);

#endif
