/*
 * The reading of a log: its open reports, and what is known of its result set so far.
 */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_STATE_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_STATE_H

#include "sanitizer_report.h"

enum {
	OPEN_REPORTS_MAX = 32,    /* the one quiet for longest is told then */
	WAITING_MAX = 16,         /* the oldest is guessed then */
	QUIET_LINES_MAX = 1000,   /* of other text, then a report is over */
	QUIET_AFTER_SUMMARY = 64, /* what may follow a SUMMARY does so soon */
	ATTRIBUTES_MAX_BYTES = 1024 * 1024,
	UNDEFINED_MAX = 100000, /* distinct ones that are counted together */
	SUPPRESSIONS_MAX = 100000,
	PROCESSES_MAX = 10000 /* listed in the attributes */
};

/* A runtime error of UBSan, told with its count at the end. */
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

/* A line that any of several open reports may have. */
struct waiting {
	char *line;
	size_t size;
	struct part part; /* its text is within the line */
	uint64_t number, offset;
};

struct sanitizer {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	struct arena arena; /* of a result set */
	uint32_t set;
	struct frame_dictionary *frames;
	const char *name;                      /* the file that is read */
	struct line line;                      /* the line that is read */
	struct report *open[OPEN_REPORTS_MAX]; /* the last one spoken to first */
	size_t open_count;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
	struct strbuf plain, attributes, scratch;
	struct pair_map threads; /* (pid, number) to rec_id */
	struct pair_map created; /* threads whose creation was told */
	struct pair_map pids, ub_keys, suppressed_keys;
	uint64_t seed;
	int64_t next_thread, next_object, next_error;
	struct arena ub_arena;
	struct undefined *ub;
	size_t ub_count, ub_room;
	struct suppressed *suppressed;
	size_t suppressed_count, suppressed_room;
	struct strbuf pid_list, tools;
	struct text application;
	uint64_t reports, tables, cut_lines, guessed;
	int64_t before; /* bytes of the files read before */
	/* ThreadSanitizer's own count. */
	uint64_t tsan_reports, tsan_pid;
	uint64_t tsan_before; /* reports behind which a count has stood */
	bool tsan_mixed;
	/* A table of suppressions is read: as the head that began it. */
	enum head_kind table;
	struct strbuf table_prefix;
};

/* --- sanitizer_log.c: the lines of a file ------------------------------------------ */

bool sanitizer_read_member(struct sanitizer *s, size_t member);
/* self: struct sanitizer; offset: bytes of the file read so far. */
void sanitizer_tick(void *self, uint64_t offset);

/* --- sanitizer_whose.c: whose a line is -------------------------------------------- */

/* *found NULL: nobody's, or the line waits. *p: what the line is. */
bool sanitizer_find_report(
	struct sanitizer *s, struct text line, struct part *p, struct report **found);
/* Lines that waited go to the report that alone can have them. */
bool sanitizer_settle(struct sanitizer *s);
/* Before the report's end: where its block lies, when that line waits. */
bool sanitizer_give_note(struct sanitizer *s, struct report *r);
/* At the end of a file: no more will be known. */
bool sanitizer_guess_all(struct sanitizer *s);

/* --- sanitizer_tell.c: rows -------------------------------------------------------- */

/* At the line that is read, or at that of the report. */
bool sanitizer_issue(struct sanitizer *s, enum issue_code code, const struct report *at,
	const char *format, ...) ERROR_PRINTF(4, 5);
/* The leak in the making becomes an object. */
bool sanitizer_tell_leak(struct sanitizer *s, struct report *r);
/* A report that is over becomes an error. */
bool sanitizer_tell_report(struct sanitizer *s, struct report *r);
/* Runtime errors that were counted. */
bool sanitizer_tell_undefined(struct sanitizer *s);

/* --- sanitizer_set.c: what is told of a log as a whole ----------------------------- */

void sanitizer_add_suppression(struct sanitizer *s, const struct suppressed *row);
bool sanitizer_tell_suppressions(struct sanitizer *s);
bool sanitizer_tell_metadata(struct sanitizer *s, struct text caption);

#endif
