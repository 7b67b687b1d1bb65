/* Builds call trees. */
#include "call_tree_private.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/pair_map.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIRST_NODES = 256,
	FIRST_SLOTS_LOG2 = 10,
	FIRST_VALUE_SLOTS = 256,
	CHAIN_BITS = 24, /* bits of a slot for the number of its chain; the rest is hash */
};

_Static_assert(CALL_TREE_MAX_NODES <= 1 << CHAIN_BITS,
	"a slot must have room for the number of any chain");

static void
begin_chain(struct call_tree *t, uint32_t parent, uint32_t first)
{
	*ARRAY_ADD(t->chains, t->chain_count, t->chain_room) = (struct call_chain){ parent, first };
}

struct call_tree *
call_tree_new(void)
{
	struct call_tree *t = xcalloc(1, sizeof(*t));

	t->room = FIRST_NODES;
	t->routines = xmalloc(t->room * sizeof(*t->routines));
	t->routines[0] = CALL_TREE_UNKNOWN;
	t->count = 1;
	ranked_bits_add(&t->begins, 0, true, 0);
	begin_chain(t, 0, 0);
	t->slot_count = (size_t)1 << FIRST_SLOTS_LOG2;
	t->place_shift = 64 - FIRST_SLOTS_LOG2;
	t->slots = xcalloc(t->slot_count, sizeof(*t->slots));
	t->seed = process_seed() | 1;
	return t;
}

void
call_tree_free(struct call_tree *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < CALL_TREE_MAX_METRICS; i++) {
		free(t->selfs[i].values);
		free(t->totals[i].values);
	}
	call_tree_drop_sections(t);
	call_tree_drop_rows(t);
	ranked_bits_release(&t->begins);
	free(t->folded);
	free(t->value_slots);
	free(t->valued);
	free(t->slots);
	free(t->chains);
	free(t->wide_routines);
	free(t->routines);
	free(t);
}

/* --- nodes ----------------------------------------------------------------------------------- */

static inline uint64_t
hash(const struct call_tree *t, uint32_t parent, int64_t routine)
{
	return pair_hash(t->seed, (uint64_t)routine, parent);
}

/* Returns the slot for a hash. The upper bits of the hash select the slot. The lowest bits are stored in the
 * slot, together with the chain. */
static inline size_t
place(const struct call_tree *t, uint64_t h)
{
	return (size_t)(h >> t->place_shift);
}

static inline uint32_t
slot_of(uint64_t h, uint32_t chain)
{
	return (uint32_t)h << CHAIN_BITS | chain;
}

/* Replaces the table with a new one that has slot_count slots, and enters all chains in it. */
static void
make_slots(struct call_tree *t)
{
	size_t mask = t->slot_count - 1;

	free(t->slots);
	t->slots = xcalloc_table(t->slot_count, sizeof(*t->slots));
	for (uint32_t chain = 1; chain < t->chain_count; chain++) {
		const struct call_chain *c = &t->chains[chain];
		uint64_t h = hash(t, c->parent, call_routine_at(t, c->first));
		size_t i = place(t, h);

		while (t->slots[i])
			i = (i + 1) & mask;
		t->slots[i] = slot_of(h, chain);
	}
}

static void
grow_slots(struct call_tree *t)
{
	t->slot_count *= 2;
	t->place_shift--;
	make_slots(t);
}

static void
grow_nodes(struct call_tree *t)
{
	t->room *= 2;
	if (t->wide_routines)
		t->wide_routines = xrealloc(t->wide_routines, t->room * sizeof(*t->wide_routines));
	else
		t->routines = xrealloc(t->routines, t->room * sizeof(*t->routines));
}

static void
widen_routines(struct call_tree *t)
{
	t->wide_routines = xmalloc(t->room * sizeof(*t->wide_routines));
	for (size_t i = 0; i < t->count; i++)
		t->wide_routines[i] = t->routines[i];
	free(t->routines);
	t->routines = NULL;
}

static uint32_t
fold(struct call_tree *t, uint32_t parent)
{
	if (!t->folded)
		t->folded = xcalloc(t->count / BITS_PER_WORD + 1, sizeof(*t->folded));
	t->folded[parent / BITS_PER_WORD] |= bit_of(parent);
	return parent;
}

static uint32_t
add_node(struct call_tree *t, uint32_t parent, int64_t routine)
{
	bool wide = t->wide_routines || routine < INT32_MIN || routine > INT32_MAX;
	bool begins = parent + (size_t)1 != t->count;

	if (t->sections)
		call_tree_drop_sections(t);
	if (t->inner)
		call_tree_drop_rows(t);
	if (t->count == t->room)
		grow_nodes(t);
	if (wide && !t->wide_routines)
		widen_routines(t);
	if (wide)
		t->wide_routines[t->count] = routine;
	else
		t->routines[t->count] = (int32_t)routine;
	ranked_bits_add(&t->begins, t->count, begins, (uint32_t)t->chain_count);
	if (begins)
		begin_chain(t, parent, (uint32_t)t->count);
	return (uint32_t)t->count++;
}

/* Returns whether the node `next` continues its predecessor's chain and is a call of this routine. */
static inline bool
is_next(const struct call_tree *t, size_t next, int64_t routine)
{
	return next < t->count && call_routine_at(t, next) == routine &&
	       !bit_at(t->begins.words, next);
}

uint32_t
call_tree_child(struct call_tree *t, uint32_t parent, int64_t routine)
{
	const uint32_t low = ((uint32_t)1 << CHAIN_BITS) - 1;
	const struct call_chain *c;
	uint64_t h;
	size_t mask = t->slot_count - 1;
	size_t i;
	uint32_t node;

	if (is_next(t, parent + (size_t)1, routine))
		return parent + 1;
	if (!t->slots)
		make_slots(t);
	h = hash(t, parent, routine);
	for (i = place(t, h); t->slots[i]; i = (i + 1) & mask) {
		if ((t->slots[i] ^ slot_of(h, 0)) > low)
			continue;
		c = &t->chains[t->slots[i] & low];
		if (c->parent == parent && call_routine_at(t, c->first) == routine)
			return c->first;
	}
	if (t->count == CALL_TREE_MAX_NODES)
		return fold(t, parent);
	node = add_node(t, parent, routine);
	if (!bit_at(t->begins.words, node))
		return node;
	t->slots[i] = slot_of(h, (uint32_t)t->chain_count - 1);
	if (t->chain_count > t->slot_count / 3 * 2)
		grow_slots(t);
	return node;
}

/* --- values ---------------------------------------------------------------------------------- */

/* The slot of the node's value, or a free slot. */
static uint32_t *
value_slot(struct call_tree *t, uint32_t node)
{
	size_t mask = t->value_slot_count - 1;
	size_t i = (size_t)pair_hash(t->seed, node, 0) & mask;

	while (t->value_slots[i] && t->valued[t->value_slots[i] - 1] != node)
		i = (i + 1) & mask;
	return &t->value_slots[i];
}

static void
grow_value_slots(struct call_tree *t)
{
	free(t->value_slots);
	t->value_slot_count =
		t->value_slot_count ? 2 * t->value_slot_count : (size_t)FIRST_VALUE_SLOTS;
	t->value_slots = xcalloc_table(t->value_slot_count, sizeof(*t->value_slots));
	for (size_t i = 0; i < t->valued_count; i++)
		*value_slot(t, t->valued[i]) = (uint32_t)i + 1;
}

/* Finds or adds the number of the node's value. */
static size_t
value_of(struct call_tree *t, uint32_t node)
{
	uint32_t *slot;

	if (t->valued_count >= t->value_slot_count / 3 * 2)
		grow_value_slots(t);
	slot = value_slot(t, node);
	if (!*slot) {
		if (t->sections)
			call_tree_drop_sections(t);
		*ARRAY_ADD(t->valued, t->valued_count, t->valued_room) = node;
		*slot = (uint32_t)t->valued_count;
	}
	return *slot - 1;
}

static void
add(struct call_tree *t, struct call_sums *s, uint32_t node, wide_int value)
{
	const size_t at = value_of(t, node);

	if (t->sums.selfs)
		call_tree_drop_sums(t);
	ARRAY_RESERVE_ZEROED(s->values, s->room, at + 1);
	s->values[at] = fixed_add(s->values[at], value);
}

void
call_tree_add_self(struct call_tree *t, size_t metric, uint32_t node, wide_int value)
{
	add(t, &t->selfs[metric], node, value);
}

void
call_tree_add_total(struct call_tree *t, size_t metric, uint32_t node, wide_int value)
{
	add(t, &t->totals[metric], node, value);
}

void
call_tree_forget(struct call_tree *t, size_t metric)
{
	call_tree_drop_sums(t);
	free(t->selfs[metric].values);
	free(t->totals[metric].values);
	t->selfs[metric] = t->totals[metric] = (struct call_sums){ NULL, 0 };
}

size_t
call_tree_size(const struct call_tree *t)
{
	return t->count;
}
