/* A result set's dictionaries and sums, which a load keeps in memory. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_PARTS_H
#define PROFDEPOT_STORE_LOAD_LOAD_PARTS_H

#include "base/decimal.h"
#include "base/hash.h"
#include "model/call_tree.h"
#include "model/finding.h"
#include "model/sink.h"
#include "stack_index.h"

struct load_count {
	int64_t rows;
	wide_int ids;
	wide_int values;
};

struct load_routine {
	uint8_t names[IDENTITY_BYTES]; /* frame identity */
	uint8_t lines[IDENTITY_BYTES]; /* frame identity with file and first line */
	/* The index + 1 of the line with this REC_ID. If it is 0, or the REC_ID is out of range,
	 * the map is used. */
	uint32_t *line_at;
	uint32_t line_room, line_count;
	struct text module, class_name, routine, file; /* kept for line identities */
	struct text unit;
	int64_t rec_id, source_line;
	struct finding_frame finding; /* computed for the first stack with the routine */
	bool has_finding;
	uint32_t name; /* index + 1 in the load's names; 0 if it is not shared */
};

struct load_line {
	uint8_t lines[IDENTITY_BYTES]; /* frame identity with file and this line */
	int64_t source_line;
};

struct load_total {
	int64_t class_id;
	stack_number stack;
	int metric;    /* the reader's metric, starting at 0, METRIC_LIVE_SIZE or METRIC_ERRORS */
	uint32_t name; /* objects: index in findings.names of the first object's leak kind */
	int64_t count;
	wide_int value; /* in fixed point; a whole number for objects and errors */
};

/* Errors with the same name and stack. */
struct load_error_sum {
	uint32_t name; /* index in findings.names */
	stack_number stack;
	int64_t count;
};

/* Sums of the magnitudes of a metric's facts. */
struct load_sums {
	wide_int count, value;
};

/* Metric numbers in the call tree: the reader's metrics, starting at 0, then the predefined ones. */
enum {
	METRICS_TOLD_MAX = CALL_TREE_MAX_METRICS - 3,
	METRIC_LIVE_COUNT = METRICS_TOLD_MAX,
	METRIC_LIVE_SIZE,
	METRIC_ERRORS,
};

/* Indexed by track id. */
struct load_track {
	bool told;
	metric_number told_metric;
	metric_number used; /* metric of the track's samples and spans; 0 before the first one */
};

enum {
	TRACKS_MAX = 16 * 1024 * 1024,
	/* A row must fit into a page, because blocks are not compressed. It has 28 bytes per item and
	 * 300 bytes of headers. */
	FRAMES_PER_BLOCK = 276,
	OPEN_BLOCKS_MAX = 1024, /* if more blocks are open, all are written */
};

/* Decimal texts are copies. */
struct frame_block {
	int32_t track;
	size_t count, room;
	int64_t base_id;
	int32_t *ids, *backs, *routines;
	struct decimal *starts, *stops;
};

/* A class with its exported counters and its objects' sums. */
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

/* Tags of digested rows, in addition to the relation numbers up to REL_STACKS. They must not
 * change, because depots store the digests. */
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
	DIGEST_ATTRIBUTES = 25, /* the set's attributes */
	DIGEST_TOOL,            /* the tool; only for a set without facts */
};

static inline int64_t
int64_or_zero(int64_t v)
{
	return v == MODEL_NULL ? 0 : v;
}

#endif
