/* The values of a section, computed from the sums of a metric. */
#ifndef PROFDEPOT_SRC_MODEL_CALL_TREE_VALUES_H
#define PROFDEPOT_SRC_MODEL_CALL_TREE_VALUES_H

#include "call_tree_private.h"

/* The number of nodes in a section. */
static inline size_t
call_length(const struct sums *s, size_t section)
{
	return s->sections[section].last - call_first_of(s->sections, section) + (size_t)1;
}

/* The value that was added to the last node of a section. */
static inline wide_int
call_sum_at(const struct sums *s, const struct call_sums *sums, size_t section)
{
	const uint32_t value = s->sections[section].value;

	return value && sums->values && value <= sums->room ? sums->values[value - 1] : 0;
}

static inline wide_bits
call_magnitude(wide_int v)
{
	return v < 0 ? 0 - (wide_bits)v : (wide_bits)v;
}

/* The duration of the calls of a section's nodes, as defined at struct sums. */
static inline wide_int
call_calls_at(const struct sums *s, size_t section)
{
	wide_int added;

	if (!s->below)
		return 0;
	added = call_sum_at(s, s->totals, section);
	return added != 0 ? added : s->below[section];
}

static inline wide_int
call_total_at(const struct sums *s, size_t section)
{
	return fixed_add(s->all ? s->all[section] : 0, call_calls_at(s, section));
}

/* The self value of the last node of a section. It is 0 for the other nodes. */
static inline wide_int
call_self_at(const struct sums *s, size_t section)
{
	wide_int below = s->below ? s->below[section] : 0;

	return fixed_add(call_sum_at(s, s->selfs, section),
		fixed_subtract(call_calls_at(s, section), below));
}

static inline wide_bits
call_width_at(const struct sums *s, size_t section)
{
	return s->widths ? s->widths[section] : call_magnitude(call_total_at(s, section));
}

#endif
