/*
 * Streams of facts and of frames, ordered by set and key: as they come while
 * their order is the common one, through the external sort otherwise.
 */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_STREAMS_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_STREAMS_PRIVATE_H

#include "aqtime_private.h"

struct aqtime_fact {
	uint32_t set;
	uint64_t line, offset;
	union {
		struct object_row object;
		struct error_row error;
	} row; /* both begin with the id */
};

struct aqtime_frame {
	uint32_t set;
	uint32_t unused;
	uint64_t sequence, line, offset;
	int64_t parent_id, rec_id, id, routine_id, line_id, hit_count;
};

struct sorter;

struct aqtime_stream {
	struct aqtime_reader reader;
	bool present;
	bool sorted;
	bool errors; /* facts: errors, not objects */
	struct sorter *sorter;
	struct pair_map texts; /* interned while sorting errors */
	struct pair_map drop;  /* sequence numbers of frames that repeat an ID */
	size_t text_bytes;
	struct text *text_list;
	size_t text_count, text_room;
	uint32_t last_set; /* of the row before */
	int64_t last_key;
	bool any;
};

enum aqtime_step {
	AQTIME_ROW,
	AQTIME_END,
	AQTIME_FAILED,
	AQTIME_UNORDERED
};

bool aqtime_facts_open(struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted);
enum aqtime_step aqtime_facts_next(struct aqtime_stream *s, struct aqtime_fact *fact);
bool aqtime_frames_open(
	struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted, bool check_ids);
enum aqtime_step aqtime_frames_next(struct aqtime_stream *s, struct aqtime_frame *frame);
void aqtime_stream_close(struct aqtime_stream *s);

#endif
