/*
 * Joins the sums of two result sets by the identities of their stacks. The stacks' frames and names are not
 * needed. A pair takes 64 bytes, so that a comparison of 500,000 stacks takes less than 50 MB.
 */
#ifndef PROFDEPOT_ANALYSIS_STACK_TABLE_H
#define PROFDEPOT_ANALYSIS_STACK_TABLE_H

#include "analysis/compare.h"

/* In stack_pair.stacks: this side does not have the stack. */
#define STACK_ABSENT UINT32_MAX

/* A stack, with its sums on both sides. */
struct stack_pair {
	wide_int key; /* the stack's identity; stack_table_arrange replaces it by the sort key */
	wide_int values[FACTS_SIDES];
	int64_t count_change;
	uint32_t stacks[FACTS_SIDES]; /* lowest number of a stack with this identity, per side */
};

struct stack_table;

/* stack_table_free accepts NULL. */
struct stack_table *stack_table_new(void);
void stack_table_free(struct stack_table *t);

/* Adds a sum to one side. `identity` has IDENTITY_BYTES bytes; NULL means the facts without a stack. */
void stack_table_add(struct stack_table *t, enum facts_side side, const char *identity,
	uint32_t stack, int64_t count, wide_int value);

/* Scales the base's values so that both sides have the same sum. Returns the factor; 0 if either sum is not positive. */
long double stack_table_normalise(struct stack_table *t);

/* Returns the status and the sums of the pair; members that contain names are not set. */
struct compare_row stack_table_row(const struct stack_pair *pair);

/* Returns the sort key of a row. Rows with larger keys come first. */
typedef wide_int stack_key_fn(void *self, const struct compare_row *row);

/* Counts the pairs of each status. Selects the pairs with one of the `statuses`, adds them up in *sum, and
 * sorts them by the key (may be NULL), then by the largest change. Pairs with equal keys and changes are in
 * no defined order. Call it once. Returns the selected pairs, which belong to the table. */
const struct stack_pair *const *stack_table_arrange(struct stack_table *t, unsigned statuses,
	stack_key_fn *key, void *self, struct comparison *counts, struct compare_row *sum,
	size_t *count);

/* Compares two pairs in the order in which stack_table_arrange sorts them. Returns < 0, 0 or > 0. */
int stack_pair_compare(const struct stack_pair *x, const struct stack_pair *y);

#endif
