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

bool
set_sums_find(struct db *db, struct arena *a, const int64_t *inst_ids, size_t count,
	const char *metric, struct set_sum *sums, struct error *err)
{
	struct pair_map places = { 0 };
	struct db_result *r;
	struct strbuf ids;

	for (size_t i = 0; i < count; i++) {
		sums[i] = (struct set_sum){ .simple = false };
		pair_map_add(&places, inst_ids[i], 0, (uint32_t)i, NULL);
	}
	strbuf_init(&ids, IDS_MAX_BYTES);
	r = STORE_QUERY(db, "set_sums", SQL_STORE_SET_SUMS,
		err, [SQL_STORE_SET_SUMS_INST_IDS] = store_ids(&ids, inst_ids, count),
		[SQL_STORE_SET_SUMS_METRIC] = metric);
	strbuf_release(&ids);
	if (r)
		take_rows(a, r, &places, sums);
	pair_map_release(&places);
	return db_done(r);
}
