/*
 * What a load keeps of a result set's dictionaries and sums.
 */
#ifndef PROFDEPOT_SRC_STORE_LOAD_PARTS_H
#define PROFDEPOT_SRC_STORE_LOAD_PARTS_H

#include "base/hash.h"
#include "model/sink.h"

/* Sums of up to 2^63 IDs or sizes need more than 64 bits. */
__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_bits;

struct load_count {
	int64_t rows;
	wide_int ids;
	wide_int values;
};

struct load_routine {
	uint8_t names[IDENTITY_BYTES];                 /* frame identity */
	uint8_t lines[IDENTITY_BYTES];                 /* with file and the routine's first line */
	struct text module, class_name, routine, file; /* of dictionary size: kept for the lines */
};

struct load_line {
	uint8_t lines[IDENTITY_BYTES]; /* frame identity with file and this line */
};

struct load_stack {
	struct hash128 content;
	int64_t frames;
	wide_int routine_sum;
	wide_int frame_id_sum; /* of a private stack */
	bool private_ids;
};

struct load_total {
	int64_t class_id;
	stack_number stack;
	int metric; /* METRIC_LIVE or METRIC_ERRORS */
	int64_t count;
	wide_int value;
};

enum {
	METRIC_LIVE,
	METRIC_ERRORS,
	METRICS
};

/* A class: counters as exported, and what its objects sum up to. */
struct load_class {
	int64_t rec_id;
	struct text name;
	bool has_counters;
	struct number live_count, live_size;
	int64_t objects;
	wide_int size;
};

struct load_dangling {
	int64_t id;
	int64_t second; /* line of a routine */
	int kind;
	int64_t count;
};

enum {
	DANGLING_ROUTINE,
	DANGLING_LINE,
	DANGLING_CLASS,
	DANGLING_THREAD
};

#endif
