#ifndef PROFDEPOT_ANALYSIS_TREE_INVERT_PRIVATE_H
#define PROFDEPOT_ANALYSIS_TREE_INVERT_PRIVATE_H

#include "model/stacks.h"
#include "trees_private.h"

/* Points to a frame and carries the value of `leaf`: the self value of a node, or the value of a stack. */
struct cursor {
	uint32_t name; /* name of the frame */
	uint32_t frame, leaf;
};

struct run {
	size_t first, end; /* cursors */
	wide_int weight;
	uint32_t node; /* index in the result */
};

/* Frames and leaves are either nodes of `from`, or frames and items of `stacks`. */
struct inversion {
	const struct tree *from;
	const uint32_t *same;        /* see tree_same_names; for nodes only */
	const struct stacks *stacks; /* NULL for nodes */
	struct tree *to;
	size_t capacity, max_nodes;
	struct cursor *cursors;
	struct run *heap; /* runs whose callers were not added yet; the heaviest run is on top */
	size_t heap_count, heap_capacity;
	uint64_t steps;
};

/* Makes `work`, a tree like `from`, the result, which has only its root. */
void inversion_begin(struct inversion *v, struct tree *work, size_t max_nodes);

/* Makes room for `count` more nodes, up to max_nodes. */
void inversion_make_room(struct inversion *v, size_t count);

/* Adds a node and pushes its run, whose node is set. */
void inversion_add(struct inversion *v, uint32_t parent, uint32_t name, struct run r);

/* Returns whether the heaviest run needs its callers, and the limits allow to add them. */
bool inversion_goes_on(const struct inversion *v, double least);

/* Adds the callers of the heaviest run. */
void inversion_step(struct inversion *v);

/* Gives the values of the remaining runs to their nodes, and returns the tree in preorder. Frees everything. */
struct tree *inversion_end(struct inversion *v, struct arena *a);

#endif
