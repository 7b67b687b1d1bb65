/* Builds call trees. */
#include "call_tree_private.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/pair_map.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIRST_NODES = 256,
	FIRST_SLOTS_LOG2 = 10,
	NODE_BITS = 24, /* bits of a slot for its node; the other bits are part of the hash */
};

_Static_assert(CALL_TREE_MAX_NODES <= 1 << NODE_BITS, "a slot holds every node");

struct call_tree *
call_tree_new(void)
{
	struct call_tree *t = xcalloc(1, sizeof(*t));

	t->room = FIRST_NODES;
	t->parents = xmalloc(t->room * sizeof(*t->parents));
	t->routines = xmalloc(t->room * sizeof(*t->routines));
	t->parents[0] = 0;
	t->routines[0] = CALL_TREE_UNKNOWN;
	t->count = 1;
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
	call_tree_drop_sums(t);
	call_tree_drop_places(t);
	free(t->folded);
	free(t->slots);
	free(t->wide_routines);
	free(t->routines);
	free(t->parents);
	free(t);
}

static inline uint64_t
hash(const struct call_tree *t, uint32_t parent, int64_t routine)
{
	return pair_hash(t->seed, (uint64_t)routine, parent);
}

/* The upper bits of the hash select the slot; the lowest bits are stored in it with the node. */
static inline size_t
place(const struct call_tree *t, uint64_t h)
{
	return (size_t)(h >> t->place_shift);
}

static inline uint32_t
slot_of(uint64_t h, uint32_t node)
{
	return (uint32_t)h << NODE_BITS | node;
}

/* Frees the table, then fills a new one of slot_count slots with all nodes. */
static void
make_slots(struct call_tree *t)
{
	size_t mask = t->slot_count - 1;

	free(t->slots);
	t->slots = xcalloc_table(t->slot_count, sizeof(*t->slots));
	for (uint32_t node = 1; node < t->count; node++) {
		uint64_t h = hash(t, t->parents[node], call_routine_at(t, node));
		size_t i = place(t, h);

		while (t->slots[i])
			i = (i + 1) & mask;
		t->slots[i] = slot_of(h, node);
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
	t->parents = xrealloc(t->parents, t->room * sizeof(*t->parents));
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
		t->folded = xcalloc(t->count, 1);
	t->folded[parent] = 1;
	return parent;
}

static uint32_t
add_node(struct call_tree *t, uint32_t parent, int64_t routine)
{
	bool wide = t->wide_routines || routine < INT32_MIN || routine > INT32_MAX;

	if (t->sums.selfs)
		call_tree_drop_sums(t);
	if (t->places)
		call_tree_drop_places(t);
	if (t->count == t->room)
		grow_nodes(t);
	if (wide && !t->wide_routines)
		widen_routines(t);
	if (wide)
		t->wide_routines[t->count] = routine;
	else
		t->routines[t->count] = (int32_t)routine;
	t->parents[t->count] = parent;
	return (uint32_t)t->count++;
}

uint32_t
call_tree_child(struct call_tree *t, uint32_t parent, int64_t routine)
{
	const uint32_t low = ((uint32_t)1 << NODE_BITS) - 1;
	uint64_t h = hash(t, parent, routine);
	size_t mask = t->slot_count - 1;
	size_t i = place(t, h);
	uint32_t node;

	if (!t->slots)
		make_slots(t);
	for (; t->slots[i]; i = (i + 1) & mask) {
		if ((t->slots[i] ^ slot_of(h, 0)) > low)
			continue;
		node = t->slots[i] & low;
		if (t->parents[node] == parent && call_routine_at(t, node) == routine)
			return node;
	}
	if (t->count == CALL_TREE_MAX_NODES)
		return fold(t, parent);
	node = add_node(t, parent, routine);
	t->slots[i] = slot_of(h, node);
	if (t->count > t->slot_count / 3 * 2)
		grow_slots(t);
	return node;
}

/* The first allocation has no spare room, because all nodes may already exist. */
static void
grow_sums(struct call_sums *s, size_t node_count)
{
	size_t room = s->room ? s->room + s->room / 4 + FIRST_NODES : 0;

	if (room < node_count)
		room = node_count;
	s->values = xrealloc(s->values, room * sizeof(*s->values));
	memset(s->values + s->room, 0, (room - s->room) * sizeof(*s->values));
	s->room = room;
}

static void
add(struct call_tree *t, struct call_sums *s, uint32_t node, wide_int value)
{
	if (t->sums.selfs)
		call_tree_drop_sums(t);
	if (node >= s->room)
		grow_sums(s, t->count);
	s->values[node] = fixed_add(s->values[node], value);
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
