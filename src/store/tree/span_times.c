/* Sums and percentiles of the durations of named spans. */
#include "store/tree/span_times.h"

#include "base/number.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <string.h>

enum {
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

bool
span_times_find(struct db *db, struct arena *a, int64_t inst_id, const char *patterns,
	struct span_times *out, struct error *err)
{
	const char *digits = INT64_TEXT(inst_id);
	struct db_result *r = STORE_QUERY(db, "span_durations", SQL_STORE_SPAN_DURATIONS,
		err, [SQL_STORE_SPAN_DURATIONS_INST_ID] = digits,
		[SQL_STORE_SPAN_DURATIONS_NAMES] = patterns);
	bool same;

	if (!r)
		return false;
	out->count = db_result_int64(r, 0, COLUMN_COUNT, 0);
	for (size_t i = 0; i < SPAN_TIMES; i++)
		out->times[i] = tree_fixed(db_result_value(r, 0, COLUMN_TIMES + i));
	out->unit = arena_text(a, db_result_value(r, 0, COLUMN_LEAST_UNIT));
	same = text_equal(out->unit, db_result_value(r, 0, COLUMN_MOST_UNIT));
	db_result_free(r);
	if (same)
		return true;
	error_set(err, ERROR_USAGE, "spans of these names in result set %s have several units",
		digits);
	return error_hint(err, "select spans that have the same unit");
}
