/* Reads the values of gauges. */
#include "store/gauges.h"

#include "base/number.h"
#include "store_private.h"

static wide_int
fixed_at(const struct db_result *r, size_t column)
{
	struct decimal d;

	return decimal_parse(db_result_value(r, 0, column), &d) == DECIMAL_OK ? decimal_to_fixed(d)
									      : 0;
}

bool
gauge_find(struct db *db, int64_t inst_id, const char *metric, struct gauge_values *out,
	struct error *err)
{
	char digits[24];
	struct db_result *r;

	number_format_int64(inst_id, digits);
	r = STORE_QUERY(db, "gauge_values", SQL_STORE_GAUGE_VALUES,
		err, [SQL_STORE_GAUGE_VALUES_INST_ID] = digits,
		[SQL_STORE_GAUGE_VALUES_METRIC] = metric);
	*out = (struct gauge_values){ .known = r && db_result_rows(r) > 0 };
	if (out->known) {
		out->maximum = fixed_at(r, 0);
		out->last = fixed_at(r, 1);
		out->mean = fixed_at(r, 2);
	}
	return db_done(r);
}
