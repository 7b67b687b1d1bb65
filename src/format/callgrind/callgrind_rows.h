/*
 * What the reader of callgrind's profiles keeps: routines, costs of their lines
 * and calls, events. See callgrind_private.h.
 */
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

/* Number of a text of the dictionary; 0: none, or "???". */
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

/* What a routine spends on a line, itself or by calls to one other, or how
 * often it jumps from there. */
struct callgrind_row {
	enum callgrind_kind kind;
	uint32_t routine;
	callgrind_text file; /* that the line is of */
	int64_t line;        /* 0: unknown */
	uint32_t target;     /* routine called, or jumped into */
	int64_t target_line;
	uint64_t count, followed; /* calls; executions of a jump, of which followed */
	size_t costs;             /* index of the first, in cells */
};

struct callgrind_event {
	struct text name; /* as told; in the arena */
	struct text title;
	struct text unit;
	uint64_t scale; /* of a cost in that unit */
	/* Of a derived one: how often each event counts; NULL: it is in the file. */
	uint64_t *factors;
};

#endif
