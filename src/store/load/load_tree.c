/* Metrics and their trees, written after all facts. */
#include "load_measures.h"
#include "store/rows.h"
#include "store/tree/tree_private.h"

static const struct {
	enum metric_family family;
	const char *name, *unit, *title;
} standing[] = {
	{ METRIC_OF_OBJECTS, "live_count", "count", "Live objects" },
	{ METRIC_OF_OBJECTS, "live_size", "bytes", "Live size" },
	{ METRIC_OF_ERRORS, "errors", "count", "Errors" },
};

const char *
load_total_name(const struct load_set *set, int metric)
{
	if (metric < METRICS_TOLD_MAX)
		return set->metrics[metric].name.data;
	return metric == METRIC_ERRORS ? "errors" : "live";
}

/* A fact counts at the innermost frame of its stack, or at the root if it has no stack. */
static void
add_totals(struct load_set *set)
{
	for (size_t i = 0; i < set->total_count; i++) {
		const struct load_total *t = &set->totals[i];
		uint32_t node = t->stack ? set->stacks[t->stack - 1].node : 0;
		wide_int value = t->value;

		if (t->metric == METRIC_LIVE_SIZE)
			call_tree_add_self(
				set->tree, METRIC_LIVE_COUNT, node, fixed_from_wide(t->count));
		if (t->metric >= METRICS_TOLD_MAX)
			value = fixed_from_wide(value);
		call_tree_add_self(set->tree, (size_t)t->metric, node, value);
	}
}

static bool
write_metric(struct load *l, struct load_set *set, const struct metric_row *m, int32_t number,
	struct error *err)
{
	load_counted(set, REL_METRICS, number, 0);
	load_row(l, set, REL_METRICS);
	metric_put(l->copier, number, m);
	return load_row_end(l, err);
}

static bool
write_all(struct load *l, struct load_set *set, const struct metric_row *m, size_t metric,
	int32_t number, struct error *err)
{
	struct call_tree_rows rows = { 0 };

	if (!load_is_wanted(l, err) || !write_metric(l, set, m, number, err) ||
		!call_tree_write(
			l->copier, set->outcome.inst_id, set->tree, metric, number, &rows, err))
		return false;
	set->counts[REL_CALL_TREE].rows += rows.blocks;
	set->counts[REL_ROUTINE_TOTALS].rows += rows.routines;
	return true;
}

bool
load_write_metrics(struct load *l, struct load_set *set, struct error *err)
{
	const bool present[] = { set->counts[REL_OBJECTS].rows > 0,
		set->counts[REL_OBJECTS].rows > 0, set->counts[REL_ERRORS].rows > 0 };
	int32_t number = 0;

	add_totals(set);
	for (size_t i = 0; i < set->metric_count; i++)
		if (!write_all(l, set, &set->metrics[i], i, ++number, err))
			return false;
	for (size_t i = 0; i < sizeof(standing) / sizeof(standing[0]); i++) {
		const struct metric_row m = { .family = standing[i].family,
			.name = text_from(standing[i].name),
			.unit = text_from(standing[i].unit),
			.title = text_from(standing[i].title) };

		if (present[i] && !write_all(l, set, &m, METRICS_TOLD_MAX + i, ++number, err))
			return false;
	}
	/* Each tree is freed at once, because the trees of many sets need much memory. */
	call_tree_free(set->tree);
	set->tree = NULL;
	return true;
}
