/* Finds the stacks of a result set that have certain frames. */
#ifndef PROFDEPOT_STORE_STACK_FILTER_H
#define PROFDEPOT_STORE_STACK_FILTER_H

#include "base/error.h"

#include <stdint.h>

struct db;

struct stack_filter {
	bool *passes; /* for each stack, by its number */
	size_t count, room;
};

/* Finds the stacks that have a frame of a routine whose name matches one of the LIKE patterns, an array literal. */
bool stack_filter_read(struct db *db, int64_t inst_id, const char *patterns,
	struct stack_filter *filter, struct error *err);

void stack_filter_release(struct stack_filter *filter);

static inline bool
stack_filter_passes(const struct stack_filter *filter, uint32_t stack)
{
	return stack < filter->count && filter->passes[stack];
}

#endif
