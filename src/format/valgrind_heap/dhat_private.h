/* DHAT's reader: head and frames (dhat.c), values and program points (dhat_points.c). */
#ifndef PROFDEPOT_FORMAT_VALGRIND_HEAP_DHAT_PRIVATE_H
#define PROFDEPOT_FORMAT_VALGRIND_HEAP_DHAT_PRIVATE_H

#include "base/arena.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"
#include "input/json/json_reader.h"

struct dhat_frame {
	struct frame_numbers numbers;
	struct text name; /* for an allocator, the function's name; otherwise the module's */
	bool allocates;
};

struct dhat {
	struct reader *in;
	struct json_reader *json;
	struct frame_dictionary *dictionary;
	struct arena arena;

	int64_t version;
	struct text mode, verb, command, unit, units, blocks, time_unit;
	int64_t pid, short_lived;
	bool has_lifetimes, has_accesses;     /* bklt, bkacc */
	bool knows_lifetimes, knows_accesses; /* whether the file has these members */
	struct strbuf attributes, accesses, scratch;
	bool attributes_full;

	struct dhat_frame *frames; /* ftbl */
	size_t frame_count, frame_room;
	bool has_points, has_frames;

	metric_number metric;
	size_t field_count; /* number of metrics */
	int64_t next_object;
};

/* Refuses a value whose type is not `wanted`. In the message, `noun` names the type: "an array". */
bool dhat_expect(struct dhat *d, const char *key, enum json_type wanted, const char *noun);
bool dhat_read_int(struct dhat *d, const char *key, int64_t *value);
bool dhat_enter_array(struct dhat *d, const char *key);

/* dhat_points.c. Both functions require that the frames have been read. */
bool dhat_emit_metrics(struct dhat *d);
/* Reads the value of "pps". */
bool dhat_read_points(struct dhat *d);

#endif
