/* Requests: which options a report takes, and the SELECT for them. */
#include "report_private.h"

#include "base/sql_file.h"
#include "base/strbuf.h"

enum {
	SQL_MAX_BYTES = 256 * 1024
};

static bool
is_asked(const struct report_request *q, enum report_param p)
{
	return q->values[p] || q->lists[p].count;
}

/* Sets the error for a parameter that the report does not take. The hint lists the reports that take it. */
static bool
refuse(const struct report *r, enum report_param p, struct error *err)
{
	const struct report *other;
	const char *last = "";
	char takers[256] = "";

	for (size_t i = 0; (other = report_at(i)); i++) {
		size_t n = strlen(takers);

		if (!report_takes(other, p) || strcmp(last, other->name) == 0)
			continue;
		last = other->name;
		snprintf(takers + n, sizeof(takers) - n, "%s%s", n ? ", " : "", last);
	}
	error_set(err, ERROR_USAGE, "report %s%s%s does not take --%s", r->name,
		r->by ? " --by " : "", r->by ? r->by : "", report_param_infos[p].option);
	return error_hint(err, "these do: %s", takers);
}

bool
report_parse_sort(
	const struct report *r, const char *sort, struct report_order *order, struct error *err)
{
	const char *colon = strchr(sort, ':');
	size_t n = colon ? (size_t)(colon - sort) : strlen(sort);

	for (size_t i = 0; i < r->column_count; i++) {
		const struct table_column *c = &r->columns[i];

		if (strlen(c->key) != n || strncmp(c->key, sort, n) != 0 ||
			c->kind == TABLE_FRAMES || c->kind == TABLE_STACKS || c->owner ||
			(int)i == r->rank_column)
			continue;
		*order = (struct report_order){ i, table_column_is_right(c) };
		if (colon && strcmp(colon, ":asc") != 0 && strcmp(colon, ":desc") != 0) {
			error_set(err, ERROR_USAGE, "option --sort: \"%s\" is not a direction",
				colon + 1);
			error_hint(err, "write COLUMN:asc or COLUMN:desc");
			return false;
		}
		if (colon)
			order->descending = strcmp(colon, ":desc") == 0;
		return true;
	}
	error_set(err, ERROR_USAGE, "option --sort: report %s has no column \"%.*s\" to sort by",
		r->name, n > 100 ? 100 : (int)n, sort);
	error_hint(err, "\"profdepot reports\" lists the columns");
	return false;
}

bool
report_check(const struct report *r, const struct report_request *q, struct error *err)
{
	struct report_order order;

	for (int i = 0; i < REPORT_PARAMS; i++) {
		enum report_param p = (enum report_param)i;

		if (is_asked(q, p) && !report_takes(r, p))
			return refuse(r, p, err);
		if (q->values[p] && !report_value_check(p, q->values[p], err))
			return false;
	}
	if (!r->order_count && (q->sort || (q->top && r->has_query) || q->skip))
		return error_set(err, ERROR_USAGE,
			"report %s does not take --%s: its order is fixed", r->name,
			q->sort   ? "sort"
			: q->skip ? "skip"
				  : "top");
	if (q->sort && !report_parse_sort(r, q->sort, &order, err))
		return false;
	if (report_takes(r, REPORT_OBJECT) &&
		!q->values[REPORT_OBJECT] == !q->values[REPORT_ERROR]) {
		error_set(err, ERROR_USAGE, "report %s needs one of --object and --error", r->name);
		return error_hint(
			err, "each takes an ID that the leaks, objects and errors reports show");
	}
	return true;
}

/* Returns the report that replaces r for result sets of detectors; NULL if there is no such
 * report. */
static const struct report *
for_detectors(const struct report *r)
{
	struct error ignored = ERROR_INIT;

	return r->detectors_by ? report_find(r->name, r->detectors_by, &ignored) : NULL;
}

bool
report_check_any(const struct report *r, const struct report_request *q, struct error *err)
{
	const struct report *other = for_detectors(r);
	struct error ignored = ERROR_INIT;

	return (other && report_check(other, q, &ignored)) || report_check(r, q, err);
}

static bool
are_detected(struct db *db, struct arena *a, const struct report_request *q, bool *detected,
	struct error *err)
{
	struct db_result *result = db_query(db, sql_file_find("report/detected")->text,
		SQL_VALUES(SQL_REPORT_DETECTED, [SQL_REPORT_DETECTED_INST_IDS] = report_ids(
							a, q->inst_ids, q->inst_id_count)),
		SQL_REPORT_DETECTED_PARAMS, err);

	if (!result)
		return false;
	*detected = text_equal(db_result_value(result, 0, 0), TEXT_LITERAL("t"));
	db_result_free(result);
	return true;
}

const struct report *
report_for_sets(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err)
{
	struct error ignored = ERROR_INIT;
	const struct report *other = for_detectors(r);
	bool detected = false;

	if (other && !are_detected(db, a, q, &detected, err))
		return NULL;
	if (detected && report_check(other, q, &ignored))
		return other;
	return report_check(r, q, err) ? r : NULL;
}

/* Appends a column to ORDER BY, which names the output columns of the query. */
static void
append_order(struct strbuf *b, const struct report *r, struct report_order o, bool first)
{
	strbuf_printf(b, "%s\"%s\" %s", first ? "" : ", ", r->columns[o.column].key,
		o.descending ? "DESC NULLS LAST" : "NULLS FIRST");
}

bool
report_page_has_totals(const struct report *r, const struct report_request *q)
{
	return q->top && r->order_count && r->part_column < 0 && r->params[0] == REPORT_INST_ID;
}

/* Appends the query with the totals of all rows. A window's aggregate can name only columns of FROM, so the report's
 * last SELECT becomes the last part of WITH. The planner merges this part with the new SELECT, and computes
 * stacks after it applies the limit. If the whole query were a subquery, its WITH would prevent that. */
static void
append_with_totals(struct strbuf *b, const struct report *r)
{
	const char *query = report_query(r);
	const char *last = strncmp(query, "SELECT", 6) == 0 ? query : strstr(query, "\nSELECT");

	strbuf_printf(b, "%.*s%s answer AS (\n%s)\nSELECT a.*, count(*) OVER () AS all_rows",
		(int)(last - query), query, last == query ? "WITH" : ",", last);
	for (size_t i = 0; i < r->column_count; i++)
		if (r->columns[i].summed)
			strbuf_printf(
				b, ", sum(a.\"%s\") OVER () AS all_%zu", r->columns[i].key, i);
	strbuf_append_str(b, "\nFROM answer a\n");
}

/* Returns the report's query with its ORDER BY, which is built from the report's column names, and never
 * from text of the request. */
const char *
report_sql(struct arena *a, const struct report *r, const struct report_request *q, bool ties,
	struct error *err)
{
	struct strbuf b;
	struct report_order sort;
	const char *done;

	if (!r->order_count)
		return report_query(r);
	if (q->sort && !report_parse_sort(r, q->sort, &sort, err))
		return NULL;
	strbuf_init(&b, SQL_MAX_BYTES);
	if (!ties && report_page_has_totals(r, q))
		append_with_totals(&b, r);
	else
		strbuf_append_str(&b, report_query(r));
	strbuf_append_str(&b, "ORDER BY ");
	if (q->sort)
		append_order(&b, r, sort, true);
	for (size_t i = 0; i < r->order_count; i++)
		append_order(&b, r, r->order[i], i == 0 && !q->sort);
	strbuf_printf(&b, "\nFETCH FIRST ($%zu::bigint) ROWS %s", r->param_count + 1,
		ties ? "WITH TIES" : "ONLY");
	done = b.failed ? NULL : arena_strdup(a, strbuf_str(&b));
	if (!done)
		error_set(err, ERROR_INTERNAL, "report %s: the query is too long", r->name);
	strbuf_release(&b);
	return done;
}
