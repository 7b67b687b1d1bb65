/* Merges the checks of a run's result sets into one check. */
#include "check_private.h"

#include "base/strbuf.h"

#include <stdlib.h>

enum {
	IDS_MAX_BYTES = 64 * 1024
};

/* "3, 4, 5" */
static struct text
list_ids(struct arena *a, const struct check *const *checks, size_t count)
{
	struct strbuf ids;
	struct text t;

	strbuf_init(&ids, IDS_MAX_BYTES);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_str(&ids, i ? ", " : "");
		strbuf_append_text(&ids, checks[i]->set.inst_id);
	}
	t = arena_text(a, strbuf_text(&ids));
	strbuf_release(&ids);
	return t;
}

/* A verdict with a higher weight overrides a verdict with a lower weight. */
static int
weight(const struct check_budget *b)
{
	if (b->verdict == CHECK_BROKEN)
		return 4;
	if (b->incomplete)
		return 3;
	return b->verdict == CHECK_PASSED ? 2 : b->verdict == CHECK_UNJUDGED ? 1 : 0;
}

/* Adds the breaches of `from` to `to`, and keeps the verdict with the higher weight. `first` is added to the numbers of
 * the stacks in `from`. */
static void
merge_budget(
	struct arena *a, struct check_budget *to, const struct check_budget *from, size_t first)
{
	struct check_breach *all =
		arena_alloc_array(a, to->breach_count + from->breach_count, sizeof(*all));

	for (size_t i = 0; i < to->breach_count; i++)
		all[i] = to->breaches[i];
	for (size_t i = 0; i < from->breach_count; i++) {
		struct check_breach *b = &all[to->breach_count + i];
		size_t *stacks;

		*b = from->breaches[i];
		stacks = arena_alloc_array(a, b->stack_count, sizeof(*stacks));
		for (size_t k = 0; k < b->stack_count; k++)
			stacks[k] = b->stacks[k] + first;
		b->stacks = stacks;
	}
	if (!to->name || weight(from) > weight(to)) {
		to->name = from->name;
		to->verdict = from->verdict;
		to->reason = from->reason;
		to->hint = from->hint;
		to->incomplete = from->incomplete;
	}
	to->breach_count += from->breach_count;
	to->breaches = all;
}

static struct text
add_digits(struct arena *a, struct text sum, struct text more)
{
	if (text_is_null(sum) || text_is_null(more))
		return text_is_null(sum) ? more : sum;
	return text_from(arena_printf(
		a, "%llu", strtoull(sum.data, NULL, 10) + strtoull(more.data, NULL, 10)));
}

const struct check *
check_merge(struct arena *a, const char *run_key, const struct check *const *checks, size_t count)
{
	struct check *all = arena_alloc(a, sizeof(*all));
	struct check_budget *budgets;
	struct check_stack *stacks;
	int64_t *inst_ids;

	*all = (struct check){ .set = checks[0]->set,
		.tool_version = checks[0]->tool_version,
		.budget_count = checks[0]->budget_count };
	all->set.inst_id = list_ids(a, checks, count);
	inst_ids = arena_alloc_array(a, count, sizeof(*inst_ids));
	all->inst_ids = inst_ids;
	all->inst_id_count = count;
	all->set.caption = text_from(arena_printf(a, "run %s", run_key));
	for (size_t i = 0; i < count; i++) {
		inst_ids[i] = checks[i]->inst_ids[0];
		all->stack_count += checks[i]->stack_count;
	}
	stacks = arena_alloc_array(a, all->stack_count, sizeof(*stacks));
	budgets = arena_alloc_array(a, all->budget_count, sizeof(*budgets));
	all->stack_count = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t b = 0; b < all->budget_count; b++)
			merge_budget(a, &budgets[b], &checks[i]->budgets[b], all->stack_count);
		for (size_t s = 0; s < checks[i]->stack_count; s++)
			stacks[all->stack_count++] = checks[i]->stacks[s];
		all->suppressed = add_digits(a, all->suppressed, checks[i]->suppressed);
	}
	for (size_t b = 0; b < all->budget_count; b++)
		all->verdicts[budgets[b].verdict]++;
	all->budgets = budgets;
	all->stacks = stacks;
	return all;
}
