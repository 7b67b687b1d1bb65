/*
 * Joins the sums of two result sets by stack or, for objects, by class and stack. Stacks are matched by their identities,
 * so their frames and names are not needed. A pair takes 64 bytes, so that a comparison of 500,000 stacks takes less
 * than 50 MB.
 */
#ifndef PROFDEPOT_ANALYSIS_STACK_TABLE_H
#define PROFDEPOT_ANALYSIS_STACK_TABLE_H

#include "analysis/compare.h"

/* In stack_pair.stacks: this side does not have the stack. */
#define STACK_ABSENT UINT32_MAX

/* The sums of one side. */
union stack_figures {
	wide_int value; /* of samples */
	struct {
		int64_t count, size;
	} objects;
};

/* A stack, with its sums on both sides. */
struct stack_pair {
	wide_int key; /* from the identity; stack_table_arrange replaces it by the sort key */
	union stack_figures figures[FACTS_SIDES];
	uint32_t stacks[FACTS_SIDES]; /* lowest number of a stack with this identity, per side */
	union {
		int64_t count_change; /* of samples */
		struct {
			uint32_t class_number;
			uint8_t parts[FACTS_SIDES]; /* bits of enum facts_part */
		} objects;
	};
};

/* A sum of one side. */
struct stack_item {
	const char *identity;  /* IDENTITY_BYTES bytes; NULL means the facts without a stack */
	uint32_t class_number; /* objects: the caller's number for class and module; otherwise 0 */
	uint32_t stack;
	int64_t count;
	wide_int value; /* fixed-point */
	uint8_t parts;  /* bits of enum facts_part; for objects */
};

struct stack_table;

/* The question must be for a comparison by stack, and outlive the table. stack_table_free accepts NULL. */
struct stack_table *stack_table_new(const struct compare_question *q);
void stack_table_free(struct stack_table *t);

/* Adds a sum to one side. Returns false if a sum of objects is too large for the table; the table is then incomplete. */
bool stack_table_add(struct stack_table *t, enum facts_side side, const struct stack_item *item);

/* Scales the base's samples so that both sides have the same sum. Returns the factor; 0 if either sum is not positive. */
long double stack_table_normalise(struct stack_table *t);

/* Returns the status and the sums of the pair; members that contain names are not set. */
struct compare_row stack_table_row(const struct stack_table *t, const struct stack_pair *pair);

/* Returns the sort key of a row, which is the pair's row. Rows with larger keys come first. */
typedef wide_int stack_key_fn(
	void *self, const struct stack_pair *pair, const struct compare_row *row);

/* Counts the pairs of each status. Selects the pairs with one of the `statuses`, adds them up in *sum, and
 * sorts them by the key (may be NULL), then by the largest change. Pairs with equal keys and changes are in
 * no defined order. Call it once. Returns the selected pairs, which belong to the table. */
const struct stack_pair *const *stack_table_arrange(struct stack_table *t, unsigned statuses,
	stack_key_fn *key, void *self, struct comparison *counts, struct compare_row *sum,
	size_t *count);

/* Compares two pairs in the order in which stack_table_arrange sorts them. Returns < 0, 0 or > 0. */
int stack_pair_compare(
	const struct stack_table *t, const struct stack_pair *x, const struct stack_pair *y);

#endif
