/*
 * Stacks in memory, each with a value. A stack is a list of names, innermost frame first. A name is an index in
 * the names of a call tree (model/tree.h).
 */
#ifndef PROFDEPOT_MODEL_STACKS_H
#define PROFDEPOT_MODEL_STACKS_H

#include "base/decimal.h"

#include <stddef.h>
#include <stdint.h>

#define STACKS_END UINT32_MAX /* follows the last frame of each stack */

struct weighed_stack {
	uint32_t first; /* index in stacks.frames; the stack has at least one frame */
	wide_int value; /* fixed decimal, above 0 */
};

struct stacks {
	uint32_t *frames; /* names, and STACKS_END after each stack */
	size_t frame_count, frame_room;
	struct weighed_stack *items;
	size_t count, room;
};

#endif
