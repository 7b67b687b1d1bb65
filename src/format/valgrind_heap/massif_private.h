/* massif's reader: head and snapshots (massif.c), lines and trees (massif_tree.c). */
#ifndef PROFDEPOT_FORMAT_VALGRIND_HEAP_MASSIF_PRIVATE_H
#define PROFDEPOT_FORMAT_VALGRIND_HEAP_MASSIF_PRIVATE_H

#include "base/arena.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"

enum {
	MASSIF_SERIES = 3, /* values per snapshot */
	MASSIF_MAX_LINE_BYTES = 1024 * 1024,
};

/* The current snapshot. */
struct massif_snapshot {
	uint64_t number; /* from 1, in file order; 0 before the first */
	int64_t time, values[MASSIF_SERIES];
	bool has_time, has_values[MASSIF_SERIES];
};

/* A call in the current tree whose callers have not all been read. */
struct massif_node {
	int64_t bytes, inner; /* `inner` is the sum of its children's bytes */
	struct frame_numbers numbers;
	uint64_t children; /* number of children that are announced, but not read yet */
};

struct massif {
	struct reader *in;
	bool emitting; /* true in the second pass */
	struct arena arena;
	struct strbuf description, attributes;
	struct text command, time_unit;
	struct frame_dictionary *frames;
	metric_number peak_metric, last_metric, time_metric;
	int32_t tracks, peak_track, last_track, time_track;

	struct massif_snapshot snapshot;
	uint64_t peak, last; /* numbers of the snapshots whose trees are loaded, or 0 */
	int64_t peak_time, last_time, peak_bytes;

	struct massif_node *nodes; /* path from the root to the current line */
	size_t depth, room;
	struct text root;
};

/* Reports an issue about the current line, in the second pass only. */
bool massif_issue(struct massif *m, enum issue_code code, const char *message);
bool massif_next_line(struct massif *m, bool *more);

/* Reads the tree's lines. `kind` is the value of "heap_tree=". */
bool massif_read_heap_tree(struct massif *m, struct text kind);

#endif
