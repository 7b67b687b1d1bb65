/* The reader of a log: its open reports, and the sums of its result set. */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_STATE_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_STATE_H

#include "sanitizer_report.h"

enum {
	OPEN_REPORTS_MAX = 32,    /* beyond that, the one quiet for longest is closed */
	WAITING_MAX = 16,         /* beyond that, the oldest is guessed */
	QUIET_LINES_MAX = 1000,   /* without a line of the report, then it is closed */
	QUIET_AFTER_SUMMARY = 64, /* the same after its SUMMARY */
	ATTRIBUTES_MAX_BYTES = 1024 * 1024,
	UNDEFINED_MAX = 100000, /* distinct ones that are counted together */
	SUPPRESSIONS_MAX = 100000,
	PROCESSES_MAX = 10000 /* listed in the attributes */
};

/* A runtime error of UBSan, emitted with its count at the end. */
struct undefined {
	struct text bug, description, attributes;
	stack_number stack;
	size_t depth;
	int64_t count;
};

struct suppressed {
	struct text name;
	uint64_t count, bytes;
	bool has_bytes;
	struct text kind;
};

/* A line that may belong to several open reports. */
struct waiting {
	char *line;
	size_t size;
	struct part part; /* its text is within the line */
	uint64_t number, offset;
};

struct sanitizer {
	struct reader in;   /* of the current member, with the result set */
	struct arena arena; /* of the result set */
	struct frame_dictionary *frames;
	struct report *open[OPEN_REPORTS_MAX]; /* ordered by their last line */
	size_t open_count;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
	struct strbuf plain, attributes, scratch;
	struct pair_map threads; /* (pid, number) to rec_id */
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
	uint64_t reports, tables, cut_lines, guessed;
	/* ThreadSanitizer's own count. */
	uint64_t tsan_reports, tsan_pid;
	uint64_t tsan_before; /* reports before the last count */
	bool tsan_mixed;
	/* The head of the current table of suppressions, or HEAD_NONE. */
	enum head_kind table;
	struct strbuf table_prefix;
};

/* --- sanitizer_log.c: the lines of a file ------------------------------------------ */

bool sanitizer_read_member(struct sanitizer *s);

/* --- sanitizer_match.c: which report a line belongs to -------------------------------- */

/* *found NULL: the line belongs to no report, or waits. *p: its parts. */
bool sanitizer_find_report(
	struct sanitizer *s, struct text line, struct part *p, struct report **found);
/* Gives waiting lines to the only report that can have them. */
bool sanitizer_settle(struct sanitizer *s);
/* At the report's end: adds the waiting note about its memory block. */
bool sanitizer_give_note(struct sanitizer *s, struct report *r);
/* At the end of a file. */
bool sanitizer_guess_all(struct sanitizer *s);

/* --- sanitizer_emit.c ----------------------------------------------------------------- */

/* For reader_issue_like: an issue at the report's head. */
#define REPORT_ISSUE(issue_code, report) \
	((struct issue){ .code = (issue_code), .line = (report)->line, .offset = (report)->offset })

/* The current leak, if any, as an object. */
bool sanitizer_emit_leak(struct sanitizer *s, struct report *r);
/* A complete report as an error; its stack must have ended. */
bool sanitizer_emit_report(struct sanitizer *s, struct report *r);
/* Runtime errors with their counts. */
bool sanitizer_emit_undefined(struct sanitizer *s);

void sanitizer_add_suppression(struct sanitizer *s, const struct suppressed *row);
bool sanitizer_emit_suppressions(struct sanitizer *s);
bool sanitizer_emit_metadata(struct sanitizer *s, struct text caption);

#endif
