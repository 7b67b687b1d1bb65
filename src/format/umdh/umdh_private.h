/* Parts of the reader of UMDH's logs. */
#ifndef PROFDEPOT_FORMAT_UMDH_PRIVATE_H
#define PROFDEPOT_FORMAT_UMDH_PRIVATE_H

#include "format/common/log_report.h"

/* The name of a stack, such as "BackTraceC1A07E55". */
struct umdh_trace {
	uint64_t number;
	int digits;
};

/* A block of a snapshot, or a group of blocks with one stack. */
struct umdh_block {
	struct umdh_trace trace;
	uint64_t size, overhead, address, count;
	bool grouped; /* a group: `size` is the size of all its blocks, and there is no address */
};

enum umdh_number {
	UMDH_DELTA,
	UMDH_NEW,
	UMDH_OLD,
	UMDH_NUMBERS
};

/* "+ DELTA ( NEW - OLD)". Until the radix is known, the numbers are read as hexadecimal. */
struct umdh_change {
	bool decrease;
	uint64_t numbers[UMDH_NUMBERS];
};

/* A stack of a comparison. */
struct umdh_row {
	struct umdh_trace trace;
	struct umdh_change bytes;
	uint64_t count;
	struct umdh_change counts;
	bool has_counts;
	stack_number stack;
};

/* "Total increase == REQUESTED + OVERHEAD overhead = SUM"; old versions write only the first
 * number. */
struct umdh_total {
	uint64_t requested, overhead, sum;
	bool decrease, overhead_negative, sum_negative;
	bool has_sum;
};

enum umdh_line {
	UMDH_OTHER,
	UMDH_HEAD,   /* head of a snapshot */
	UMDH_MODULE, /* a loaded module */
	UMDH_START,  /* start of a heap */
	UMDH_END,    /* end of a heap */
	UMDH_BLOCK,
	UMDH_LEGEND, /* legend of a comparison */
	UMDH_ROW,    /* first line of a stack in a comparison: bytes */
	UMDH_COUNTS, /* second line of the same stack: number of blocks */
	UMDH_TOTAL,
	UMDH_BROKEN /* an incomplete block, row or total */
};

/* The content of a line. Only the members for the line's kind are set. The texts are parts of the
 * line. */
struct umdh_content {
	struct text version, time, host; /* HEAD */
	struct text module;              /* MODULE */
	struct text heap;                /* START, END */
	uint64_t pid;
	struct umdh_block block;
	struct umdh_row row;
	struct umdh_total total;
};

enum umdh_frame {
	UMDH_NO_FRAME,
	UMDH_FRAME,
	UMDH_FRAME_UNNAMED, /* "?? : 0x00401000": neither a module nor a name */
	UMDH_FRAME_CUT      /* the line is wrapped or truncated */
};

/* umdh_lines.c */
size_t umdh_mark(struct text line);
enum umdh_line umdh_scan(struct text line, struct umdh_content *out);
/* Scans a frame. For UMDH_FRAME_CUT, frame->function is set only if the line contains the complete
 * name. */
enum umdh_frame umdh_scan_frame(struct text line, struct frame *frame);

/* A comparison whose total has not been read. All zeros at first. */
struct umdh_comparison {
	struct umdh_row *rows;
	size_t count, room;
	metric_number metric;
};

/* umdh_compare.c */
bool umdh_compare_begin(struct umdh_comparison *c, struct reader *in);
/* Emits the stacks. `total` is NULL if the log has no total. *radix is 10 or 16. */
bool umdh_compare_end(
	struct umdh_comparison *c, struct reader *in, const struct umdh_total *total, int *radix);
void umdh_compare_release(struct umdh_comparison *c);
/* `hex` is a number whose digits were read as hexadecimal. Converts the same digits with this radix.
 * Fails if a digit is not valid in this radix, or if the value exceeds 63 bits. */
bool umdh_value(uint64_t hex, int radix, int64_t *out);
void umdh_trace_name(struct strbuf *to, struct umdh_trace trace);

#endif
