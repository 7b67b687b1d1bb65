/* What a load keeps in memory about a result set: dictionaries and sums. */
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
	/* Indexed by REC_ID: the line's index + 1. If it is 0, or if the REC_ID is out of range, the
	 * line is looked up in the map. */
	uint32_t *line_at;
	uint32_t line_room, line_count;
	struct text module, class_name, routine, file; /* kept for line identities */
	struct text unit;
	int64_t rec_id, source_line;
	struct finding_frame finding; /* computed when the first stack with this routine is read */
	bool has_finding;
	uint32_t name; /* index + 1 in load.names; 0 if no other result set shares the texts */
};

struct load_line {
	uint8_t lines[IDENTITY_BYTES]; /* frame identity with file and this line */
	int64_t source_line;
};

struct load_total {
	int64_t class_id;
	stack_number stack;
	int metric; /* index of the reader's metric, or METRIC_LIVE_SIZE or METRIC_ERRORS */
	/* For objects: the leak kind of the first object, as an index in findings.names. */
	uint32_t name;
	bool sized; /* whether any of the objects has a size */
	int64_t count;
	wide_int value; /* in fixed point; for objects and errors: a whole number */
};

/* Errors with the same name and stack. */
struct load_error_sum {
	uint32_t name; /* index in findings.names */
	stack_number stack;
	int64_t count;
};

/* Sums of the absolute values of a metric's facts. */
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
	metric_number used; /* metric of the track's samples and spans; 0 before the first fact */
};

enum {
	TRACKS_MAX = 16 * 1024 * 1024,
	/* A block's row must fit into a page, because blocks are not compressed. The row has 28 bytes
	 * per item and 300 bytes of headers. */
	FRAMES_PER_BLOCK = 276,
	OPEN_BLOCKS_MAX = 1024, /* if this many are open, all are written before another opens */
};

/* The block owns copies of the decimals' texts. */
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
	bool has_meta, has_counters;
	struct number live_count, live_size;
	int64_t objects;
	wide_int size;
};

struct load_dangling {
	int64_t id;
	int64_t second; /* for DANGLING_LINE: the line; otherwise 0 */
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
	DIGEST_POSITION,        /* number of equal earlier reports in the log, unless 0 */
};

static inline int64_t
int64_or_zero(int64_t v)
{
	return v == MODEL_NULL ? 0 : v;
}

#endif
