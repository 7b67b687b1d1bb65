/*
 * Reports of the sanitizers, as text: what the files of this reader share.
 *
 * Source: the output of GCC 12's and clang 14's runtimes, and the printing code's wording
 * in LLVM's compiler-rt (asan_errors.cpp, lsan_common.cpp, tsan_report.cpp, msan_report.cpp,
 * ubsan_diag.cpp).
 */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_PRIVATE_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_PRIVATE_H

#include "base/hash.h"
#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"
#include "format/format.h"
#include "input/line_reader.h"

/* --- sanitizer_frame.c ------------------------------------------------------------- */

/* "#3 " at the front of a line, taken. */
bool sanitizer_frame_number(struct text *t, uint64_t *number);
/* A frame's line from its # on; texts point into it. *pc 0: not told. */
bool sanitizer_frame(struct text line, struct frame *f, struct text *build_id, uint64_t *pc);
/* Takes ":LINE" or ":LINE:COLUMN" off the end; column 0: not told. */
bool sanitizer_place(struct text *t, int64_t *line, int64_t *column);

/* --- sanitizer_prefix.c ------------------------------------------------------------ */

/* What a log puts before each line of a stream ("2026-01-02T03:04:05Z web_1 | "), as a
 * pattern in which times and counters match any other. */
void sanitizer_prefix_make(struct strbuf *out, struct text prefix);
/* Does the line begin so? *content: what follows. */
bool sanitizer_prefix_match(struct text pattern, struct text line, struct text *content);
/* The line without escape sequences of a terminal; the line itself when it has none. */
struct text sanitizer_plain(struct strbuf *out, struct text line);
/* How much of "12: web | /src/x.c" stands before the path. */
size_t sanitizer_path_start(struct text t);

/* --- sanitizer_words.c ------------------------------------------------------------- */

/* What a line is that may begin a report, or ends one. */
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
	size_t start; /* of what is no prefix */
	bool has_pid;
	uint64_t pid;
	struct text tool;    /* AddressSanitizer */
	struct text message; /* behind "AddressSanitizer: ", or "runtime error: " */
	struct text place;   /* of a runtime error: file, line and column */
	bool warning, fatal; /* instead of ERROR */
};

/* Quick: may the line be one? Most lines of a log are none. */
bool sanitizer_may_be_head(struct text line);
void sanitizer_head(struct text line, struct head *h);

/* What a line within a report is. */
enum part_kind {
	PART_NONE,
	PART_FRAME,
	PART_BLANK,
	PART_STACK,    /* a stack follows */
	PART_MAIN,     /* the report's first stack follows, or this line adds to its head */
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
	const char *role; /* of a stack, as further_stack_row has it */
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
