/*
 * Parses sanitizer text reports: lines and their parts.
 *
 * Sources: the output of the GCC 12 and clang 14 runtimes, and the message texts in LLVM's
 * compiler-rt (asan_errors.cpp, lsan_common.cpp, tsan_report.cpp, msan_report.cpp,
 * ubsan_diag.cpp).
 */
#ifndef PROFDEPOT_FORMAT_SANITIZER_SANITIZER_PRIVATE_H
#define PROFDEPOT_FORMAT_SANITIZER_SANITIZER_PRIVATE_H

#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"
#include "format/common/json_members.h"
#include "format/common/log_prefix.h"
#include "format/common/members.h"
#include "format/common/text_scan.h"

/* Removes a frame's number, such as "#3 ", from the front of a line. */
bool sanitizer_frame_number(struct text *t, uint64_t *number);
/* Parses a frame's line, which begins with "#". The texts point into the line. *pc is 0 if
 * absent. */
bool sanitizer_frame(struct text line, struct frame *f, struct text *build_id, uint64_t *pc);

/* The line without terminal escape sequences. If `line` has any, the result is in `out`. */
struct text sanitizer_plain(struct strbuf *out, struct text line);
/* The offset of the path in a text such as "12: web | /src/x.c". */
size_t sanitizer_path_start(struct text t);

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
	size_t start; /* offset of the text after the prefix */
	bool has_pid;
	uint64_t pid;
	struct text tool;    /* AddressSanitizer */
	struct text message; /* the text after "AddressSanitizer: " or "runtime error: " */
	struct text place;   /* a runtime error's file, line and column */
	bool warning, fatal; /* WARNING or FATAL instead of ERROR */
};

/* A quick check, which excludes most lines of a log. If it returns false, the line is not a head. */
bool sanitizer_may_be_head(struct text line);
void sanitizer_head(struct text line, struct head *h);

/* Lines inside a report. */
enum part_kind {
	PART_NONE,
	PART_FRAME,
	PART_BLANK,
	PART_STACK,    /* a stack follows */
	PART_MAIN,     /* the first stack follows, or the line belongs to the head */
	PART_THREAD,   /* the stack that created a thread follows */
	PART_NO_STACK, /* the stack could not be restored */
	PART_NOTE,     /* a sentence to keep */
	PART_DETAIL,   /* a table row to keep */
	PART_LEAK,
	PART_LEAKED, /* address and size of one leaked block */
	PART_OMITTED,
	PART_SIMILAR, /* And 2 more similar thread leaks. */
	PART_END,     /* ==1==ABORTING */
};

struct part {
	enum part_kind kind;
	const char *role; /* a stack's role: see further_stack_row */
	struct text text; /* the line without its indentation and ==PID== */
	bool doubtful;    /* may belong to another report */
	bool has_pid;
	uint64_t pid;
};

void sanitizer_part(struct text content, struct part *p);

/* The kind of error, such as heap-buffer-overflow, data race or signed-integer-overflow. */
struct text sanitizer_bug(const struct head *h);
/* The text up to the first blank, without a final colon: "memcpy-param-overlap" for
 * "memcpy-param-overlap: memory ranges". */
struct text sanitizer_first_word(struct text t);

/* The first thread that a text names, as in "thread T1 (worker)", "main thread" or "... T0)". */
struct named_thread {
	uint64_t number;
	struct text name;
};
bool sanitizer_thread(struct text t, struct named_thread *thread);
/* The thread at the front of "Thread T1 (worker) created by ...". */
bool sanitizer_created_thread(struct text t, struct named_thread *thread);

#endif
