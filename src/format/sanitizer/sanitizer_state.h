/* The state of a log reader: open reports, and sums for the result set. */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_STATE_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_STATE_H

#include "sanitizer_report.h"

enum {
	/* If more reports begin, the one that has been silent longest is closed. */
	OPEN_REPORTS_MAX = 32,
	WAITING_MAX = 16,         /* if more lines wait, the oldest one is left out */
	QUIET_LINES_MAX = 1000,   /* a report is closed after this many lines of other text */
	QUIET_AFTER_SUMMARY = 64, /* the limit that applies after a SUMMARY */
	ATTRIBUTES_MAX_BYTES = 1024 * 1024,
	UNDEFINED_MAX = 100000, /* number of distinct errors; equal errors are counted together */
	SUPPRESSIONS_MAX = 100000,
	PROCESSES_MAX = 10000,            /* processes listed in the attributes */
	SANITIZER_LINE_BYTES = 256 * 1024 /* the rest of a longer line is ignored */
};

/* A UBSan runtime error, emitted with its count at the end. */
struct undefined {
	struct error_row row;
	size_t depth;
};

/* A process with warnings from ThreadSanitizer. */
struct tsan_process {
	uint64_t pid, reports;
	bool counted; /* whether its number of warnings was checked */
};

struct suppressed {
	struct text name, kind;
	struct text pattern; /* KIND:NAME */
	uint64_t count, bytes;
	bool has_bytes;
};

/* A line that may belong to several open reports. */
struct waiting {
	char *line;
	size_t size;
	struct part part; /* its text points into the line */
	uint64_t number, offset;
};

struct sanitizer {
	struct reader in;   /* reads the current member into the result set */
	bool begun;         /* whether the result set has begun */
	struct arena arena; /* memory for the texts of the result set */
	struct frame_dictionary *frames;
	struct report *open[OPEN_REPORTS_MAX]; /* the report with the latest line comes first */
	size_t open_count;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
	struct strbuf plain, attributes, scratch;
	struct pair_map threads; /* maps (pid, thread number) to rec_id */
	struct pair_map created; /* threads that have a creation stack */
	struct pair_map pids, ub_keys, suppressed_keys;
	int64_t next_thread, next_object, next_error;
	struct arena ub_arena;
	struct undefined *ub;
	size_t ub_count, ub_room;
	struct suppressed *suppressed;
	size_t suppressed_count, suppressed_room;
	struct strbuf pid_list, tools;
	struct text application;
	uint64_t reports, tables, cut_lines;
	uint64_t unknown;          /* stacks that may belong to several reports */
	struct pair_map tid_pids;  /* maps an OS thread ID to the process that has the thread */
	struct tsan_process *tsan; /* for the check of ThreadSanitizer's warning counts */
	size_t tsan_count, tsan_room;
	/* The head of the current suppression table, or HEAD_NONE. */
	enum head_kind table;
	unsigned table_foreign; /* lines of other text in the table */
	struct strbuf table_prefix;
};

bool sanitizer_read_member(struct sanitizer *s);
/* Begins the result set on the current line, unless it has begun. */
bool sanitizer_begin(struct sanitizer *s);

/* Finds the open report that the line belongs to. *found is its index in s->open, or s->open_count
 * if the line belongs to no report or has to wait. *p is the line without its prefix. */
bool sanitizer_find_report(struct sanitizer *s, struct text line, struct part *p, size_t *found);
/* If a waiting line fits only one report, adds the line to this report. If it fits no report, leaves
 * the line out. */
bool sanitizer_settle(struct sanitizer *s);
/* Adds the waiting note about the report's memory block. To be called at the end of a report. */
bool sanitizer_give_note(struct sanitizer *s, struct report *r);
/* Leaves out every waiting line. To be called at the end of a file. */
void sanitizer_drop_all(struct sanitizer *s);

/* An issue at the report's head; pass its address to reader_issue_like. */
#define REPORT_ISSUE(issue_code, report) \
	((struct issue){ .code = (issue_code), .line = (report)->line, .offset = (report)->offset })

/* Emits the current leak, if any, as an object. */
bool sanitizer_emit_leak(struct sanitizer *s, struct report *r);
/* Emits a complete report as an error. The current stack must have ended. */
bool sanitizer_emit_report(struct sanitizer *s, struct report *r);
/* Emits the runtime errors with their counts. */
bool sanitizer_emit_undefined(struct sanitizer *s);

void sanitizer_add_suppression(struct sanitizer *s, const struct suppressed *row);
bool sanitizer_emit_suppressions(struct sanitizer *s);
bool sanitizer_emit_metadata(struct sanitizer *s, struct text caption);

#endif
