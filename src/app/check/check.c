/* Checks a result set against budgets: loads facts, judges each budget, describes breaches. */
#include "check_private.h"

#include "app/check/kept_budgets.h"
#include "app/suppressions.h"
#include "store/result_sets.h"
#include "store/set_names.h"
#include "store/tree/span_times.h"

#ifndef PACKAGE_VERSION
#include <config.h>
#include <stdlib.h>
#endif

/* --- facts ----------------------------------------------------------------------------------- */

static bool
load_side(struct checking *c, struct loaded *l, enum facts_side side, int64_t inst_id,
	struct error *err)
{
	static const struct report_request no_filters = { 0 };
	const struct facts_question q = { .inst_id = inst_id,
		.metric = &l->metric,
		.filters = &no_filters,
		.suppressions = c->request->suppressions };

	return !inst_id ||
	       facts_load(c->db, l->facts, side, &q, side == FACTS_NEW ? &c->hidden : NULL, err);
}

/* Loads the metric's facts, unless they are loaded already. If neither result set has the metric, sets
 * *out to NULL and returns true. "objects" and "errors" are exceptions: a missing metric with one of these names is
 * loaded as a metric without facts. */
static bool
load_facts(struct checking *c, const char *metric, struct loaded **out, struct error *err)
{
	const struct check_request *q = c->request;
	struct loaded *l;
	bool optional = strcmp(metric, "objects") == 0 || strcmp(metric, "errors") == 0;

	for (l = c->loaded; l; l = l->next)
		if (strcmp(l->name, metric) == 0)
			break;
	*out = l;
	if (l)
		return true;
	l = arena_alloc(c->arena, sizeof(*l));
	l->name = metric;
	if (!facts_find_metric(c->db, c->arena, q->inst_id, q->base_id, metric, &l->metric, err)) {
		if (err->code != ERROR_NOT_FOUND)
			return false;
		error_clear(err);
		if (!optional)
			return true;
		l->metric.family = strcmp(metric, "errors") == 0 ? FACTS_ERRORS : FACTS_OBJECTS;
	}
	l->facts = facts_new(c->arena, q->budgets->match);
	l->next = c->loaded;
	c->loaded = *out = l;
	if (!load_side(c, l, FACTS_NEW, q->inst_id, err) ||
		!load_side(c, l, FACTS_BASE, q->base_id, err))
		return false;
	l->own = facts_own_frames(l->facts, c->arena, &c->own);
	l->findings = arena_alloc_array(c->arena, l->facts->frame_count, sizeof(*l->findings));
	for (size_t i = 0; i < l->facts->frame_count; i++)
		finding_frame_of(c->sha, &l->facts->frames[i], &l->findings[i]);
	return true;
}

/* Adds the stacks of all leaks ("objects") or of all errors ("errors") to the check. Breaches refer to these stacks by
 * number. */
static bool
list_stacks(struct checking *c, const char *metric, struct error *err)
{
	struct compare_question q = { .by = COMPARE_BY_STACK, .kinds = true };
	const struct comparison *all;
	struct loaded *l;

	if (!load_facts(c, metric, &l, err))
		return false;
	q.family = l->metric.family;
	all = facts_compare(c->arena, l->facts, &q);
	for (size_t i = 0; i < all->row_count; i++)
		check_add_stack(c, l, &all->rows[i]);
	return true;
}

/* --- budgets --------------------------------------------------------------------------------- */

enum {
	BREACH_STACKS = 100 /* reported per breach */
};

static void
describe_breach(struct checking *c, const struct loaded *l, const struct budget *b,
	const struct budget_breach *breach, struct check_breach *out)
{
	size_t n = breach->stack_count;
	size_t *stacks;

	if (n > BREACH_STACKS)
		n = BREACH_STACKS;
	stacks = arena_alloc_array(c->arena, n, sizeof(*stacks));
	for (size_t i = 0; i < n; i++) {
		stacks[i] = check_add_stack(c, l, &breach->stacks[i]);
		c->stacks.items[stacks[i]].breaks = true;
	}
	out->limit = budget_limits[breach->limit].key;
	out->what = check_group_label(c, l, b, &breach->group);
	out->text = check_breach_text(c, l, b, breach, out->what);
	out->stacks = stacks;
	out->stack_count = n;
}

static bool
cannot_judge(const struct checking *c, const struct budget *b, struct check_budget *out,
	const char *reason)
{
	bool skip = b->optional || c->request->skip_unjudged;

	out->verdict = skip ? CHECK_SKIPPED : CHECK_UNJUDGED;
	out->reason = reason;
	return true;
}

static struct run_gap
gap_of(const struct checking *c, const struct loaded *l, enum facts_side side)
{
	const struct run *looked = &c->runs[side];
	bool found = l->metric.present[side];

	return l->metric.family == FACTS_ERRORS ? run_error_gap(c->arena, looked, found)
						: run_gap(c->arena, looked, COVERAGE_LEAKS, found);
}

/* Returns why the number of leaks or errors is unknown, if it is. */
static struct run_gap
find_gap(const struct checking *c, const struct loaded *l, const struct budget *b, bool broken)
{
	struct run_gap gap = { NULL, NULL };

	if (b->of == BUDGET_OF_METRIC) {
		if (!broken && c->runs[FACTS_NEW].finished == 0)
			gap.sentence = "the run did not finish";
		return gap;
	}
	if (budget_needs_base(b))
		gap = gap_of(c, l, FACTS_BASE);
	if (gap.sentence)
		gap.sentence = arena_printf(
			c->arena, "in the result set to compare with, %s", gap.sentence);
	/* Facts that the run missed cannot change the verdict if the limit is exceeded even without them. */
	else if (!broken)
		gap = gap_of(c, l, FACTS_NEW);
	return gap;
}

static bool
is_incomplete(const struct checking *c, const struct budget *b)
{
	const struct coverage *covered = c->runs[FACTS_NEW].coverage;
	bool leaks = b->of == BUDGET_OF_LEAKS;

	return c->runs[FACTS_NEW].finished == 0 ||
	       covered[leaks ? COVERAGE_LEAKS : COVERAGE_ERRORS].degree == COVERAGE_PARTIAL;
}

static bool
judge_facts(struct checking *c, const struct budget *b, struct check_budget *out, struct error *err)
{
	const char *metric = b->of == BUDGET_OF_LEAKS    ? "objects"
			     : b->of == BUDGET_OF_ERRORS ? "errors"
							 : b->metric;
	struct budget_verdict verdict;
	struct check_breach *told;
	struct run_gap gap;
	struct loaded *l;

	if (!load_facts(c, metric, &l, err))
		return false;
	if (!l || (b->of == BUDGET_OF_METRIC && !l->metric.present[FACTS_NEW]))
		return cannot_judge(c, b, out,
			arena_printf(c->arena, "the result set has no metric %s", metric));
	if (b->of == BUDGET_OF_METRIC &&
		(l->metric.family == FACTS_OBJECTS || l->metric.family == FACTS_ERRORS))
		return cannot_judge(c, b, out,
			arena_printf(c->arena,
				"%s is not a metric of samples or spans; use a leak or error "
				"budget",
				metric));
	verdict = budget_judge(
		c->arena, l->facts, l->metric.family, b, l->own, c->request->base_id != 0);
	if (!verdict.count && verdict.unknown)
		return cannot_judge(c, b, out, "the sizes of some leaks are unknown");
	gap = find_gap(c, l, b, verdict.count > 0);
	if (gap.sentence) {
		out->incomplete = is_incomplete(c, b);
		out->hint = gap.hint;
		return cannot_judge(c, b, out, gap.sentence);
	}
	told = arena_alloc_array(c->arena, verdict.count, sizeof(*told));
	for (size_t i = 0; i < verdict.count; i++)
		describe_breach(c, l, b, &verdict.breaches[i], &told[i]);
	out->breaches = told;
	out->breach_count = verdict.count;
	out->verdict = verdict.count ? CHECK_BROKEN : CHECK_PASSED;
	return true;
}

static bool
find_times(struct checking *c, const struct budget *b, int64_t inst_id, struct span_times *times,
	wide_int *value, struct error *err)
{
	const struct span_times_question q = { &inst_id, 1, report_patterns(c->arena, &b->spans) };
	enum span_time statistic = SPAN_TIME_MEDIAN;

	if (b->statistic)
		span_time_parse(b->statistic, &statistic);
	*times = (struct span_times){ .count = 0 };
	if (inst_id && !span_times_find(c->db, c->arena, &q, times, err))
		return false;
	*value = times->times[statistic];
	return true;
}

/* Judges a budget for a duration. Its breaches have no stacks, because a duration is a single value. */
static void
judge_times(struct checking *c, const struct budget *b, struct text unit, wide_int base,
	wide_int now, struct check_budget *out)
{
	struct loaded l = { .metric = { .family = FACTS_SPANS, .unit = unit } };
	struct check_breach *told = arena_alloc_array(c->arena, BUDGET_LIMITS, sizeof(*told));

	for (int i = 0; i < BUDGET_LIMITS; i++) {
		enum budget_limit_code code = (enum budget_limit_code)i;
		struct budget_breach breach = { .limit = code, .now = now, .base = base };

		if (!b->limits[i].set || !budget_breaks(&b->limits[i], budget_limits[code].mode,
						 base, now, &breach.measured))
			continue;
		told[out->breach_count].limit = budget_limits[code].key;
		told[out->breach_count].what = "";
		told[out->breach_count].text = check_breach_text(c, &l, b, &breach, "");
		out->breach_count++;
	}
	out->breaches = told;
	out->verdict = out->breach_count ? CHECK_BROKEN : CHECK_PASSED;
}

static bool
judge_duration(
	struct checking *c, const struct budget *b, struct check_budget *out, struct error *err)
{
	struct span_times now, base;
	wide_int now_value, base_value;

	if (!find_times(c, b, c->request->inst_id, &now, &now_value, err) ||
		!find_times(c, b, c->request->base_id, &base, &base_value, err))
		return false;
	if (!now.count)
		return cannot_judge(c, b, out,
			arena_printf(c->arena, "the result set has no span %s that ended",
				b->spans.items[0]));
	if (budget_needs_base(b) && !base.count)
		return cannot_judge(c, b, out,
			arena_printf(c->arena,
				"the result set to compare with has no span %s that ended",
				b->spans.items[0]));
	if (base.count && !text_equal(base.unit, now.unit))
		return cannot_judge(c, b, out, "the result sets measure time in different units");
	judge_times(c, b, now.unit, base_value, now_value, out);
	return true;
}

/* Converts time limits to the metric's unit. Returns false if the metric's unit is not a unit of time. */
static bool
convert_limits(struct budget *b, struct text unit)
{
	static const struct {
		const char *word;
		wide_int nanoseconds;
	} units[] = { { "nanoseconds", 1 }, { "microseconds", 1000 }, { "milliseconds", 1000000 },
		{ "seconds", 1000000000 } };
	wide_int to = 0;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (text_equal(unit, text_from(units[i].word)))
			to = units[i].nanoseconds;
	for (int i = 0; i < BUDGET_LIMITS; i++) {
		if (!b->limits[i].unit)
			continue;
		if (!to)
			return false;
		for (size_t n = 0; n < sizeof(units) / sizeof(units[0]); n++)
			if (strcmp(b->limits[i].unit, units[n].word) == 0)
				b->limits[i].value = b->limits[i].value * units[n].nanoseconds / to;
	}
	return true;
}

static bool
unit_of(struct checking *c, const struct budget *b, struct text *unit, struct error *err)
{
	struct span_times times;
	struct loaded *l;
	wide_int value;

	*unit = TEXT_NULL;
	if (b->of == BUDGET_OF_DURATION) {
		if (!find_times(c, b, c->request->inst_id, &times, &value, err))
			return false;
		*unit = times.unit;
		return true;
	}
	if (!load_facts(c, b->metric, &l, err))
		return false;
	if (l)
		*unit = l->metric.unit;
	return true;
}

static bool
judge(struct checking *c, const struct budget *given, struct check_budget *out, struct error *err)
{
	bool timed = given->of == BUDGET_OF_METRIC || given->of == BUDGET_OF_DURATION;
	struct budget b = *given;
	struct text unit;

	out->name = b.name;
	if (budget_needs_base(&b) && !c->request->base_id && c->request->base_optional) {
		b.optional = true;
		return cannot_judge(c, &b, out, "there is no result set to compare with yet");
	}
	if (budget_needs_base(&b) && !c->request->base_id)
		return cannot_judge(c, &b, out,
			"the budget limits growth, but there is no result set to compare with: use "
			"--base");
	if (timed && !unit_of(c, &b, &unit, err))
		return false;
	if (timed && unit.data && !convert_limits(&b, unit))
		return cannot_judge(c, &b, out,
			arena_printf(c->arena, "the limit is a time, but the metric is in %.*s",
				text_precision(unit, 50), unit.data));
	return b.of == BUDGET_OF_DURATION ? judge_duration(c, &b, out, err)
					  : judge_facts(c, &b, out, err);
}

/* --- the check ------------------------------------------------------------------------------- */

static void
gather_own(struct checking *c)
{
	const struct option_list *lists[] = { &c->request->budgets->own, c->request->own };

	c->own.items = arena_alloc_array(c->arena,
		lists[0]->count + (lists[1] ? lists[1]->count : 0), sizeof(*c->own.items));
	for (size_t i = 0; i < 2; i++)
		for (size_t n = 0; lists[i] && n < lists[i]->count; n++)
			c->own.items[c->own.count++] = lists[i]->items[n];
}

static bool
run(struct checking *c, struct error *err)
{
	const struct check_request *q = c->request;
	struct table_set *set = &c->check->set;

	if (!result_set_caption(c->db, c->arena, q->inst_id, &set->inst_id, &set->caption, err) ||
		(q->base_id && !result_set_caption(c->db, c->arena, q->base_id, &set->base_inst_id,
				       &set->base_caption, err)))
		return false;
	if (!run_find(c->db, c->arena, q->inst_id, &c->runs[FACTS_NEW], err) ||
		!run_find(c->db, c->arena, q->base_id, &c->runs[FACTS_BASE], err))
		return false;
	gather_own(c);
	if (!depot_owners_read(c->db, c->arena, 0, &c->owners, err))
		return false;
	if (!list_stacks(c, "objects", err) || !list_stacks(c, "errors", err))
		return false;
	for (size_t i = 0; i < q->budgets->count; i++) {
		if (!judge(c, &q->budgets->budgets[i], &c->budgets[i], err))
			return error_prefix(err, "budget \"%.100s\"", q->budgets->budgets[i].name);
		c->check->verdicts[c->budgets[i].verdict]++;
	}
	if (!q->against_history)
		return true;
	if (!check_against_history(c, &c->budgets[q->budgets->count], err))
		return false;
	c->check->verdicts[c->budgets[q->budgets->count].verdict]++;
	return true;
}

const struct check *
check_run(struct db *db, struct arena *a, const struct check_request *q, struct error *err)
{
	struct checking c = { .db = db, .arena = a, .request = q, .sha = sha256_new() };
	bool ok;

	c.check = arena_alloc(a, sizeof(*c.check));
	c.check->tool_version = PACKAGE_VERSION;
	c.check->inst_ids = arena_copy_array(a, &q->inst_id, 1, sizeof(q->inst_id));
	c.check->inst_id_count = 1;
	c.budgets = arena_alloc_array(a, q->budgets->count + 1, sizeof(*c.budgets));
	ok = run(&c, err);
	if (c.hidden.blocks)
		c.check->suppressed =
			text_from(arena_printf(a, "%llu", (unsigned long long)c.hidden.blocks));
	c.check->budgets = c.budgets;
	c.check->budget_count = q->budgets->count + q->against_history;
	c.check->stacks =
		arena_copy_array(a, c.stacks.items, c.stacks.count, sizeof(*c.stacks.items));
	free(c.stacks.items);
	c.check->stack_count = c.stacks.count;
	pair_map_release(&c.stacks.map);
	sha256_free(c.sha);
	while (c.loaded) {
		facts_free(c.loaded->facts);
		c.loaded = c.loaded->next;
	}
	return ok ? c.check : NULL;
}

/* Checks the result set q->inst_id. Compares it with the result set that `base` names, unless `base` is NULL. */
static const struct check *
check_one(struct db *db, struct arena *a, const char *base, struct check_request *q,
	const struct suppressions_request *suppressions, struct error *err)
{
	const struct check *c;

	q->base_id = 0;
	if (base && !set_name_find(db, base, q->inst_id, &q->base_id, err)) {
		if (err->code != ERROR_NOT_FOUND || !q->base_optional) {
			error_prefix(err, "option --base");
			return NULL;
		}
		error_clear(err);
	}
	q->suppressions = suppressions_open(db, suppressions, err);
	c = q->suppressions ? check_run(db, a, q, err) : NULL;
	suppressions_free(q->suppressions);
	return c;
}

const struct check *
check_named(struct db *db, struct arena *a, const char *set, const char *base,
	const struct check_request *q, const struct suppressions_request *suppressions,
	struct error *err)
{
	struct check_request named = *q;
	const struct check **checks;
	int64_t *inst_ids;
	size_t count;

	if (!set_names_find(db, a, &set, 1, &inst_ids, &count, err))
		return NULL;
	if (!named.budgets)
		named.budgets = kept_budgets_of(db, a, inst_ids[0], err);
	if (!named.budgets)
		return NULL;
	checks = arena_alloc_array(a, count, sizeof(*checks));
	for (size_t i = 0; i < count; i++) {
		named.inst_id = inst_ids[i];
		checks[i] = check_one(db, a, base, &named, suppressions, err);
		if (!checks[i])
			return NULL;
	}
	return count == 1 ? checks[0] : check_merge(a, set_name_run(set), checks, count);
}
