/*
 * Sums of samples or objects by stack, for comparisons of large result sets. Stacks of two result sets are
 * matched by their stored identities. No names are read until it is known which rows to show.
 */
#ifndef PROFDEPOT_STORE_STACK_SUMS_H
#define PROFDEPOT_STORE_STACK_SUMS_H

#include "base/decimal.h"
#include "base/error.h"
#include "model/table.h"

#include <stdint.h>

struct db;

/* The sum of one stack on one track, or of the objects of one stack and class. A stack can have several sums. */
struct stack_sum {
	uint32_t stack;       /* 0: the facts without a stack */
	struct text identity; /* 16 bytes; NULL if the stack is 0 or its identity is unknown */
	int64_t class_id;     /* objects: REC_ID of the class, -1 if there is no class */
	int64_t count;        /* samples or objects */
	wide_int value;       /* fixed-point, in the metric's unit; of objects: the known sizes */
	bool known, unknown;  /* objects: whether sizes are known, and whether sizes are unknown */
};

/* Borrows the sum. */
typedef void stack_sum_fn(void *self, const struct stack_sum *sum);

/* Passes the sums to `each`, in any order. With `lines`, the identity is that of names, files and lines. The result set
 * must be closed. The metric must measure samples; NULL means the objects. */
bool stack_sums_each(struct db *db, int64_t inst_id, const char *metric, bool lines,
	stack_sum_fn *each, void *self, struct error *err);

/* Borrows the texts, which can be empty. */
typedef void stack_class_fn(
	void *self, int64_t class_id, struct text class_name, struct text module_name);

/* Passes the classes of the result set to `each`, in any order. */
bool stack_classes_each(
	struct db *db, int64_t inst_id, stack_class_fn *each, void *self, struct error *err);

/* Passes the sums of the objects of each class to `each`, in any order. The members for the stack are not set. */
bool stack_class_sums_each(
	struct db *db, int64_t inst_id, stack_sum_fn *each, void *self, struct error *err);

/* *equal becomes true if it is certain that two stacks have the same identity whenever their names are the same, apart
 * from the folders of modules. This is certain if both result sets are closed, no two modules differ only in their
 * folders, and no routine occurs both with and without a module. With `lines`, this function judges the identities of
 * names, files and lines. Then it does not matter which routines have no module, but no routine may occur in files that
 * differ only in their folders. */
bool stack_identities_are_names(struct db *db, int64_t inst_id, int64_t base_id, bool lines,
	bool *equal, struct error *err);

/* Stacks of a result set, as an SQL array. */
struct stack_list {
	int64_t inst_id;
	const char *stacks;
};

/* Borrows the frame. */
typedef void stack_frame_fn(void *self, uint32_t stack, const struct table_frame *frame);

/* Passes the frames of the stacks to `each`, sorted by stack. In each stack, the innermost frame comes first. */
bool stack_frames_each(struct db *db, const struct stack_list *list, stack_frame_fn *each,
	void *self, struct error *err);

/* `list` is the index of the stack's list, 0 or 1. Two stacks have equal ranks if the names of their innermost
 * frames are equal, even if the stacks are in different lists. */
typedef void stack_rank_fn(void *self, int list, uint32_t stack, uint32_t rank);

/* Ranks the stacks of both lists by the names of their innermost frames. Passes the ranks to `each`, sorted by
 * list and stack. */
bool stack_ranks_each(struct db *db, const struct stack_list lists[2], stack_rank_fn *each,
	void *self, struct error *err);

#endif
