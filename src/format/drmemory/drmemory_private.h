/*
 * The reader of Dr. Memory's results.txt, and of the same text on standard error, where each line begins with
 * "~~Dr.M~~ ". Source: report.c and callstack.c of Dr. Memory 2.6; files of two projects.
 *
 * Format: a head with version, process and command line; "Error #N: KIND: text" with frames and lines
 * "Note: ..."; then, after the last error, "DUPLICATE ERROR COUNTS:" with the counts of repeated errors, and
 * "ERRORS FOUND:" with totals by kind. A frame is "# 0 [MODULE!]ROUTINE [FILE:LINE]" or "# 0 [MODULE!]ROUTINE
 * +0xN (0xADDRESS <MODULE+0xN>)". A note that ends in "here:" begins a further stack. A leak is "[POSSIBLE
 * |REACHABLE ]LEAK N direct bytes 0xA-0xB + M indirect bytes".
 */
#ifndef PROFDEPOT_FORMAT_DRMEMORY_DRMEMORY_PRIVATE_H
#define PROFDEPOT_FORMAT_DRMEMORY_DRMEMORY_PRIVATE_H

#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"

enum {
	DM_TEXT_BYTES = 16 * 1024,
	DM_MAX_WAITING = 1000000, /* errors and leaks that wait for their counts */
	DM_KINDS = 8,
};

/* An error or leak that waits for its count. */
struct dm_item {
	bool leak, has_address;
	uint64_t number, count;
	uint64_t size, address; /* size and address of a leak */
	struct text kind, text, attributes;
	int64_t thread;
	struct log_stack *stacks;
	size_t stack_count;
};

enum dm_section {
	DM_HEAD,
	DM_ERRORS,
	DM_COUNTS,
	DM_TOTALS,
	DM_REST,
};

struct dm_state {
	struct log_report report;
	bool open;
	bool ended; /* the totals are complete */
	enum dm_section section;
	struct arena arena; /* texts of the items */
	struct dm_item *items;
	size_t count, room;
	uint64_t stated[DM_KINDS], listed[DM_KINDS]; /* distinct errors of each kind */
	bool has_stated[DM_KINDS];
	struct strbuf head;   /* members of the result set's attributes */
	struct strbuf totals; /* elements of an array */
	struct strbuf application;

	/* The current item; its texts are in the buffers. */
	bool in_item;
	struct dm_item item;
	struct log_stacks stacks;
	struct strbuf text, attributes, notes;
};

/* --- drmemory_rows.c ---------------------------------------------------------------------------- */

bool drmemory_begin(struct dm_state *s, struct reader *in);
bool drmemory_end_report(struct dm_state *s);
/* Begins an error or leak. `text` is the rest of the line after "Error #N: ". */
bool drmemory_begin_item(struct dm_state *s, uint64_t number, struct text text);
bool drmemory_end_item(struct dm_state *s);
/* "# 0 MODULE!ROUTINE [FILE:LINE]" */
bool drmemory_frame(struct dm_state *s, struct text line);
/* "12 unique, 21 total, 4093 byte(s) of leak(s)" */
void drmemory_total(struct dm_state *s, struct text line);

#endif
