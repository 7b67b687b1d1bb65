/* Fuzzes budget files. The parser never crashes, and an accepted budget satisfies the rules
 * of analysis/budget.h. */
#include "app/budget_file.h"
#include "must.h"

static void
check(const struct budget *b)
{
	bool any = false;

	MUST(b->name && *b->name);
	MUST(b->each >= BUDGET_TOTAL && b->each < COMPARE_BY_OBJECT);
	MUST((b->of == BUDGET_OF_METRIC) == (b->metric != NULL));
	MUST((b->of == BUDGET_OF_DURATION) == (b->spans.count > 0));
	for (size_t i = 0; i < BUDGET_LIMITS; i++) {
		any |= b->limits[i].set;
		MUST(b->limits[i].value >= 0);
	}
	MUST(any);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	const struct budget_list *l =
		budget_file_parse(&a, "fuzz", (struct text){ (const char *)data, size }, &err);

	if (l) {
		MUST(err.code == ERROR_NONE);
		MUST(l->count > 0 && l->count <= BUDGET_FILE_MAX_BUDGETS);
		for (size_t i = 0; i < l->count; i++)
			check(&l->budgets[i]);
	} else {
		MUST(err.code == ERROR_INPUT || err.code == ERROR_LIMIT);
		MUST(err.message[0]);
	}
	arena_release(&a);
	return 0;
}
