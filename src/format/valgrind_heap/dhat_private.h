/*
 * DHAT's reader: its head and frames (dhat.c), its points (dhat_points.c).
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_HEAP_DHAT_PRIVATE_H
#define PROFDEPOT_FORMAT_VALGRIND_HEAP_DHAT_PRIVATE_H

#include "base/arena.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"
#include "format/format.h"
#include "input/json/json_reader.h"

struct dhat {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	uint32_t set;
	size_t set_member; /* of the bundle */
	const char *name;
	int64_t done; /* bytes of the members before */
	struct json_reader *json;
	struct frame_dictionary *frames_told;
	struct arena arena;

	int64_t version;
	struct text mode, verb, command, unit, units, blocks, time_unit;
	int64_t pid, short_lived;
	bool has_lifetimes, has_accesses; /* bklt, bkacc */
	bool told_lifetimes, told_accesses;
	struct strbuf attributes, accesses, scratch;

	struct frame_numbers *frames;
	bool *allocators;
	struct text *names; /* of an allocator the function, else the module */
	size_t frame_count, frame_room;
	bool has_points, has_frames;

	metric_number metric;
	size_t field_count; /* metrics told */
	uint64_t points;
	int64_t next_object;
};

bool dhat_refuse(struct dhat *d, uint64_t offset, const char *message);
/* A number from 0 to 2^63 - 1; else refused with its key. */
bool dhat_read_int(struct dhat *d, const char *key, int64_t *value);
bool dhat_enter_array(struct dhat *d, const char *key);

/* dhat_points.c */
bool dhat_tell_metrics(struct dhat *d);
/* "pps", once the frames are known. */
bool dhat_read_points(struct dhat *d);

#endif
