/*
 * massif's reader: its head and snapshots (massif.c), its trees (massif_tree.c).
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_HEAP_MASSIF_PRIVATE_H
#define PROFDEPOT_FORMAT_VALGRIND_HEAP_MASSIF_PRIVATE_H

#include "base/arena.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"
#include "format/format.h"
#include "input/line_reader.h"

enum {
	MASSIF_SERIES = 3, /* values of a snapshot */
	MASSIF_MAX_LINE_BYTES = 1024 * 1024,
};

/* The snapshot that is read. */
struct massif_snapshot {
	uint64_t number; /* from 1, in the order of the file; 0: none yet */
	int64_t time, values[MASSIF_SERIES];
	bool has_time, has_values[MASSIF_SERIES], told;
	uint64_t line, offset;
};

/* A call of the tree that is open. */
struct massif_node {
	int64_t bytes, inner; /* of its children */
	struct frame_numbers numbers;
	uint64_t children;
};

struct massif {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	uint32_t set;
	size_t member;
	const char *name;
	int64_t done; /* bytes of the members before */
	struct line_reader *lines;
	struct line line;
	bool telling; /* the second time */
	struct arena arena;
	struct strbuf description, attributes;
	struct text command, time_unit;
	struct frame_dictionary *frames_told;
	metric_number peak_metric, last_metric, time_metric;
	int32_t tracks, peak_track, last_track, time_track;

	struct massif_snapshot snapshot;
	uint64_t peak, last; /* snapshots whose trees are told; 0: none */
	int64_t peak_time, last_time, peak_bytes;

	struct massif_node *nodes; /* from the root to the line that is read */
	size_t depth, room;
	struct text root;
};

bool massif_refuse(struct massif *m, const char *format, ...) ERROR_PRINTF(2, 3);
/* At the line that is read; only while telling. */
bool massif_issue(struct massif *m, enum issue_code code, const char *message);
bool massif_next_line(struct massif *m, bool *more);
bool massif_take(struct text *t, const char *prefix);
/* Digits; false beyond 2^63 - 1. */
bool massif_take_number(struct text *t, int64_t *value);

/* massif_tree.c: what follows "heap_tree=", and the lines of the tree. */
bool massif_read_heap_tree(struct massif *m, struct text kind);

#endif
