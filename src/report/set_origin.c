/* Where a result set comes from. */
#include "report/set_origin.h"

#include "base/sql_file.h"
#include "db/connection.h"

/* The columns of set_origin.sql. */
enum {
	CAPTION,
	LOADED_AT,
	STARTED_AT,
	VERSION,
	LABELS
};

bool
set_origin_read(struct db *db, struct arena *a, struct text inst_id, struct text *caption,
	struct table_origin *origin, struct error *err)
{
	const char *digits = arena_strndup(a, inst_id.data, inst_id.size);
	struct db_result *r = db_query(db, sql_file_find("report/set_origin")->text,
		SQL_VALUES(SQL_REPORT_SET_ORIGIN, [SQL_REPORT_SET_ORIGIN_INST_ID] = digits,
			[SQL_REPORT_SET_ORIGIN_TIME_ZONE] = db_time_zone(db)),
		SQL_REPORT_SET_ORIGIN_PARAMS, err);
	bool found = r && db_result_rows(r) > 0;

	if (found) {
		*caption = arena_text(a, db_result_value(r, 0, CAPTION));
		*origin = (struct table_origin){
			.loaded_at = arena_text(a, db_result_value(r, 0, LOADED_AT)),
			.started_at = arena_text(a, db_result_value(r, 0, STARTED_AT)),
			.version = arena_text(a, db_result_value(r, 0, VERSION)),
			.labels = arena_text(a, db_result_value(r, 0, LABELS)),
		};
	}
	db_result_free(r);
	if (found || !r)
		return found;
	error_set(err, ERROR_NOT_FOUND, "no result set %s", digits);
	return error_hint(err, "\"profdepot list\" lists the result sets");
}
