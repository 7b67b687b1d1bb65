/* Divides the chains of a call tree into sections, and computes the sums of a metric. */
#include "call_tree_values.h"

#include "base/arena.h"

#include <stdlib.h>

void
call_tree_drop_sums(struct call_tree *t)
{
	free(t->sums.all);
	free(t->sums.below);
	free(t->sums.widths);
	t->sums = (struct sums){ NULL };
}

void
call_tree_drop_sections(struct call_tree *t)
{
	call_tree_drop_sums(t);
	free(t->sections);
	t->sections = NULL;
	ranked_bits_release(&t->ends);
}

/* --- sections -------------------------------------------------------------------------------- */

static void
mark(uint64_t *words, size_t node)
{
	words[node / BITS_PER_WORD] |= bit_of(node);
}

/* Marks the last node of each section: the root, the last node of each chain, the parent of each
 * chain's first node, and each node with a value. */
static void
mark_ends(const struct call_tree *t, uint64_t *words)
{
	mark(words, 0);
	mark(words, t->count - 1);
	for (size_t i = 1; i < t->chain_count; i++) {
		mark(words, t->chains[i].first - 1);
		mark(words, t->chains[i].parent);
	}
	for (size_t i = 0; i < t->valued_count; i++)
		mark(words, t->valued[i]);
}

static size_t
count_ends(struct ranked_bits *ends)
{
	size_t count = 0;

	for (size_t i = 0; i < ends->room; i++) {
		ends->before[i] = (uint32_t)count;
		count += (size_t)__builtin_popcountll(ends->words[i]);
	}
	return count;
}

/* Sets the parent of each section. If a section does not begin a chain, its parent is the section
 * before it. */
static void
link_sections(struct call_tree *t)
{
	for (size_t i = 1; i < t->section_count; i++)
		t->sections[i].parent = (uint32_t)i - 1;
	for (size_t i = 1; i < t->chain_count; i++)
		t->sections[ranked_bits_before(&t->ends, t->chains[i].first)].parent =
			ranked_bits_before(&t->ends, t->chains[i].parent);
	for (size_t i = 0; i < t->valued_count; i++)
		t->sections[ranked_bits_before(&t->ends, t->valued[i])].value = (uint32_t)i + 1;
}

static void
make_sections(struct call_tree *t)
{
	struct ranked_bits *ends = &t->ends;
	size_t count = 0;

	ends->room = ends->before_room = t->count / BITS_PER_WORD + 1;
	ends->words = xcalloc(ends->room, sizeof(*ends->words));
	ends->before = xcalloc(ends->room, sizeof(*ends->before));
	mark_ends(t, ends->words);
	t->section_count = count_ends(ends);
	t->sections = xcalloc(t->section_count, sizeof(*t->sections));
	for (size_t i = 0; i < ends->room; i++)
		for (uint64_t word = ends->words[i]; word; word &= word - 1)
			t->sections[count++].last =
				(uint32_t)(i * BITS_PER_WORD) + (uint32_t)__builtin_ctzll(word);
	link_sections(t);
}

/* --- sums ------------------------------------------------------------------------------------ */

/* Computes the sums from the last section to the first, so that children come before their parent. */
static void
sums_make(struct sums *s, const struct call_tree *t)
{
	if (s->selfs->values)
		s->all = xcalloc(t->section_count, sizeof(*s->all));
	if (s->totals->values)
		s->below = xcalloc(t->section_count, sizeof(*s->below));
	for (size_t i = t->section_count; i-- > 0;) {
		uint32_t parent = t->sections[i].parent;

		if (s->all) {
			s->all[i] = fixed_add(s->all[i], call_sum_at(s, s->selfs, i));
			if (i)
				s->all[parent] = fixed_add(s->all[parent], s->all[i]);
		}
		if (s->below && i)
			s->below[parent] = fixed_add(s->below[parent], call_calls_at(s, i));
	}
}

static bool
totals_fall(const struct sums *s, const struct call_tree *t)
{
	for (size_t i = 1; i < t->section_count; i++)
		if (call_magnitude(call_total_at(s, i)) >
			call_magnitude(call_total_at(s, t->sections[i].parent)))
			return false;
	return true;
}

static void
widths_make(struct sums *s, const struct call_tree *t)
{
	wide_bits *widths = xcalloc(t->section_count, sizeof(*widths));

	for (size_t i = t->section_count; i-- > 0;) {
		uint32_t parent = t->sections[i].parent;
		wide_bits width = call_magnitude(call_total_at(s, i));

		if (widths[i] < width)
			widths[i] = width;
		if (widths[parent] < widths[i])
			widths[parent] = widths[i];
	}
	s->widths = widths;
}

const struct sums *
call_tree_sums(struct call_tree *t, size_t metric)
{
	if (!t->selfs[metric].values && !t->totals[metric].values)
		return NULL;
	if (!t->sums.selfs || t->sums_metric != metric) {
		call_tree_drop_sums(t);
		/* Free the tables now, because the sums need memory. */
		free(t->slots);
		t->slots = NULL;
		if (!t->sections)
			make_sections(t);
		t->sums.sections = t->sections;
		t->sums.selfs = &t->selfs[metric];
		t->sums.totals = &t->totals[metric];
		t->sums_metric = metric;
		sums_make(&t->sums, t);
		if (!totals_fall(&t->sums, t))
			widths_make(&t->sums, t);
	}
	return &t->sums;
}
