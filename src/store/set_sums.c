/* Reads the sums of one metric over several result sets. */
#include "store/set_sums.h"

#include "base/pair_map.h"
#include "store_private.h"

enum {
	IDS_MAX_BYTES = 1024 * 1024,
	COLUMN_INST_ID = 0,
	COLUMN_FAMILY,
	COLUMN_UNIT,
	COLUMN_SIMPLE,
	COLUMN_COUNT,
	COLUMN_VALUE
};

static wide_int
fixed_at(const struct db_result *r, size_t row, size_t column)
{
	struct decimal d;

	return decimal_parse(db_result_value(r, row, column), &d) == DECIMAL_OK
		       ? decimal_to_fixed(d)
		       : 0;
}

static void
take_rows(struct arena *a, const struct db_result *r, const struct pair_map *places,
	struct set_sum *sums)
{
	for (size_t i = 0; i < db_result_rows(r); i++) {
		uint32_t at = pair_map_get(places, db_result_int64(r, i, COLUMN_INST_ID, 0), 0);

		if (at == PAIR_MAP_NONE)
			continue;
		sums[at] = (struct set_sum){ .simple = db_result_bool(r, i, COLUMN_SIMPLE),
			.family = arena_text(a, db_result_value(r, i, COLUMN_FAMILY)),
			.unit = arena_text(a, db_result_value(r, i, COLUMN_UNIT)),
			.count = fixed_at(r, i, COLUMN_COUNT),
			.value = fixed_at(r, i, COLUMN_VALUE) };
	}
}

static struct db_result *
query_sums(
	struct db *db, const struct set_sums_question *q, const char *inst_ids, struct error *err)
{
	const struct set_sum_filters *f = q->filters;

	if (!f)
		return STORE_QUERY(db, "set_sums", SQL_STORE_SET_SUMS,
			err, [SQL_STORE_SET_SUMS_INST_IDS] = inst_ids,
			[SQL_STORE_SET_SUMS_METRIC] = q->metric);
	return STORE_QUERY(db, "set_sums_filtered", SQL_STORE_SET_SUMS_FILTERED,
		err, [SQL_STORE_SET_SUMS_FILTERED_INST_IDS] = inst_ids,
		[SQL_STORE_SET_SUMS_FILTERED_METRIC] = q->metric,
		[SQL_STORE_SET_SUMS_FILTERED_THREAD] = f->threads,
		[SQL_STORE_SET_SUMS_FILTERED_CLASS] = f->classes,
		[SQL_STORE_SET_SUMS_FILTERED_MODULE] = f->modules,
		[SQL_STORE_SET_SUMS_FILTERED_ROUTINE] = f->routines,
		[SQL_STORE_SET_SUMS_FILTERED_NAME] = f->names);
}

bool
set_sums_find(struct db *db, struct arena *a, const struct set_sums_question *q,
	struct set_sum *sums, struct error *err)
{
	struct pair_map places = { 0 };
	struct db_result *r;
	struct strbuf ids;

	for (size_t i = 0; i < q->count; i++) {
		sums[i] = (struct set_sum){ .simple = false };
		pair_map_add(&places, q->inst_ids[i], 0, (uint32_t)i, NULL);
	}
	strbuf_init(&ids, IDS_MAX_BYTES);
	r = query_sums(db, q, store_ids(&ids, q->inst_ids, q->count), err);
	strbuf_release(&ids);
	if (r)
		take_rows(a, r, &places, sums);
	pair_map_release(&places);
	return db_done(r);
}
