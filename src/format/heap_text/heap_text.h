/*
 * Shared by the readers of jemalloc and tcmalloc text heap profiles: values and their scale, mapped
 * libraries, symbols.
 *
 * A sampling allocator sees an allocation of `size` bytes with probability 1 - exp(-size / rate).
 * Like jeprof and pprof, the readers divide a stack's values by this probability, for the mean size of
 * the stack's allocations. Reports show these scaled values. The values in the file become separate
 * metrics.
 */
#ifndef PROFDEPOT_FORMAT_HEAP_TEXT_HEAP_TEXT_H
#define PROFDEPOT_FORMAT_HEAP_TEXT_HEAP_TEXT_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"

enum {
	HEAP_VALUES = 4,
	HEAP_STACK_MAX = 1 << 20, /* maximum number of addresses in one stack */
	HEAP_COMMENTS_MAX_BYTES = 64 * 1024
};

/* The values of a sample, in the order of the metrics. */
enum heap_value {
	HEAP_LIVE_BYTES,
	HEAP_LIVE_OBJECTS,
	HEAP_ALL_BYTES,
	HEAP_ALL_OBJECTS
};

struct heap_counts {
	uint64_t v[HEAP_VALUES]; /* each is at most INT64_MAX */
};

struct heap_mapping {
	uint64_t start, end, offset;
	uint64_t base; /* as in frame_place */
	struct text path;
};

struct heap_text {
	struct reader *in;
	struct frame_dictionary *frames;
	struct arena arena; /* holds mappings and symbols */

	struct heap_mapping *mappings; /* sorted by start */
	size_t mapping_count, mapping_room;
	struct pair_map symbol_of; /* maps an address to an index in symbols */
	struct text *symbols;      /* names at an address, innermost first, separated by "--" */
	size_t symbol_count, symbol_room;
	bool has_libraries; /* whether the file has MAPPED_LIBRARIES */

	double rate;          /* sample rate in bytes; 0 if every allocation was seen */
	bool all;             /* whether the file also has values for freed allocations */
	bool rounds;          /* round scaled values to the nearest integer, instead of down */
	metric_number metric; /* the first metric */
	bool threads;         /* whether at least one stack has counts per thread */
	metric_number thread_metric;
	int32_t track, track_count;            /* track is the track of the whole heap */
	uint64_t sample_count, left_out_count; /* left_out_count is the number of skipped lines */
	uint64_t *addresses;                   /* addresses of the current stack */
	size_t address_count, address_room;
	struct strbuf attributes, comments; /* comments are the elements of a JSON array */
};

/* Reads the open member in one pass. */
typedef bool heap_read(struct heap_text *h);

/* Implement member_kind.look and .read. A profile's first line begins with `begin`. */
int heap_text_look(const struct format_source *source, size_t member, const char *begin);
bool heap_text_read(struct reader *r, heap_read *read_lines);

/* Like reader_line, but removes the blanks around the line, and also ends the loop at the list of
 * libraries. */
bool heap_text_line(struct heap_text *h, bool *ok);
/* Reads up to the line that begins the profile. This line is then h->in->line. */
bool heap_text_begin(struct heap_text *h, const char *begin);
/* Emits an issue about the current line, which is skipped. */
bool heap_text_left_out(struct heap_text *h, const char *message);

/* Parses "1: 2 [3: 4]": live objects and bytes, then all objects and bytes. */
bool heap_text_counts(struct text *t, struct heap_counts *counts);
/* Sets the current stack from addresses such as "0x1 0x2". Returns false if the text contains
 * anything other than addresses. */
bool heap_text_addresses(struct heap_text *h, struct text t);

/* Call it before the first sample. Stores the totals, and emits the metrics and the track of the
 * whole heap. */
bool heap_text_head(struct heap_text *h, uint64_t rate, const struct heap_counts *total);
bool heap_text_track(struct heap_text *h, struct text name, int64_t thread_id, int32_t *track);
/* Makes the first pass over a file. This pass reads the libraries and symbols. */
heap_read heap_text_read_libraries;
/* Emits an issue if the file has no MAPPED_LIBRARIES. */
bool heap_text_check_libraries(struct heap_text *h);
/* Emits the current stack of addresses. */
bool heap_text_stack(struct heap_text *h, stack_number *stack);

/* Emits a sample of the whole heap. */
bool heap_text_sample(struct heap_text *h, stack_number stack, const struct heap_counts *raw);
/* Emits a sample of one thread, with the separate metrics for threads. */
bool heap_text_thread_sample(
	struct heap_text *h, int32_t track, stack_number stack, const struct heap_counts *raw);

#endif
