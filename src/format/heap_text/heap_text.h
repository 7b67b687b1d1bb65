/*
 * Heap profiles as text: what the readers of jemalloc's and tcmalloc's share. Values,
 * their scaling, mapped libraries, symbols.
 *
 * A sampling allocator tells what its samples saw. An allocation of `size` bytes is seen
 * with the probability 1 - exp(-size / rate), so jeprof and pprof divide by that, with a
 * stack's mean size: these are the values that reports show. What the file says comes as
 * metrics of its own beside them.
 */
#ifndef PROFDEPOT_FORMAT_HEAP_TEXT_HEAP_TEXT_H
#define PROFDEPOT_FORMAT_HEAP_TEXT_HEAP_TEXT_H

#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"
#include "format/format.h"
#include "input/line_reader.h"

enum {
	HEAP_VALUES = 4,
	HEAP_STACK_MAX = 1 << 20, /* addresses of one stack */
	HEAP_COMMENTS_MAX_BYTES = 64 * 1024
};

/* In the order of the metrics. */
enum heap_value {
	HEAP_LIVE_BYTES,
	HEAP_LIVE_OBJECTS,
	HEAP_ALL_BYTES,
	HEAP_ALL_OBJECTS
};

struct heap_counts {
	uint64_t v[HEAP_VALUES];
};

struct heap_mapping {
	uint64_t start, end, offset;
	uint64_t base; /* where the file's begin is, or would be */
	struct text path;
};

struct heap_symbol {
	struct text names; /* innermost first, parted by "--" */
};

struct heap_text {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	const char *name; /* of the file that is read */
	size_t member;
	int64_t before; /* bytes of the files read before */
	uint32_t set;
	struct frame_dictionary *frames;
	struct arena arena; /* of mappings and symbols */
	struct line line;

	struct heap_mapping *mappings; /* sorted by start */
	size_t mapping_count, mapping_room;
	struct pair_map symbol_of; /* address to index */
	struct heap_symbol *symbols;
	size_t symbol_count, symbol_room;
	bool has_libraries; /* the file comes to its MAPPED_LIBRARIES */

	double rate;          /* bytes; 0: every allocation was seen */
	bool all;             /* not only what is alive */
	bool rounds;          /* to the nearest; else down */
	metric_number metric; /* the first */
	bool threads;         /* some stack has counts by thread */
	metric_number thread_metric;
	int32_t track_count;
	uint64_t sample_count, left_out_count; /* lines, of those left out */
	uint64_t *addresses;                   /* of the stack in the making */
	size_t address_count, address_room;
	struct strbuf attributes, comments;
};

/* In: one file of the input. */
typedef bool heap_read(struct heap_text *h, struct line_reader *r);

/* Which line the format's files begin with; those of `pprof --raw' have it farther on. */
int heap_text_probe(const struct format_source *source, const char *begin);
/* Each file that has such a line: its own result set, read by `read'. */
enum format_result heap_text_read(struct format_source *source, struct sink *sink,
	const char *begin, heap_read *read, struct error *err);

/* The next line, without blanks around it; *more false at the file's end or where the
 * libraries begin. */
bool heap_text_next(struct heap_text *h, struct line_reader *r, bool *more);
bool heap_text_issue(struct heap_text *h, enum issue_code code, const char *message);

/* "1: 2 [3: 4]", taken: objects and bytes alive, then ever. */
bool heap_text_counts(struct text *t, struct heap_counts *counts);
/* "0x1 0x2", the stack in the making. False: there is something else. */
bool heap_text_addresses(struct heap_text *h, struct text t);

/* Before the first sample. */
bool heap_text_metrics(struct heap_text *h);
bool heap_text_track(struct heap_text *h, struct text name, int64_t thread_id, int32_t *track);
/* The first pass over a file. */
bool heap_text_read_libraries(struct heap_text *h, struct line_reader *r);
/* The frames of the stack in the making: of an address the symbols that the file tells, or
 * its place in a library. */
bool heap_text_push(struct heap_text *h, uint64_t address);
bool heap_text_stack(struct heap_text *h, stack_number *stack);

bool heap_text_sample(
	struct heap_text *h, int32_t track, stack_number stack, const struct heap_counts *raw);
/* Of one thread, as metrics of their own. */
bool heap_text_thread_sample(
	struct heap_text *h, int32_t track, stack_number stack, const struct heap_counts *raw);

#endif
