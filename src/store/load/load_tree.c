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

/* Adds each total to the node of its stack's innermost frame, or to the root if it has no stack. */
static void
add_totals(struct load_set *set, int metric)
{
	int from = metric == METRIC_LIVE_COUNT ? METRIC_LIVE_SIZE : metric;

	for (size_t i = 0; i < set->total_count; i++) {
		const struct load_total *t = &set->totals[i];
		wide_int value = metric == METRIC_LIVE_COUNT ? t->count : t->value;

		if (t->metric == from)
			call_tree_add_self(set->tree, (size_t)metric,
				t->stack ? set->stacks[t->stack - 1].node : 0,
				metric >= METRICS_TOLD_MAX ? fixed_from_wide(value) : value);
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

/* Computes and writes the tree of one metric. Then frees the sums of this metric, because they need memory for each
 * node. */
static bool
write_all(struct load *l, struct load_set *set, const struct metric_row *m, size_t metric,
	int32_t number, struct error *err)
{
	struct call_tree_rows rows = { 0 };

	if (!load_is_wanted(l, err) || !write_metric(l, set, m, number, err))
		return false;
	add_totals(set, (int)metric);
	if (!call_tree_write(
		    l->copier, set->outcome.inst_id, set->tree, metric, number, &rows, err))
		return false;
	call_tree_forget(set->tree, metric);
	set->counts[REL_CALL_TREE].rows += rows.blocks;
	set->counts[REL_ROUTINE_TOTALS].rows += rows.routines;
	return true;
}

/* True if some class, such as handles, has only objects without a size. Sizes would then not show what
 * leaked. */
static bool
has_unsized_class(const struct load_set *set)
{
	for (size_t i = 0; i < set->class_count; i++)
		if (set->classes[i].objects > 0 && set->classes[i].size == 0)
			return true;
	return false;
}

static bool
has_sizes(const struct load_set *set)
{
	for (size_t i = 0; i < set->total_count; i++)
		if (set->totals[i].sized)
			return true;
	return false;
}

bool
load_find_paths(struct load *l, struct load_set *set, struct error *err)
{
	int32_t numbers[METRICS_TOLD_MAX];

	if (!set->paths_missing)
		return true;
	for (size_t i = 0; i < set->metric_count; i++)
		numbers[i] = (int32_t)i + 1;
	return copier_settle(l->copier, err) &&
	       tree_add_spans(l->db, INT64_TEXT(set->outcome.inst_id), numbers, set->metric_count,
		       set->tree, err);
}

bool
load_write_metrics(struct load *l, struct load_set *set, struct error *err)
{
	const bool present[] = { set->counts[REL_OBJECTS].rows > 0, has_sizes(set),
		set->counts[REL_ERRORS].rows > 0 };
	int32_t number = 0;

	/* No more stacks or totals are added, so free the indexes: the trees need the memory. */
	stack_index_release(&set->stack_index);
	for (size_t i = 0; i < CALL_TREE_MAX_METRICS; i++)
		pair_map_release(&set->total_by_key[i]);
	for (size_t i = 0; i < set->metric_count; i++)
		if (!write_all(l, set, &set->metrics[i], i, ++number, err))
			return false;
	for (size_t n = 0; n < sizeof(standing) / sizeof(standing[0]); n++) {
		/* The default metric of the objects comes first. */
		size_t i = n < 2 && !has_unsized_class(set) ? 1 - n : n;
		const struct metric_row m = { .family = standing[i].family,
			.name = text_from(standing[i].name),
			.unit = text_from(standing[i].unit),
			.title = text_from(standing[i].title) };

		if (present[i] && !write_all(l, set, &m, METRICS_TOLD_MAX + i, ++number, err))
			return false;
	}
	/* The tree is freed here, not with the set, because the trees of many sets need much memory. */
	call_tree_free(set->tree);
	set->tree = NULL;
	return true;
}
