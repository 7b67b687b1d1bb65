/* Sums and percentiles of the durations of named spans. */
#include "store/tree/span_times.h"

#include "base/pair_map.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <string.h>

enum {
	IDS_MAX_BYTES = 1024 * 1024,
	COLUMN_INST_ID = 0,
	COLUMN_COUNT,
	COLUMN_TIMES,
	COLUMN_LEAST_UNIT = COLUMN_TIMES + SPAN_TIMES,
	COLUMN_MOST_UNIT
};

#define SPAN_TIME_WORD(code, word) word,
static const char *const words[] = { SPAN_TIME_TABLE(SPAN_TIME_WORD) };
#undef SPAN_TIME_WORD

const char *
span_time_name(enum span_time t)
{
	return words[t];
}

bool
span_time_parse(const char *word, enum span_time *out)
{
	for (int i = 0; i < SPAN_TIMES; i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		*out = (enum span_time)i;
		return true;
	}
	return false;
}

static bool
take_row(struct arena *a, const struct db_result *r, size_t row, struct span_times *out,
	struct error *err)
{
	out->count = db_result_int64(r, row, COLUMN_COUNT, 0);
	for (size_t i = 0; i < SPAN_TIMES; i++)
		out->times[i] = tree_fixed(db_result_value(r, row, COLUMN_TIMES + i));
	out->unit = arena_text(a, db_result_value(r, row, COLUMN_LEAST_UNIT));
	if (text_equal(out->unit, db_result_value(r, row, COLUMN_MOST_UNIT)))
		return true;
	error_set(err, ERROR_USAGE, "spans of these names in result set %s have several units",
		db_result_value(r, row, COLUMN_INST_ID).data);
	return error_hint(err, "select spans that have the same unit");
}

bool
span_times_find(struct db *db, struct arena *a, const struct span_times_question *q,
	struct span_times *times, struct error *err)
{
	struct pair_map places = { 0 };
	struct db_result *r;
	struct strbuf ids;
	bool ok;

	for (size_t i = 0; i < q->count; i++) {
		times[i] = (struct span_times){ .count = 0 };
		pair_map_add(&places, q->inst_ids[i], 0, (uint32_t)i, NULL);
	}
	strbuf_init(&ids, IDS_MAX_BYTES);
	r = STORE_QUERY(db, "span_durations", SQL_STORE_SPAN_DURATIONS,
		err, [SQL_STORE_SPAN_DURATIONS_INST_IDS] = store_ids(&ids, q->inst_ids, q->count),
		[SQL_STORE_SPAN_DURATIONS_NAMES] = q->patterns);
	strbuf_release(&ids);
	ok = r != NULL;
	for (size_t i = 0; ok && i < db_result_rows(r); i++)
		ok = take_row(a, r, i,
			&times[pair_map_get(&places, db_result_int64(r, i, COLUMN_INST_ID, 0), 0)],
			err);
	db_result_free(r);
	pair_map_release(&places);
	return ok;
}
