/*
 * The distinct stacks of a result set. There can be millions, so all structures are as small as
 * possible.
 */
#ifndef PROFDEPOT_STORE_LOAD_STACK_INDEX_H
#define PROFDEPOT_STORE_LOAD_STACK_INDEX_H

#include "base/decimal.h"
#include "base/hash.h"

#include <stdbool.h>

struct load_stack {
	/* The first five members are set only for stacks that are written to a depot. */
	uint8_t own[IDENTITY_BYTES]; /* finding_own_identity, or else finding_module_identity */
	int64_t lines;               /* the first half of its line_identity */
	uint32_t own_routine;        /* index + 1 of the own frame's routine; 0 if there is none */
	int32_t own_line;            /* 0 if unknown */
	uint32_t node;               /* call tree node of the innermost frame */
	/* Index + 1 of the totals of the stack's first and last fact; 0 if there are no facts. */
	uint32_t first_total, last_total;
	uint32_t sums; /* index + 1 in the list of stack sums; 0 if routine_sum contains the sum */
	int64_t routine_sum;
	uint32_t frames;
	bool private_ids, named; /* named: `own` was computed by finding_own_identity */
};

/* The sums of a stack that stores the IDs of its frames, or whose sum of routine IDs exceeds 64 bits. */
struct load_stack_sums {
	wide_int routines, frame_ids;
};

struct load_stack_sum_list {
	struct load_stack_sums *items;
	size_t count, room;
};

/* Identifies a stack while rows are read. */
struct stack_key {
	struct hash128 content;
	uint64_t hash; /* hash of the load's seed and the bytes that `content` covers */
};

struct stack_slot {
	uint32_t tag;   /* upper 32 bits of the hash; the highest bits of the tag select the slot */
	uint32_t stack; /* index + 1; 0 if the slot is free */
};

/* Finds a stack by its key. A zeroed index is empty. */
struct stack_index {
	struct stack_key *keys; /* one per stack */
	size_t count, room;
	struct stack_slot *slots;
	unsigned size_log2; /* log2 of the number of slots; 0 before the first stack */
	size_t used;        /* number of used slots */
};

#define STACK_NONE UINT32_MAX

void stack_index_release(struct stack_index *x);

/* Returns the index of the stack with this key, or STACK_NONE. */
uint32_t stack_index_find(const struct stack_index *x, const struct stack_key *key);

/* Adds the next stack. If is_private is true, stack_index_find will never return this stack. */
void stack_index_add(struct stack_index *x, const struct stack_key *key, bool is_private);

#endif
