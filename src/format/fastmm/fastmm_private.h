/*
 * The reader of the logs of FastMM4 and FastMM5, memory managers for Delphi. Source: FastMM4.pas,
 * FastMM4Messages.pas and its translations, FastMM5.pas.
 *
 * Format: a log is a sequence of entries. An entry begins with "----TIME----". Paragraphs follow, with
 * blank lines between them: a sentence, values ("The block size is: 20"), stacks (a sentence and the
 * lines of frames) and a dump of the block's memory. A summary ends the report of one run of the
 * program.
 *
 * FastMM4 has message sets in many languages, and a program can define another set. So entries are
 * recognised by their shape: which paragraphs have numbers, and how many stacks there are. The
 * words of the message sets (fastmm_words.c) are used only where the shape is not sufficient.
 */
#ifndef PROFDEPOT_FORMAT_FASTMM_FASTMM_PRIVATE_H
#define PROFDEPOT_FORMAT_FASTMM_FASTMM_PRIVATE_H

#include "format/common/json_members.h"
#include "format/common/log_report.h"
#include "format/common/members.h"
#include "format/common/text_scan.h"

enum {
	FM_MAX_VALUES = 16,
	FM_MAX_STACKS = 8,
	FM_TEXT_MAX_BYTES = 64 * 1024, /* maximum for an entry without its stacks */
	FM_TIME_BYTES = 32,
};

/* A paragraph of one line that ends in a value. */
struct fm_value {
	uint32_t begin, size; /* position of the value in the entry's text */
	bool is_number;
	uint64_t number;
	size_t stacks; /* number of stacks before it */
};

enum fm_paragraph {
	FM_BETWEEN, /* after a blank line */
	FM_SENTENCE,
	FM_STACK,
	FM_DUMP, /* skipped up to the next entry */
};

/* The entry that is being read. */
struct fm_entry {
	bool open;
	uint64_t line, offset; /* position of its first line */
	char time[FM_TIME_BYTES];
	enum fm_paragraph paragraph;
	size_t paragraphs;
	bool broken;             /* a line was cut or wrapped */
	struct strbuf text;      /* the first paragraph, then the values */
	size_t first_size;       /* size of the first paragraph's first line */
	size_t first_end;        /* size of the first paragraph */
	struct strbuf line_text; /* the current paragraph's text, if it is not the first one */
	struct fm_value values[FM_MAX_VALUES];
	size_t value_count;
	struct log_stack stacks[FM_MAX_STACKS];
	size_t stack_count;
	bool modified; /* the entry lists the modified bytes */
	bool has_handle;
	uint64_t handle;
	uint64_t rows; /* blocks in rows of the summary */
};

/* A report, which is a result set. */
struct fm_report {
	struct log_report out;
	bool open;
	int version; /* 4 or 5 */
	struct fm_entry entry;
	char first_time[FM_TIME_BYTES], last_time[FM_TIME_BYTES];
	uint64_t leaks;
	uint64_t summed; /* leaks according to the summary */
	bool has_summary;
	bool wrapped; /* an issue about wrapped lines has been emitted */
	bool damaged;
	struct strbuf names; /* an undecorated name */
	struct strbuf clean; /* a copy of cleaned text */
};

/* --- fastmm_words.c ------------------------------------------------------------------------ */

/* Scans "----2026/11/23 1:11:17----" at the front. Sets *version to 4 or 5, and stores the time in `time`.
 * *cut is true if the line ends after the date. */
bool fastmm_head(struct text line, int *version, char time[FM_TIME_BYTES], bool *cut);
/* Returns the code page of the FastMM4 message set in which the line's bytes occur, or NULL. */
const char *fastmm_code_page(struct text line);
/* Returns a part of a line as text that the depot can store. Valid until the next call. */
struct text fastmm_clean(struct fm_report *r, struct text t);
/* Returns whether the text is a message set's word for an unknown class. */
bool fastmm_is_unknown(struct text class_name);
bool fastmm_is_interface(struct text sentence);
/* Returns the operation in a sentence: GetMem, FreeMem, ReallocMem, or "free block scan". */
const char *fastmm_operation(struct text sentence);

/* --- fastmm_entry.c ------------------------------------------------------------------------ */

/* Handles a line of an entry after its head. */
bool fastmm_entry_line(struct fm_report *r, struct text line, bool unended);
/* Ends the entry and emits its row. `last` means that the log ends, too. *ends_report is true if
 * the entry is a summary. */
bool fastmm_entry_end(struct fm_report *r, bool last, bool *ends_report);
/* --- fastmm_frame.c ------------------------------------------------------------------------ */

/* Whether the line is a frame: an address, then parts in brackets. */
bool fastmm_is_frame(struct text line);
bool fastmm_add_frame(struct fm_report *r, struct text line);

/* --- fastmm_report.c ----------------------------------------------------------------------- */

bool fastmm_report_begin(struct fm_report *r, struct reader *in, int version);
/* Ends the report: emits what it says about the run, and checks its totals. */
bool fastmm_report_end(struct fm_report *r);

#endif
