/*
 * Reports of the sanitizers as text: lines and their parts.
 *
 * Source: the output of GCC 12's and clang 14's runtimes, and the printing code's wording
 * in LLVM's compiler-rt (asan_errors.cpp, lsan_common.cpp, tsan_report.cpp, msan_report.cpp,
 * ubsan_diag.cpp).
 */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_PRIVATE_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_PRIVATE_H

#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"
#include "format/common/json_members.h"
#include "format/common/members.h"
#include "format/common/text_scan.h"

/* --- sanitizer_frame.c ------------------------------------------------------------- */

/* "#3 " at the front of a line, taken. */
bool sanitizer_frame_number(struct text *t, uint64_t *number);
/* A frame's line from its "#" on; the texts point into it. *pc 0 if absent. */
bool sanitizer_frame(struct text line, struct frame *f, struct text *build_id, uint64_t *pc);

/* --- sanitizer_prefix.c ------------------------------------------------------------ */

/* Makes a pattern of the prefix that a log adds to lines ("2026-01-02T03:04:05Z web_1 | "): times and
 * counters match any other. */
void sanitizer_prefix_make(struct strbuf *out, struct text prefix);
/* Does the line match? *content: what follows the prefix. */
bool sanitizer_prefix_match(struct text pattern, struct text line, struct text *content);
/* The line without escape sequences of a terminal; in `out` if it has any. */
struct text sanitizer_plain(struct strbuf *out, struct text line);
/* Offset of the path in "12: web | /src/x.c". */
size_t sanitizer_path_start(struct text t);

/* --- sanitizer_words.c ------------------------------------------------------------- */

/* Lines that begin or end a report. */
enum head_kind {
	HEAD_NONE,
	HEAD_REPORT,     /* ==1==ERROR: AddressSanitizer: ... */
	HEAD_LEAKS,      /* ==1==ERROR: LeakSanitizer: detected memory leaks */
	HEAD_UNDEFINED,  /* x.c:1:2: runtime error: ... */
	HEAD_SUMMARY,    /* SUMMARY: AddressSanitizer: ... */
	HEAD_COUNT,      /* ThreadSanitizer: reported 2 warnings */
	HEAD_MATCHED,    /* ThreadSanitizer: Matched 2 suppressions (pid=1): */
	HEAD_SUPPRESSED, /* Suppressions used: */
	HEAD_FAILED,     /* ==1==LeakSanitizer has encountered a fatal error. */
};

struct head {
	enum head_kind kind;
	size_t start; /* after the prefix */
	bool has_pid;
	uint64_t pid;
	struct text tool;    /* AddressSanitizer */
	struct text message; /* after "AddressSanitizer: " or "runtime error: " */
	struct text place;   /* of a runtime error: file, line and column */
	bool warning, fatal; /* instead of ERROR */
};

/* A quick check: false for most lines of a log. */
bool sanitizer_may_be_head(struct text line);
void sanitizer_head(struct text line, struct head *h);

/* Lines inside a report. */
enum part_kind {
	PART_NONE,
	PART_FRAME,
	PART_BLANK,
	PART_STACK,    /* a stack follows */
	PART_MAIN,     /* the first stack follows, or the line belongs to the head */
	PART_THREAD,   /* where a thread was created follows */
	PART_NO_STACK, /* the stack could not be restored */
	PART_NOTE,     /* a sentence to keep */
	PART_DETAIL,   /* a row of a table to keep */
	PART_LEAK,
	PART_LEAKED, /* address and size of one leaked block */
	PART_OMITTED,
	PART_SIMILAR, /* And 2 more similar thread leaks. */
	PART_END,     /* ==1==ABORTING */
};

struct part {
	enum part_kind kind;
	const char *role; /* of a stack: see further_stack_row */
	struct text text; /* the line without its indentation and ==PID== */
	bool has_pid;
	uint64_t pid;
};

void sanitizer_part(struct text content, struct part *p);

/* The kind word of a report: heap-buffer-overflow, data race, signed-integer-overflow. */
struct text sanitizer_bug(const struct head *h);
/* Up to the first blank, without a colon: "memcpy-param-overlap: memory ranges". */
struct text sanitizer_first_word(struct text t);

/* "thread T1 (worker)", "main thread", "... T0)": the first thread named in a text. */
struct named_thread {
	uint64_t number;
	struct text name;
};
bool sanitizer_thread(struct text t, struct named_thread *thread);
/* "Thread T1 (worker) created by ...": the thread at the front. */
bool sanitizer_created_thread(struct text t, struct named_thread *thread);

#endif
