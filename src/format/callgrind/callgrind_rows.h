/* What the reader of callgrind's profiles keeps; see callgrind_private.h. */
#ifndef PROFDEPOT_FORMAT_CALLGRIND_CALLGRIND_ROWS_H
#define PROFDEPOT_FORMAT_CALLGRIND_CALLGRIND_ROWS_H

#include "base/text.h"

#include <stdint.h>

enum callgrind_space {
	SPACE_OBJECT,
	SPACE_FILE,
	SPACE_FUNCTION,
	CALLGRIND_SPACES
};

/* Number of a text in the table; 0 means no name, or "???". */
typedef uint32_t callgrind_text;

struct callgrind_routine {
	callgrind_text object, file, name;
	bool called;
};

enum callgrind_kind {
	KIND_SELF,
	KIND_CALL,
	KIND_JUMP,
	KIND_CONDITIONAL,
	CALLGRIND_KINDS
};

/* What a routine costs on one line: its own cost, or that of its calls of one other routine; or how
 * often it jumps from that line. */
struct callgrind_row {
	enum callgrind_kind kind;
	uint32_t routine;
	callgrind_text file; /* of the line */
	int64_t line;        /* 0: unknown */
	uint32_t target;     /* the routine called or jumped into */
	int64_t target_line;
	uint64_t count, followed; /* calls; executions of a jump, and how many were followed */
	size_t costs;             /* index of the first, in cells */
};

struct callgrind_event {
	struct text name; /* in the arena */
	struct text title;
	struct text unit;
	uint64_t scale; /* units per cost */
	/* For a derived event, which is a sum of others: the factor of each event. Otherwise NULL. */
	uint64_t *factors;
};

#endif
