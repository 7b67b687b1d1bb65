/* Joins sums of two result sets by the identities of their stacks. */
#define _GNU_SOURCE /* qsort_r */

#include "analysis/stack_table.h"

#include "base/array.h"
#include "base/pair_map.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIRST_SLOTS = 1024
};

struct stack_table {
	const struct compare_question *q;
	bool objects;
	struct stack_pair *pairs;
	size_t count, room;
	uint64_t *slots; /* see slot_of; 0 means that the slot is free */
	size_t slot_count;
	const struct stack_pair **order;
	size_t order_room;
};

struct stack_table *
stack_table_new(const struct compare_question *q)
{
	struct stack_table *t = xcalloc(1, sizeof(*t));

	t->q = q;
	t->objects = q->family == FACTS_OBJECTS;
	return t;
}

void
stack_table_free(struct stack_table *t)
{
	if (!t)
		return;
	free(t->pairs);
	free(t->slots);
	free(t->order);
	free(t);
}

/* Returns the slot that contains the key or, if the key is new, the free slot for it. A slot has the lower half of the
 * key's hash and, in its lower half, the index into the pairs plus 1. The hash avoids reading the pairs of other keys,
 * because each read would miss the processor's caches. */
static uint64_t *
slot_of(const struct stack_table *t, wide_int key, uint64_t hash)
{
	size_t i = (size_t)hash & (t->slot_count - 1);

	for (; t->slots[i]; i = (i + 1) & (t->slot_count - 1))
		if (t->slots[i] >> 32 == (uint32_t)hash &&
			t->pairs[(uint32_t)t->slots[i] - 1].key == key)
			break;
	return &t->slots[i];
}

/* Keeps at least a quarter of the slots free. */
static void
make_room(struct stack_table *t)
{
	size_t old_count = t->slot_count;
	uint64_t *old = t->slots;

	if (t->count < t->slot_count / 4 * 3)
		return;
	t->slot_count = t->slot_count ? t->slot_count * 2 : FIRST_SLOTS;
	t->slots = xcalloc(t->slot_count, sizeof(*t->slots));
	for (size_t i = 0; i < old_count; i++) {
		size_t to = (size_t)(old[i] >> 32) & (t->slot_count - 1);

		while (old[i] && t->slots[to])
			to = (to + 1) & (t->slot_count - 1);
		if (old[i])
			t->slots[to] = old[i];
	}
	free(old);
}

/* Returns the identity of a stack with objects of this class. Identities are hashes, so a multiple of the class's number
 * can be added. Class 0 leaves the identity as it is. */
static wide_int
key_of(const struct stack_item *item)
{
	static const wide_bits factor =
		(wide_bits)0x9e3779b97f4a7c15 << 64 | (wide_bits)0xf39cc0605cedc835;
	wide_bits identity = 0;

	if (item->identity)
		memcpy(&identity, item->identity, sizeof(identity));
	return (wide_int)(identity + factor * item->class_number);
}

static bool
add_objects(struct stack_pair *p, enum facts_side side, const struct stack_item *item)
{
	union stack_figures *to = &p->figures[side];
	wide_int size = item->value / fixed_from_wide(1);

	p->objects.class_number = item->class_number;
	p->objects.parts[side] |= item->parts;
	return size >= INT64_MIN && size <= INT64_MAX &&
	       !__builtin_add_overflow(to->objects.size, (int64_t)size, &to->objects.size) &&
	       !__builtin_add_overflow(to->objects.count, item->count, &to->objects.count);
}

bool
stack_table_add(struct stack_table *t, enum facts_side side, const struct stack_item *item)
{
	wide_int key = key_of(item);
	struct stack_pair *p;
	uint64_t *slot;
	uint64_t hash;

	make_room(t);
	hash = pair_hash(process_seed(), (uint64_t)key, (uint64_t)(key >> 64));
	slot = slot_of(t, key, hash);
	if (!*slot) {
		*ARRAY_ADD(t->pairs, t->count, t->room) =
			(struct stack_pair){ .key = key, .stacks = { STACK_ABSENT, STACK_ABSENT } };
		*slot = hash << 32 | (uint32_t)t->count;
	}
	p = &t->pairs[(uint32_t)*slot - 1];
	if (item->stack < p->stacks[side])
		p->stacks[side] = item->stack;
	if (t->objects)
		return add_objects(p, side, item);
	p->figures[side].value = fixed_add(p->figures[side].value, item->value);
	p->count_change += side == FACTS_NEW ? item->count : -item->count;
	return true;
}

struct compare_row
stack_table_row(const struct stack_table *t, const struct stack_pair *pair)
{
	struct compare_row r = { .frame = FACTS_NONE };

	for (int side = 0; side < FACTS_SIDES; side++) {
		const union stack_figures *from = &pair->figures[side];
		struct compare_sums *to = &r.sums[side];

		to->value = t->objects ? fixed_from_wide(from->objects.size) : from->value;
		to->count = t->objects ? from->objects.count : 0;
		to->parts = t->objects ? pair->objects.parts[side] : FACTS_KNOWN;
		to->present = pair->stacks[side] != STACK_ABSENT;
	}
	/* Only the change of the number of samples is known. */
	if (!t->objects)
		r.sums[FACTS_NEW].count = pair->count_change;
	compare_judge(t->q, &r);
	return r;
}

static wide_int
magnitude(wide_int v)
{
	return v < 0 ? -v : v;
}

static int
compare_samples(const struct stack_pair *x, const struct stack_pair *y)
{
	const wide_int changes[] = {
		magnitude(
			fixed_subtract(x->figures[FACTS_NEW].value, x->figures[FACTS_BASE].value)),
		magnitude(fixed_subtract(y->figures[FACTS_NEW].value, y->figures[FACTS_BASE].value))
	};
	const wide_int counts[] = { magnitude(x->count_change), magnitude(y->count_change) };

	if (changes[0] != changes[1])
		return changes[0] > changes[1] ? -1 : 1;
	return (counts[0] < counts[1]) - (counts[0] > counts[1]);
}

static struct compare_rank
rank_of_objects(const struct stack_table *t, const struct stack_pair *p)
{
	wide_int size =
		(wide_int)p->figures[FACTS_NEW].objects.size - p->figures[FACTS_BASE].objects.size;
	wide_int count = (wide_int)p->figures[FACTS_NEW].objects.count -
			 p->figures[FACTS_BASE].objects.count;
	bool unknown = (p->objects.parts[FACTS_NEW] | p->objects.parts[FACTS_BASE]) & FACTS_UNKNOWN;

	return compare_rank_of(t->q, count, unknown ? 0 : size, size);
}

int
stack_pair_compare(
	const struct stack_table *t, const struct stack_pair *x, const struct stack_pair *y)
{
	struct compare_rank ranks[2];

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (!t->objects)
		return compare_samples(x, y);
	ranks[0] = rank_of_objects(t, x);
	ranks[1] = rank_of_objects(t, y);
	return compare_ranks(&ranks[0], &ranks[1]);
}

static int
compare_pairs(const void *a, const void *b, void *table)
{
	return stack_pair_compare(
		table, *(const struct stack_pair *const *)a, *(const struct stack_pair *const *)b);
}

static void
add_sums(struct compare_sums *to, const struct compare_sums *from)
{
	for (int side = 0; side < FACTS_SIDES; side++) {
		to[side].count += from[side].count;
		to[side].value = fixed_add(to[side].value, from[side].value);
		to[side].parts |= from[side].parts;
	}
}

long double
stack_table_normalise(struct stack_table *t)
{
	wide_int sums[FACTS_SIDES] = { 0 };
	long double factor;

	for (size_t i = 0; i < t->count; i++)
		for (int side = 0; side < FACTS_SIDES; side++)
			sums[side] = fixed_add(sums[side], t->pairs[i].figures[side].value);
	factor = compare_factor(sums[FACTS_NEW], sums[FACTS_BASE]);
	for (size_t i = 0; factor > 0 && i < t->count; i++) {
		wide_int *value = &t->pairs[i].figures[FACTS_BASE].value;

		*value = compare_scaled(*value, factor);
	}
	return factor;
}

const struct stack_pair *const *
stack_table_arrange(struct stack_table *t, unsigned statuses, stack_key_fn *key, void *self,
	struct comparison *counts, struct compare_row *sum, size_t *count)
{
	size_t n = 0;

	*counts = (struct comparison){ .row_count = t->count };
	*sum = (struct compare_row){ .frame = FACTS_NONE };
	free(t->slots);
	t->slots = NULL;
	for (size_t i = 0; i < t->count; i++) {
		struct compare_row row = stack_table_row(t, &t->pairs[i]);

		counts->counts[row.status]++;
		add_sums(counts->all, row.sums);
		if (!(statuses & 1U << row.status))
			continue;
		add_sums(sum->sums, row.sums);
		t->pairs[i].key = key ? key(self, &t->pairs[i], &row) : 0;
		*ARRAY_ADD(t->order, n, t->order_room) = &t->pairs[i];
	}
	if (n > 1)
		qsort_r(t->order, n, sizeof(*t->order), compare_pairs, t);
	*count = n;
	return t->order;
}
