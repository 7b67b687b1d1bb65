/* The data that the callgrind reader keeps. */
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

/* A text's number in the table; 0 means no name, or "???". */
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

/* The costs of one line of a routine: the line's own costs, or the costs of the calls that the line
 * makes to one routine. For a jump, the row counts how often the line jumps. */
struct callgrind_row {
	enum callgrind_kind kind;
	uint32_t routine;
	callgrind_text file; /* the line's file */
	int64_t line;        /* 0 if unknown */
	uint32_t target;     /* the routine called or jumped into */
	int64_t target_line;
	uint64_t count, followed; /* number of calls or executed jumps; number of followed jumps */
	size_t costs;             /* index of the first cost in callgrind.cells */
};

struct callgrind_event {
	struct text name; /* in the arena */
	struct text title;
	struct text unit;
	uint64_t scale; /* factor that converts a cost to the unit */
	/* The factors of a derived event, which is a weighted sum of all events in the file. NULL
	 * for other events. */
	uint64_t *factors;
};

#endif
