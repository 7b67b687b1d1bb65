/*
 * Streams of facts and frames, ordered by set and key. If the file is not in this order, the external sort
 * sorts its rows.
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
	} row; /* both structs begin with the ID */
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
	bool errors; /* true: errors or their frames; false: objects or their frames */
	const struct row_table *own; /* NULL unless the stream reads profdepot's own table */
	struct sorter *sorter;
	struct pair_map texts; /* texts of errors, each kept once while sorting */
	struct pair_map drop;  /* the sequence numbers of frames that repeat an ID */
	size_t text_bytes;
	struct text *text_list;
	size_t text_count, text_room;
	uint32_t last_set; /* the previous row's set */
	int64_t last_key;
	bool any;
};

bool aqtime_facts_open(struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted);
/* Opens profdepot's own table of facts. A fact from this table has only its ID and the members that
 * AQTime's tables lack. */
bool aqtime_own_facts_open(struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted);
/* If check_ids is true, the stream skips frames that repeat an ID. */
bool aqtime_frames_open(
	struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted, bool check_ids);

/* Read the next row. If they return AQTIME_UNORDERED, the caller must read the input again with sorting. */
enum aqtime_step aqtime_facts_next(struct aqtime_stream *s, struct aqtime_fact *fact);
enum aqtime_step aqtime_frames_next(struct aqtime_stream *s, struct aqtime_frame *frame);

/* Makes an issue that points to a row of the stream. */
struct issue aqtime_stream_place(
	const struct aqtime_stream *s, enum issue_code code, uint64_t line, uint64_t offset);

void aqtime_stream_close(struct aqtime_stream *s);

#endif
