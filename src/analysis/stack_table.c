/* Joins sums of two result sets by the identities of their stacks. */
#include "analysis/stack_table.h"

#include "base/array.h"
#include "base/pair_map.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIRST_SLOTS = 1024
};

struct stack_table {
	struct stack_pair *pairs;
	size_t count, room;
	uint64_t *slots; /* see slot_of; 0 means that the slot is free */
	size_t slot_count;
	const struct stack_pair **order;
	size_t order_room;
};

struct stack_table *
stack_table_new(void)
{
	return xcalloc(1, sizeof(struct stack_table));
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

void
stack_table_add(struct stack_table *t, enum facts_side side, const char *identity, uint32_t stack,
	int64_t count, wide_int value)
{
	wide_int key = 0;
	struct stack_pair *p;
	uint64_t *slot;
	uint64_t hash;

	make_room(t);
	if (identity)
		memcpy(&key, identity, sizeof(key));
	hash = pair_hash(process_seed(), (uint64_t)key, (uint64_t)(key >> 64));
	slot = slot_of(t, key, hash);
	if (!*slot) {
		*ARRAY_ADD(t->pairs, t->count, t->room) =
			(struct stack_pair){ .key = key, .stacks = { STACK_ABSENT, STACK_ABSENT } };
		*slot = hash << 32 | (uint32_t)t->count;
	}
	p = &t->pairs[(uint32_t)*slot - 1];
	p->values[side] = fixed_add(p->values[side], value);
	p->count_change += side == FACTS_NEW ? count : -count;
	if (stack < p->stacks[side])
		p->stacks[side] = stack;
}

struct compare_row
stack_table_row(const struct stack_pair *pair)
{
	struct compare_row r = { .frame = FACTS_NONE, .count_change = pair->count_change };

	for (int side = 0; side < FACTS_SIDES; side++) {
		r.sums[side].value = pair->values[side];
		r.sums[side].present = pair->stacks[side] != STACK_ABSENT;
	}
	r.value_change = fixed_subtract(pair->values[FACTS_NEW], pair->values[FACTS_BASE]);
	r.status = !r.sums[FACTS_BASE].present  ? COMPARE_ADDED
		   : !r.sums[FACTS_NEW].present ? COMPARE_GONE
		   : r.value_change > 0         ? COMPARE_GROWN
		   : r.value_change < 0         ? COMPARE_SHRUNK
						: COMPARE_SAME;
	return r;
}

static wide_int
magnitude(wide_int v)
{
	return v < 0 ? -v : v;
}

int
stack_pair_compare(const struct stack_pair *x, const struct stack_pair *y)
{
	const wide_int changes[] = { magnitude(fixed_subtract(
					     x->values[FACTS_NEW], x->values[FACTS_BASE])),
		magnitude(fixed_subtract(y->values[FACTS_NEW], y->values[FACTS_BASE])) };
	const wide_int counts[] = { magnitude(x->count_change), magnitude(y->count_change) };

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (changes[0] != changes[1])
		return changes[0] > changes[1] ? -1 : 1;
	return (counts[0] < counts[1]) - (counts[0] > counts[1]);
}

static int
compare_pairs(const void *a, const void *b)
{
	return stack_pair_compare(
		*(const struct stack_pair *const *)a, *(const struct stack_pair *const *)b);
}

static void
add_sums(struct compare_sums *to, const struct compare_sums *from)
{
	for (int side = 0; side < FACTS_SIDES; side++)
		to[side].value = fixed_add(to[side].value, from[side].value);
}

long double
stack_table_normalise(struct stack_table *t)
{
	wide_int sums[FACTS_SIDES] = { 0 };
	long double factor;

	for (size_t i = 0; i < t->count; i++)
		for (int side = 0; side < FACTS_SIDES; side++)
			sums[side] = fixed_add(sums[side], t->pairs[i].values[side]);
	factor = compare_factor(sums[FACTS_NEW], sums[FACTS_BASE]);
	for (size_t i = 0; factor > 0 && i < t->count; i++) {
		wide_int *value = &t->pairs[i].values[FACTS_BASE];

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
		struct compare_row row = stack_table_row(&t->pairs[i]);

		counts->counts[row.status]++;
		add_sums(counts->all, row.sums);
		if (!(statuses & 1U << row.status))
			continue;
		add_sums(sum->sums, row.sums);
		t->pairs[i].key = key ? key(self, &row) : 0;
		*ARRAY_ADD(t->order, n, t->order_room) = &t->pairs[i];
	}
	if (n > 1)
		qsort(t->order, n, sizeof(*t->order), compare_pairs);
	*count = n;
	return t->order;
}
