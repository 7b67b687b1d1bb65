/* A comparison of samples by routine, made from the stored costs of the routines. */
#include "diff_private.h"
#include "store/tree/depot_tree.h"

/* Adds each routine with its self value to the facts. Returns the totals of these facts. */
static const wide_int *
add_routines(struct arena *a, struct facts *facts, enum facts_side side, const struct tree *t)
{
	wide_int *totals = arena_alloc_array(a, t->count, sizeof(*totals));
	size_t n = 0;

	for (size_t i = 1; i < t->count; i++) {
		uint32_t frame = facts_frame(facts, &t->names[t->nodes[i].name]);

		facts_add(facts, side,
			&(struct fact){ .stack = facts_call(facts, FACTS_NO_STACK, frame),
				.value = t->nodes[i].self });
		totals[n++] = t->nodes[i].total;
	}
	if (t->nodes[0].self) {
		facts_add(facts, side, &(struct fact){ .value = t->nodes[0].self });
		totals[n++] = t->nodes[0].self;
	}
	return totals;
}

bool
diff_routines(struct db *db, struct arena *a, const struct diff_plan *p, struct facts *facts,
	struct comparison **out, struct error *err)
{
	struct compare_question q = { .by = COMPARE_BY_ROUTINE,
		.family = p->metric.family,
		.value_first = p->metric.value_first,
		.normalise = p->normalise };
	const int64_t ids[] = { p->inst_id, p->base_id };
	struct comparison *c;

	*out = NULL;
	for (int side = 0; side < FACTS_SIDES; side++) {
		const struct tree_question question = { .inst_id = ids[side],
			.metric = p->metric.name };
		struct tree *t;

		if (!p->metric.present[side])
			continue;
		if (!depot_routine_costs(db, a, &question, &t, err))
			return false;
		if (!t)
			return true;
		q.totals[side] = add_routines(a, facts, (enum facts_side)side, t);
	}
	c = facts_compare(a, facts, &q);
	*out = c->merged ? NULL : c;
	return true;
}
