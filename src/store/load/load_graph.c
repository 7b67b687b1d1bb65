/* Call graphs. */
#include "load_private.h"
#include "store/store_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
digest_graph(struct load *l, struct load_set *set, const struct graph_row *row)
{
	int64_t words[] = { row->id, row->routine_id, row->line, row->target_id, row->target_line,
		row->metric, 0, 0, 0, 0 };
	const struct text texts[] = { text_from(row->kind), row->source_file };

	digest_decimal(row->count, words + 6);
	digest_decimal(row->followed, words + 8);
	digest_row(l, set, DIGEST_GRAPH, words, COUNT(words), texts, COUNT(texts));
	for (size_t i = 0; i < row->value_count; i++) {
		int64_t value[] = { row->id, (int64_t)i, 0, 0 };

		digest_decimal(row->values[i], value + 2);
		digest_row(l, set, DIGEST_GRAPH, value, COUNT(value), NULL, 0);
	}
}

bool
load_graph(struct sink *s, uint32_t number, const struct graph_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct copier *c = l->copier;

	if (row->metric < 1 || (size_t)row->metric - 1 + row->value_count > set->metric_count)
		return error_set(err, ERROR_INTERNAL, "a call graph's metric was not told");
	digest_graph(l, set, row);
	load_counted(set, REL_CALL_GRAPH, row->id, row->routine_id);
	if (!load_row(l, set, REL_CALL_GRAPH))
		return true;
	copier_int64(c, row->id);
	copier_text(c, text_from(row->kind));
	copier_int64(c, row->routine_id);
	copier_text(c, row->source_file);
	copier_int64_or_null(c, row->line);
	copier_int64_or_null(c, row->target_id);
	copier_int64_or_null(c, row->target_line);
	copier_decimal(c, row->count);
	copier_decimal(c, row->followed);
	copier_int32(c, row->metric);
	copier_decimal_array(c, row->values, row->value_count);
	return load_row_end(l, err);
}

bool
load_graph_totals(struct load *l, struct error *err)
{
	for (size_t i = 0; i < l->set_count; i++) {
		const struct load_set *set = l->sets[i];
		struct db_result *r;

		if (!set->wanted || !set->counts[REL_CALL_GRAPH].rows)
			continue;
		r = store_query_set(l->db, "store/graph_totals", set->outcome.inst_id, err);
		db_result_free(r);
		if (!r)
			return false;
	}
	return true;
}
