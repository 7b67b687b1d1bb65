/* Call stacks in the cells of a table. */
#ifndef PROFDEPOT_MODEL_TABLE_FRAME_H
#define PROFDEPOT_MODEL_TABLE_FRAME_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

struct table_frame {
	struct text module_name, class_name, routine_name, unit_name, source_file;
	int64_t source_line; /* INT64_MIN if unknown */
	struct text symbol;  /* mangled; NULL or empty if unknown */
};

#define TABLE_NO_LINE INT64_MIN

/* A further stack, such as where a block was freed. */
struct table_stack {
	struct text role;    /* freed_at ...; see model/rows.h */
	struct text heading; /* in words: "freed by thread 2" */
	const struct table_frame *frames;
	size_t frame_count; /* 0 if the stack is unknown */
};

#endif
