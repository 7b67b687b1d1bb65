/* Finds the metrics for a result set's trees. */
#include "base/number.h"
#include "base/strbuf.h"
#include "store/result_sets.h"
#include "store/rows.h"
#include "store/store_private.h"
#include "tree_private.h"

enum {
	COLUMN_CAPTION,
	COLUMN_STATE,
	COLUMN_NUMBER,
	COLUMN_NAME,
	COLUMN_FAMILY,
	COLUMN_UNIT,
	COLUMN_TITLE,
	COLUMN_AGGREGATE
};

static bool
refuse(const struct db_result *r, const char *name, const struct tree_metric *m, struct error *err)
{
	struct strbuf names;

	strbuf_init(&names, 256);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		strbuf_append_str(&names, i ? ", " : "");
		strbuf_append_text(&names, db_result_value(r, i, COLUMN_NAME));
	}
	error_set(err, ERROR_NOT_FOUND, "result set %s has no metric \"%.*s\"", m->inst_id,
		text_precision(text_from(name), 100), name);
	error_hint(err, "it has: %s%s", strbuf_str(&names), names.failed ? ", ..." : "");
	strbuf_release(&names);
	return false;
}

static bool
refuse_gauge(const struct tree_metric *m, struct error *err)
{
	error_set(err, ERROR_USAGE, "%.*s of result set %s is a gauge, which has no call tree",
		text_precision(m->name, 100), m->name.data, m->inst_id);
	return error_hint(err, "\"profdepot report gauges %s\" shows it over time", m->inst_id);
}

static bool
take(struct arena *a, const struct db_result *r, const char *name, struct tree_metric *m,
	struct error *err)
{
	size_t rows = db_result_rows(r);
	size_t i = 0;

	m->caption = arena_text(a, db_result_value(r, 0, COLUMN_CAPTION));
	m->closed = text_equal(db_result_value(r, 0, COLUMN_STATE), TEXT_LITERAL("closed"));
	while (i < rows && name && !text_equal(db_result_value(r, i, COLUMN_NAME), text_from(name)))
		i++;
	if (i == rows)
		return refuse(r, name, m, err);
	if (text_is_null(db_result_value(r, i, COLUMN_NAME)))
		return true;
	m->number = db_result_int64(r, i, COLUMN_NUMBER, 0);
	m->name = arena_text(a, db_result_value(r, i, COLUMN_NAME));
	m->family = metric_family_find(db_result_value(r, i, COLUMN_FAMILY));
	m->unit = arena_text(a, db_result_value(r, i, COLUMN_UNIT));
	m->title = arena_text(a, db_result_value(r, i, COLUMN_TITLE));
	return !text_equal(db_result_value(r, i, COLUMN_FAMILY), TEXT_LITERAL("gauges")) ||
	       refuse_gauge(m, err);
}

bool
tree_metric_find(struct db *db, struct arena *a, int64_t inst_id, const char *name,
	struct tree_metric *m, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/tree_metrics", inst_id, err);
	bool ok;

	if (!r)
		return false;
	*m = (struct tree_metric){ .closed = false };
	number_format_int64(inst_id, m->inst_id);
	ok = db_result_rows(r) ? take(a, r, name, m, err) : result_set_not_found(inst_id, err);
	db_result_free(r);
	return ok;
}

bool
depot_metrics(struct db *db, struct arena *a, int64_t inst_id, struct depot_metric **metrics,
	size_t *count, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/tree_metrics", inst_id, err);
	size_t rows;

	if (!r)
		return false;
	rows = db_result_rows(r);
	*metrics = arena_alloc_array(a, rows, sizeof(**metrics));
	*count = 0;
	for (size_t i = 0; i < rows; i++) {
		struct depot_metric *m = &(*metrics)[*count];

		if (text_is_null(db_result_value(r, i, COLUMN_NAME)))
			continue;
		m->name = arena_text(a, db_result_value(r, i, COLUMN_NAME));
		m->family = arena_text(a, db_result_value(r, i, COLUMN_FAMILY));
		m->unit = arena_text(a, db_result_value(r, i, COLUMN_UNIT));
		m->title = arena_text(a, db_result_value(r, i, COLUMN_TITLE));
		m->aggregate = arena_text(a, db_result_value(r, i, COLUMN_AGGREGATE));
		++*count;
	}
	db_result_free(r);
	return rows || result_set_not_found(inst_id, err);
}

wide_int
tree_fixed(struct text t)
{
	struct decimal d;

	if (text_is_null(t) || decimal_parse(t, &d) != DECIMAL_OK)
		return 0;
	return decimal_to_fixed(d);
}
