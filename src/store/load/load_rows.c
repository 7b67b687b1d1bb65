/* Functions for all rows of a load: result set, counts, COPY, totals and missing references. */
#include "load_private.h"

#include "base/array.h"
#include "base/memory.h"

#include <inttypes.h>

struct load_set *
load_set_at(struct sink *s, uint32_t set)
{
	return ((struct load *)s)->sets[set];
}

wide_int
wide_from_number(struct number n)
{
	if (n.null)
		return 0;
	return n.negative ? -(wide_int)n.magnitude : (wide_int)n.magnitude;
}

void
load_counted(struct load_set *set, enum relation r, int64_t id, wide_int value)
{
	set->counts[r].rows++;
	set->counts[r].ids += id;
	set->counts[r].values = fixed_add(set->counts[r].values, value);
}

bool
load_row(struct load *l, struct load_set *set, enum relation r)
{
	if (!l->copier)
		return false;
	copier_sum(l->copier, set->checksums);
	copier_row(l->copier, r);
	copier_int64(l->copier, set->outcome.inst_id);
	return true;
}

bool
load_is_wanted(const struct load *l, struct error *err)
{
	if (memory_budget_exceeded())
		return error_set(err, ERROR_LIMIT, "the load needs too much memory");
	return !l->config.may_continue || l->config.may_continue(l->config.self, err);
}

bool
load_row_end(struct load *l, struct error *err)
{
	if (!load_is_wanted(l, err))
		return false;
	return !l->copier || copier_row_end(l->copier, err) || load_repeated_id(err);
}

/* Returns whether the server refused a repeated key. Citus reports an error of a worker during COPY as an internal
 * error, with the worker's message. */
static bool
is_unique_violation(const struct error *err)
{
	static const char unique_violation[] = "23505", internal_error[] = "XX000";

	return strcmp(err->sqlstate, unique_violation) == 0 ||
	       (strcmp(err->sqlstate, internal_error) == 0 && strstr(err->message, "_pkey_"));
}

bool
load_repeated_id(struct error *err)
{
	if (err->code == ERROR_INPUT || !is_unique_violation(err))
		return false;
	err->code = ERROR_INPUT;
	return error_prefix(err, "the input repeats an ID");
}

void
load_abandon(struct load *l)
{
	if (!l->in_transaction)
		return;
	db_rollback(l->db);
	l->in_transaction = false;
	load_give_back_numbers(l);
}

void
load_dangles(struct load_set *set, int kind, int64_t id, int64_t second)
{
	bool added;
	/* The kind is in the highest bits, which 32-bit numbers do not use. */
	int64_t a = (int64_t)((uint64_t)id ^ (uint64_t)(kind + 1) << 60);
	uint32_t index = pair_map_add(
		&set->dangling_by_key, a, second, (uint32_t)set->dangling_count, &added);

	if (added) {
		*ARRAY_ADD(set->dangling, set->dangling_count, set->dangling_room) =
			(struct load_dangling){ .kind = kind, .id = id, .second = second };
	}
	set->dangling[index].count++;
}

static bool
is_total(const struct load_total *t, const struct load_total_key *key)
{
	return t->metric == key->metric && t->class_id == key->class_id && t->stack == key->stack;
}

static uint32_t
add_total(struct load_set *set, const struct load_total_key *key)
{
	*ARRAY_ADD(set->totals, set->total_count, set->total_room) =
		(struct load_total){ .metric = key->metric,
			.class_id = key->class_id,
			.stack = key->stack,
			.name = key->name };
	return (uint32_t)set->total_count - 1;
}

static uint32_t
find_in_map(struct load_set *set, const struct load_total_key *key)
{
	bool added;
	uint32_t index = pair_map_add(&set->total_by_key[key->metric], key->class_id, key->stack,
		(uint32_t)set->total_count, &added);

	return added ? add_total(set, key) : index;
}

/* Finds or adds the total. Most stacks have only one total, whose index is stored with the stack. */
static uint32_t
total_of(struct load_set *set, const struct load_total_key *key)
{
	struct load_stack *st = key->stack ? &set->stacks[key->stack - 1] : NULL;
	uint32_t index;

	if (!st)
		return find_in_map(set, key);
	if (!st->first_total) {
		index = add_total(set, key);
		st->first_total = index + 1;
	} else if (is_total(&set->totals[st->last_total - 1], key)) {
		return st->last_total - 1;
	} else if (is_total(&set->totals[st->first_total - 1], key)) {
		index = st->first_total - 1;
	} else {
		index = find_in_map(set, key);
	}
	st->last_total = index + 1;
	return index;
}

/* Adds a fact's count and value to the sums of absolute values. Returns false if one of these sums is too large.
 * While these sums are in range, the sum of any subset of the facts is in range, too. */
static bool
bound_sums(struct load_set *set, int metric, int64_t count, wide_int value)
{
	struct load_sums *sums = &set->sums[metric];
	wide_int most = metric < METRICS_TOLD_MAX ? WIDE_MAX : WIDE_MAX / fixed_from_wide(1);

	sums->count = fixed_add(sums->count, count < 0 ? -(wide_int)count : count);
	sums->value = fixed_add(sums->value, value < 0 ? fixed_subtract(0, value) : value);
	return sums->count <= INT64_MAX && sums->value < most;
}

bool
load_add_total(
	struct load_set *set, const struct load_total_key *key, int64_t count, wide_int value)
{
	struct load_total *t;
	uint32_t index;

	if (!bound_sums(set, key->metric, count, value))
		return false;
	index = total_of(set, key);
	t = &set->totals[index];
	t->count += count;
	t->value = fixed_add(t->value, value);
	t->sized |= key->sized;
	return true;
}
