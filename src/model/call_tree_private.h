/*
 * The data of a call tree. call_tree.c builds it; call_tree_sums.c computes its sums,
 * call_tree_answer.c its nodes, and call_tree_routines.c the totals of its routines.
 *
 * Most nodes have one child, which was added directly after them. A chain is a sequence of nodes with
 * consecutive numbers. Every node of a chain except the first is a child of the node before it. Only chains
 * are in the hash table, so a node of a long stack takes little more memory than the number of its routine.
 * The sums are stored by section. A section is a part of a chain in which every node except the last has
 * exactly one child and no value of its own. Therefore all nodes of a section have the same total.
 */
#ifndef PROFDEPOT_SRC_MODEL_CALL_TREE_PRIVATE_H
#define PROFDEPOT_SRC_MODEL_CALL_TREE_PRIVATE_H

#include "base/pair_map.h"
#include "model/call_tree.h"
#include "ranked_bits.h"

struct call_chain {
	uint32_t parent, first; /* nodes */
};

struct call_section {
	uint32_t last;   /* node */
	uint32_t parent; /* section of the parent; the root's section is its own parent */
	uint32_t value;  /* 1 + the value number of the last node; 0 if it has no value */
};

/* The values that were added to a metric, indexed by value number; NULL before the first value.
 * Values with numbers from `room` on are 0. */
struct call_sums {
	wide_int *values;
	size_t room;
};

/*
 * The sums of a metric at every section. The total of a node is the sum of two parts. The first part
 * is `all`, the self values of the node and of all nodes below it. The second part is the duration
 * of the node's calls. The duration is the value that call_tree_add_total added to the node. If this
 * value is 0, the duration is the sum of the children's durations.
 */
struct sums {
	const struct call_sums *selfs, *totals; /* NULL if there are no sums */
	const struct call_section *sections;
	/* sum of the self values of the section and of all nodes below it; NULL if no self value was added */
	wide_int *all;
	wide_int *below; /* sum of the children's durations; NULL if no total was added */
	/* The largest absolute total of the section and of all nodes below it. NULL if no total is
	 * larger than its parent's. Only negative weights and overlapping calls make a total
	 * larger than its parent's. */
	wide_bits *widths;
};

/* Finds the row of a routine. A dense range of routines needs no hash table. */
struct routine_rows {
	int64_t first;
	uint32_t *by_number; /* [routine - first]: row + 1. NULL if the map is used */
	struct pair_map map;
	size_t count;
};

struct call_tree {
	/* The routine of each node. `routines` is used until the ID of a routine exceeds 32 bits. */
	int32_t *routines;
	int64_t *wide_routines; /* NULL unless a routine's ID exceeds 32 bits */
	size_t count, room;

	struct call_chain *chains; /* the first one begins with the root */
	size_t chain_count, chain_room;
	struct ranked_bits begins; /* whether a node begins a chain */

	/* Hash table with open addressing; the key is the parent and the routine of a chain's first
	 * node. A slot has 8 bits of the hash and 24 bits for the chain's number. 0 marks a free
	 * slot, because chain 0, which begins with the root, is not in the table. Computing the
	 * sums frees the table. Then the pointer is NULL until the next node is added. */
	uint32_t *slots;
	size_t slot_count;    /* power of two */
	unsigned place_shift; /* 64 minus the binary logarithm of slot_count */
	uint64_t seed;

	/* The nodes that have a value for at least one metric, indexed by value number, and a hash
	 * table for finding them. A slot contains 1 + a value number; 0 is free. */
	uint32_t *valued;
	size_t valued_count, valued_room;
	uint32_t *value_slots;
	size_t value_slot_count; /* power of two, or 0 */
	struct call_sums selfs[CALL_TREE_MAX_METRICS];
	struct call_sums totals[CALL_TREE_MAX_METRICS];

	/* Valid until a node is added, or until a node gets its first value. */
	struct call_section *sections;
	size_t section_count;
	struct ranked_bits ends; /* whether a node is the last one of its section */

	struct sums sums; /* of sums_metric; for computing nodes and routine totals */
	size_t sums_metric;

	/* Whether a node is below another call of its routine. Valid until a node is added. */
	uint64_t *inner;
	struct routine_rows rows;

	uint64_t *folded; /* a bit for each node; NULL until MAX_NODES is reached */
};

static inline int64_t
call_routine_at(const struct call_tree *t, size_t node)
{
	return t->wide_routines ? t->wide_routines[node] : t->routines[node];
}

/* The first node of a section. The root is alone in its section. */
static inline uint32_t
call_first_of(const struct call_section *sections, size_t section)
{
	return section ? sections[section - 1].last + 1 : 0;
}

/* call_tree_sums.c: the sums of a metric by section; NULL if no value was added. */
const struct sums *call_tree_sums(struct call_tree *t, size_t metric);
void call_tree_drop_sums(struct call_tree *t);
void call_tree_drop_sections(struct call_tree *t);

/* call_tree_routines.c */
void call_tree_drop_rows(struct call_tree *t);

#endif
