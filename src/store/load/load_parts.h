/*
 * What a load keeps of a result set's dictionaries and sums.
 */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_PARTS_H
#define PROFDEPOT_STORE_LOAD_LOAD_PARTS_H

#include "base/decimal.h"
#include "base/hash.h"
#include "model/call_tree.h"
#include "model/sink.h"

struct load_count {
	int64_t rows;
	wide_int ids;
	wide_int values;
};

struct load_routine {
	uint8_t names[IDENTITY_BYTES]; /* frame identity */
	uint8_t lines[IDENTITY_BYTES]; /* with file and the routine's first line */
	uint32_t *line_at; /* [REC_ID of a line]: index + 1; 0, or beyond line_room: see the map */
	uint32_t line_room, line_count;
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
	uint32_t node;  /* of the call tree: the innermost frame */
	uint32_t total; /* where its last fact was added */
};

struct load_total {
	int64_t class_id;
	stack_number stack;
	int metric; /* the reader's from 0; METRIC_LIVE_SIZE: bytes; METRIC_ERRORS */
	int64_t count;
	wide_int value; /* fixed; of objects and errors in whole ones */
};

/* Numbers in the call tree: the reader's metrics from 0, then the predefined ones. */
enum {
	METRICS_TOLD_MAX = CALL_TREE_MAX_METRICS - 3,
	METRIC_LIVE_COUNT = METRICS_TOLD_MAX,
	METRIC_LIVE_SIZE,
	METRIC_ERRORS,
};

/* By track id. */
struct load_track {
	bool told;
	metric_number told_metric;
	metric_number used; /* by samples and spans; 0 if not used yet */
};

enum {
	TRACKS_MAX = 16 * 1024 * 1024,
	/* So that a row fits its page, since a block is not compressed: 28 bytes an item
	 * beside 300 of headers. */
	FRAMES_PER_BLOCK = 276,
	OPEN_BLOCKS_MAX = 1024, /* of all tracks; then all are written */
};

/* Texts of decimals are copies. */
struct frame_block {
	int32_t track;
	size_t count, room;
	int64_t base_id;
	int32_t *ids, *backs, *routines;
	struct decimal *starts, *stops;
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

/* Tags of digested rows, beside the relations up to REL_STACKS. Depots keep digests, so these
 * numbers must not change. */
enum {
	DIGEST_SET = 15,
	DIGEST_METRICS,
	DIGEST_TRACKS,
	DIGEST_SAMPLES,
	DIGEST_SPANS,
	DIGEST_FRAMES,
	DIGEST_FURTHER_STACKS,
	DIGEST_SUPPRESSIONS,
	DIGEST_GRAPH,
	DIGEST_ATTRIBUTES = 25, /* of the set */
};

#endif
