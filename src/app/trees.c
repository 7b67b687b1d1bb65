/* Call trees on request, from the stored tree if possible. */
#include "app/trees.h"

#include "analysis/trees.h"
#include "app/facts.h"
#include "base/decimal.h"
#include "model/call_tree.h"
#include "store/tree/depot_stacks.h"

#include <stdlib.h>

enum {
	/* To compare two trees, this many times as many nodes are read as the result may have. Then a call that
	 * the result shows is nearly always in both. */
	COMPARED_TIMES = 3
};

/* Returns how many nodes to read; 0 means all. */
static size_t
nodes_to_read(const struct tree_request *q)
{
	const size_t stored = CALL_TREE_STORED_NODES;

	if (q->inverted || q->focus.count || q->ignore.count || !q->max_nodes ||
		q->max_nodes > stored)
		return 0;
	if (!q->base_id)
		return q->max_nodes;
	return q->max_nodes < stored / COMPARED_TIMES ? q->max_nodes * COMPARED_TIMES : stored;
}

static struct tree *
load(struct db *db, struct arena *a, const struct tree_request *q, int64_t inst_id,
	struct error *err)
{
	const struct tree_question question = {
		.inst_id = inst_id,
		.metric = q->metric,
		.max_nodes = nodes_to_read(q),
	};

	return depot_tree_load(db, a, &question, err);
}

static struct tree *
compare(struct db *db, struct arena *a, const struct tree_request *q, const struct tree *t,
	struct error *err)
{
	struct tree_request same = *q;
	struct tree *base, *both;
	double factor = 0;

	same.metric = arena_strndup(a, t->metric.data, t->metric.size);
	base = load(db, a, &same, q->base_id, err);
	if (!base)
		return NULL;
	if (!text_equal(t->unit, base->unit)) {
		facts_refuse_units(t->metric, t->unit, base->unit, err);
		return NULL;
	}
	if (q->normalized)
		factor = tree_scale(base, t);
	if (q->normalized && factor <= 0) {
		error_set(err, ERROR_USAGE,
			"cannot compare shares of %s: the total of a result set is not above 0",
			same.metric);
		error_hint(err, "omit --normalize");
		return NULL;
	}
	both = tree_compare(a, t, base);
	both->base_factor = factor;
	return both;
}

/* Makes an inverted tree without filters from the stacks. *out is NULL if it must be made from the tree. */
static bool
invert_stacks(struct db *db, struct arena *a, const struct tree_request *q, struct tree **out,
	struct error *err)
{
	const struct tree_question question = { .inst_id = q->inst_id, .metric = q->metric };
	struct stack_source source = { .read = depot_stacks_read };
	struct depot_stacks *stacks;
	bool ok;

	*out = NULL;
	if (!q->inverted || q->focus.count || q->ignore.count || q->base_id)
		return true;
	if (!depot_stacks_open(db, a, &question, &stacks, err) || !stacks)
		return !err->code;
	source.routines = stacks->routines;
	source.same = stacks->same;
	source.self = stacks;
	ok = tree_invert_stacks(a, &source, q->max_nodes, q->min_share, out, err);
	depot_stacks_close(stacks);
	return ok;
}

/* --- the tree of the stacks that pass the filters ---------------------------------------------- */

struct selection {
	bool *in, *out;
	struct call_tree *calls; /* a routine is the index of a name */
};

/* Adds the stack if a frame matches `focus` and no frame matches `ignore`. */
static bool
add_stack(void *self, const struct named_stack *stack, struct error *err)
{
	const struct selection *s = self;
	uint32_t node = 0;
	bool in = false;

	(void)err;
	for (size_t i = 0; i < stack->count; i++) {
		if (s->out[stack->names[i]])
			return true;
		in |= s->in[stack->names[i]];
	}
	if (!in)
		return true;
	for (size_t i = stack->count; i-- > 0;)
		node = call_tree_child(s->calls, node, stack->names[i]);
	call_tree_add_self(s->calls, 0, node, stack->value);
	return true;
}

static bool
select_from(struct arena *a, const struct tree_request *q, const struct depot_stacks *stacks,
	struct tree **out, struct error *err)
{
	struct selection s = { .in = tree_matches(stacks->routines, &q->focus),
		.out = tree_matches(stacks->routines, &q->ignore),
		.calls = call_tree_new() };
	bool whole; /* stacks with the value 0 do not matter */
	bool ok = depot_stacks_each(stacks, s.in, add_stack, &s, &whole, err);

	if (ok)
		*out = tree_from_calls(a, stacks->routines, s.calls);
	call_tree_free(s.calls);
	free(s.out);
	free(s.in);
	return ok;
}

/* Makes a filtered tree from the stacks that pass the filters. *out is NULL if it must be made from the whole tree. */
static bool
select_stacks(struct db *db, struct arena *a, const struct tree_request *q, struct tree **out,
	struct error *err)
{
	const struct tree_question question = { .inst_id = q->inst_id, .metric = q->metric };
	struct depot_stacks *stacks;
	bool ok;

	*out = NULL;
	if (!q->focus.count || q->base_id)
		return true;
	if (!depot_stacks_open(db, a, &question, &stacks, err) || !stacks)
		return !err->code;
	/* The whole tree has a node for each of several routines with the same name. */
	ok = tree_repeats_names(stacks->routines, stacks->same) ||
	     select_from(a, q, stacks, out, err);
	depot_stacks_close(stacks);
	return ok;
}

/* --- trees on request ------------------------------------------------------------------------ */

/* Makes the whole tree as requested, except that it may be too large. */
static struct tree *
make_whole(struct db *db, struct arena *a, const struct tree_request *q, struct error *err)
{
	struct tree *t;

	if (!select_stacks(db, a, q, &t, err))
		return NULL;
	if (!t) {
		t = load(db, a, q, q->inst_id, err);
		if (t && q->base_id && !text_is_null(t->metric))
			t = compare(db, a, q, t, err);
		if (!t)
			return NULL;
		if (q->focus.count || q->ignore.count)
			t = tree_filter(a, t, &q->focus, &q->ignore);
	}
	if (q->inverted)
		t = tree_invert(a, t, q->max_nodes, q->min_share);
	return t;
}

struct tree *
trees_make(struct db *db, struct arena *a, const struct tree_request *q, struct error *err)
{
	struct tree *t;

	if (!invert_stacks(db, a, q, &t, err))
		return NULL;
	if (!t)
		t = make_whole(db, a, q, err);
	if (!t)
		return NULL;
	if (q->min_share > 0)
		t = tree_narrow(a, t, q->min_share);
	if (q->max_nodes && t->count > q->max_nodes)
		t = tree_cut(a, t, q->max_nodes);
	return t;
}

bool
trees_parse_share(const char *s, double *percent, struct error *err)
{
	struct decimal d;

	if (decimal_parse(text_from(s), &d) == DECIMAL_OK) {
		*percent = decimal_to_double(d);
		if (*percent >= 0 && *percent <= 100)
			return true;
	}
	error_set(err, ERROR_USAGE, "\"%.*s\" is not a percentage",
		text_precision(text_from(s), 100), s);
	return error_hint(err, "write a percentage, such as 0.5");
}
