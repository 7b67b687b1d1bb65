/*
 * Comparisons of the samples of large result sets by routine, class, module or own frame. They are made from the stored
 * costs of the routines, or from stacks whose frames are numbers of routines. No stack is resolved to names.
 */
#include "base/array.h"
#include "diff_private.h"
#include "store/stack_sums.h"
#include "store/tree/depot_stacks.h"

#include <stdlib.h>

/* --- from stored costs ----------------------------------------------------------------------- */

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

/* Sets *out to NULL if there are no such costs. */
static bool
compare_costs(struct db *db, struct arena *a, const struct diff_plan *p, struct facts *facts,
	struct comparison **out, struct error *err)
{
	struct compare_question q = diff_question(p);
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

/* --- from stacks ----------------------------------------------------------------------------- */

/* One side of a comparison. */
struct side {
	struct depot_stacks *stacks; /* NULL if the metric was not measured */
	uint32_t *frames;            /* for each name: its frame */
	bool *marked; /* for each name: whether the filter asks for it; NULL without a filter */
};

struct comparing {
	struct db *db;
	struct arena *arena;
	const struct diff_request *d;
	struct facts *facts;
	struct side sides[FACTS_SIDES];
};

struct adding {
	struct compare_work *work;
	enum facts_side side;
	const struct side *from;
	uint32_t *frames; /* of the current stack */
	size_t room;
};

static bool
add_stack(void *self, const struct named_stack *stack, struct error *err)
{
	struct adding *a = self;
	bool wanted = !a->from->marked;

	(void)err;
	ARRAY_RESERVE(a->frames, a->room, stack->count);
	for (size_t i = 0; i < stack->count; i++) {
		a->frames[i] = a->from->frames[stack->names[i]];
		wanted |= a->from->marked && a->from->marked[stack->names[i]];
	}
	if (wanted)
		compare_stack(a->work, a->side, a->frames, stack->count, stack->value);
	return true;
}

/* Returns whether all frames with equal names have the same file and line. A row shows those of its first frame. */
static bool
has_plain_frames(const struct depot_stacks *stacks)
{
	for (size_t i = 0; i < stacks->routines->name_count; i++)
		if (stacks->same[i] != i)
			return false;
	return !stacks->lines;
}

/* Adds the frames of one side to the facts, and, without a filter, a fact for the samples without a stack. */
static bool
add_frames(const struct comparing *c, enum facts_side number, struct side *side, struct error *err)
{
	const struct option_list *routines = &c->d->request->lists[REPORT_ROUTINE];
	const struct tree *t = side->stacks->routines;

	side->frames = arena_alloc_array(c->arena, t->name_count, sizeof(*side->frames));
	for (size_t i = 0; i < t->name_count; i++)
		side->frames[i] = facts_frame(c->facts, &t->names[i]);
	if (!routines->count) {
		if (t->nodes[0].self)
			facts_add(c->facts, number, &(struct fact){ .value = t->nodes[0].self });
		return true;
	}
	side->marked = arena_alloc_array(c->arena, t->name_count, sizeof(*side->marked));
	return depot_stacks_mark(
		side->stacks, report_patterns(c->arena, routines), side->marked, err);
}

/* Sets *known to false if the stacks of this side cannot be compared. */
static bool
open_side(struct comparing *c, enum facts_side number, bool *known, struct error *err)
{
	const struct diff_plan *p = c->d->plan;
	struct side *side = &c->sides[number];
	const struct tree_question question = {
		.inst_id = number == FACTS_NEW ? p->inst_id : p->base_id, .metric = p->metric.name
	};

	if (!depot_stacks_open(c->db, c->arena, &question, &side->stacks, err))
		return false;
	*known = side->stacks && (p->by == COMPARE_BY_CLASS || p->by == COMPARE_BY_MODULE ||
					 has_plain_frames(side->stacks));
	return !*known || add_frames(c, number, side, err);
}

/* Sets *out to NULL if the names of a stack are unknown. */
static bool
compare_sides(const struct comparing *c, struct comparison **out, struct error *err)
{
	struct compare_question q = diff_question(c->d->plan);
	struct adding adding = { NULL };
	struct comparison *made;
	bool ok = true;
	bool whole = true;

	if (q.by == COMPARE_BY_OWN)
		q.own_frames =
			facts_own_frames(c->facts, c->arena, &c->d->request->lists[REPORT_OWN]);
	adding.work = compare_begin(c->arena, c->facts, &q);
	for (int side = 0; ok && whole && side < FACTS_SIDES; side++) {
		adding.side = (enum facts_side)side;
		adding.from = &c->sides[side];
		if (adding.from->stacks)
			ok = depot_stacks_each(
				adding.from->stacks, NULL, add_stack, &adding, &whole, err);
	}
	free(adding.frames);
	made = compare_end(adding.work);
	*out = whole ? made : NULL;
	return ok;
}

/* Sets *out to NULL if the stacks cannot be compared, and also if the result sets are small. */
static bool
compare_stacks(struct db *db, struct arena *a, const struct diff_request *d, struct facts *facts,
	struct comparison **out, struct error *err)
{
	const struct diff_plan *p = d->plan;
	struct comparing c = { .db = db, .arena = a, .d = d, .facts = facts };
	bool known;
	bool ok = stack_identities_are_names(db, p->inst_id, p->base_id, false, &known, err);

	*out = NULL;
	for (int side = 0; ok && known && side < FACTS_SIDES; side++)
		if (p->metric.present[side])
			ok = open_side(&c, (enum facts_side)side, &known, err);
	if (ok && known)
		ok = compare_sides(&c, out, err);
	for (int side = 0; side < FACTS_SIDES; side++)
		depot_stacks_close(c.sides[side].stacks);
	return ok;
}

bool
diff_samples(struct db *db, struct arena *a, const struct diff_request *d, struct facts *facts,
	struct comparison **out, struct error *err)
{
	const enum compare_by by = d->plan->by;

	*out = NULL;
	if (!diff_takes_samples(d->plan, d->request) || by == COMPARE_BY_STACK)
		return true;
	if (by == COMPARE_BY_ROUTINE && !d->request->lists[REPORT_ROUTINE].count)
		return compare_costs(db, a, d->plan, facts, out, err);
	if (by == COMPARE_BY_OWN && d->plan->match != MATCH_NAMES)
		return true;
	return compare_stacks(db, a, d, facts, out, err);
}
