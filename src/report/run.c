/* Runs a report: binds parameters, sorts ties, sums totals. */
#include "report_private.h"

#include "base/array.h"
#include "base/number.h"
#include "base/sql_file.h"
#include "base/strbuf.h"
#include "report/set_origin.h"

#include <assert.h>
#include <stdlib.h>

enum {
	NUMBER_BYTES = 24,
	TIES_READ = 50,     /* rows to read beyond the limit, to find tied rows */
	SUBJECT_BYTES = 500 /* longer names of errors and objects are cut */
};

struct run {
	const struct report *report;
	const struct report_request *request;
	struct table_sink *sink;
	struct frame_names *names;
	struct arena arena; /* memory of the run */
	struct arena held;  /* tied rows, until all of them have been read */
	struct table_cell **rows;
	size_t row_count, row_capacity;
	struct table_cell *cells; /* cells of the current row, unless the row is held */
	struct total totals[REPORT_MAX_COLUMNS];
	struct parts *parts;           /* NULL if the report has no parts */
	struct table_cell *all_totals; /* of all rows, also those not shown; NULL if unknown */
	uint64_t all_rows;             /* valid if all_totals is set */
	uint64_t shown, skipped;
	int64_t limit; /* maximum number of rows that the query returns */
	int64_t read;  /* number of rows that the query has returned so far */
	int64_t known; /* number of rows to ignore at the beginning, because they were shown or skipped */
	const char *values[REPORT_MAX_PARAMS + 1];
};

/* Returns a parameter's value for the server. Most values are made from the text of an option. */
static const char *
value_of(struct run *r, enum report_param p)
{
	const struct report_request *q = r->request;

	if (p == REPORT_INST_ID)
		return arena_printf(&r->arena, "%lld", (long long)q->inst_id);
	if (p == REPORT_INST_IDS)
		return report_ids(&r->arena, q->inst_ids, q->inst_id_count);
	if (p == REPORT_EXCLUDED_OBJECTS)
		return q->excluded_object_count ? report_ids(&r->arena, q->excluded_objects,
							  q->excluded_object_count)
						: NULL;
	if (p == REPORT_EXCLUDED_ERRORS)
		return q->excluded_error_count
			       ? report_ids(&r->arena, q->excluded_errors, q->excluded_error_count)
			       : NULL;
	if (p == REPORT_BY)
		return r->report->by;
	return report_value_sql(&r->arena, q, p);
}

static void
bind_values(struct run *r)
{
	const struct report_request *q = r->request;

	for (size_t i = 0; i < r->report->param_count; i++)
		r->values[i] = value_of(r, r->report->params[i]);
	r->limit = INT64_MAX;
	if (q->top && q->top <= INT64_MAX - TIES_READ - q->skip)
		r->limit = q->skip + q->top + (r->report->tie_column >= 0 ? TIES_READ : 0);
}

static bool
is_enough(const struct run *r)
{
	return r->request->top && r->shown == (uint64_t)r->request->top;
}

static bool
show(struct run *r, struct table_cell *cells, struct error *err)
{
	const struct report *report = r->report;
	char number[NUMBER_BYTES];

	if (r->skipped < (uint64_t)r->request->skip) {
		r->skipped++;
		return true;
	}
	if (is_enough(r))
		return true;
	r->shown++;
	if (report->rank_column >= 0) {
		size_t n = number_format_int64((int64_t)(r->skipped + r->shown), number);

		cells[report->rank_column].text = (struct text){ number, n };
	}
	for (size_t i = 0; i < report->column_count; i++)
		if (report->columns[i].summed)
			total_add(&r->totals[i], cells[i].text);
	if (r->parts)
		parts_add(r->parts, cells[report->part_column].text, 1, cells);
	return r->sink->row(r->sink, cells, err);
}

/* Rows are tied if they are equal in every column of the order. Tied rows are sorted by stack. */
static bool
is_tie(const struct run *r, const struct table_cell *a, const struct db_result *row)
{
	for (size_t i = 0; i < r->report->order_count; i++) {
		size_t column = r->report->order[i].column;

		if (!text_equal(a[column].text, db_result_value(row, 0, column)))
			return false;
	}
	return true;
}

struct tied_row {
	struct table_cell *cells;
	const struct table_cell *stack;
	size_t place;
};

static int
compare_tied(const void *a, const void *b)
{
	const struct tied_row *x = a;
	const struct tied_row *y = b;
	int c = frames_compare(x->stack, y->stack);

	return c ? c : (x->place > y->place) - (x->place < y->place);
}

static bool
show_held(struct run *r, struct error *err)
{
	struct tied_row *tied;

	if (!r->row_count)
		return true;
	tied = arena_alloc_array(&r->held, r->row_count, sizeof(*tied));
	for (size_t i = 0; i < r->row_count; i++)
		tied[i] = (struct tied_row){ r->rows[i], &r->rows[i][r->report->tie_column], i };
	if (r->row_count > 1)
		qsort(tied, r->row_count, sizeof(*tied), compare_tied);
	for (size_t i = 0; i < r->row_count; i++)
		if (!show(r, tied[i].cells, err))
			return false;
	r->row_count = 0;
	arena_reset(&r->held);
	return true;
}

/* Fills the cells of a row. The names of frames live as long as the run. Other texts live as long as the
 * row. */
static void
fill(struct run *r, struct table_cell *cells, const struct db_result *row, bool keep)
{
	for (size_t i = 0; i < r->report->column_count; i++) {
		struct text t = db_result_value(row, 0, i);

		if (r->report->columns[i].owner && r->report->owner_has_routine)
			t = frame_names_file(r->names, t);
		if (r->report->columns[i].owner)
			t = r->request->owner_of ? r->request->owner_of(r->request->owners, t)
						 : TEXT_NULL;
		cells[i] = (struct table_cell){ TEXT_NULL, NULL, 0 };
		if (r->report->columns[i].kind == TABLE_FRAMES)
			frame_names_resolve(r->names, &r->held, t, &cells[i]);
		else if (r->report->columns[i].kind == TABLE_STACKS)
			frame_names_stacks(r->names, &r->held, t, &cells[i]);
		else
			cells[i].text = keep ? arena_text(&r->held, t) : t;
	}
}

static bool
hold(struct run *r, const struct db_result *row, struct error *err)
{
	struct table_cell *cells;

	if (r->row_count && !is_tie(r, r->rows[0], row) && !show_held(r, err))
		return false;
	if (is_enough(r))
		return true;
	cells = arena_alloc_array(&r->held, r->report->column_count, sizeof(*cells));
	fill(r, cells, row, true);
	*ARRAY_ADD(r->rows, r->row_count, r->row_capacity) = cells;
	return true;
}

/* Reads the totals in one row of the result, from `column` on. Returns the report's number of rows, and stores the sum
 * of each of its columns. */
static uint64_t
read_totals(const struct report *report, const struct db_result *result, size_t row, size_t column,
	struct table_cell *totals)
{
	uint64_t rows = (uint64_t)db_result_int64(result, row, column, 0);

	for (size_t i = 0; i < report->column_count; i++)
		if (report->columns[i].summed)
			totals[i].text = db_result_value(result, row, ++column);
	return rows;
}

/* Stores the totals of all rows. The result's first row contains them, beginning at `column`. */
static void
keep_totals(struct run *r, const struct db_result *result, size_t column)
{
	size_t count = r->report->column_count;

	r->all_totals = arena_alloc_array(&r->arena, count, sizeof(*r->all_totals));
	r->all_rows = read_totals(r->report, result, 0, column, r->all_totals);
	for (size_t i = 0; i < count; i++)
		r->all_totals[i].text = arena_text(&r->arena, r->all_totals[i].text);
}

/* Reads the totals from the last columns of the page's first row. */
static void
keep_page_totals(struct run *r, const struct db_result *row)
{
	size_t column = db_result_columns(row) - 1;

	for (size_t i = 0; i < r->report->column_count; i++)
		column -= r->report->columns[i].summed;
	keep_totals(r, row, column);
}

static bool
take_row(void *self, const struct db_result *row, struct error *err)
{
	struct run *r = self;
	bool ok;

	assert(db_result_columns(row) >= r->report->column_count);
	if (r->read == 0 && !r->all_totals && report_page_has_totals(r->report, r->request))
		keep_page_totals(r, row);
	if (r->read++ < r->known)
		return true;
	if (r->report->tie_column >= 0)
		return hold(r, row, err);
	fill(r, r->cells, row, false);
	ok = show(r, r->cells, err);
	arena_reset(&r->held);
	return ok;
}

/* Appends the SELECT for the totals of all rows. If the report has parts, the SELECT also returns the
 * totals of each part. Its last column then contains the part's value. */
static void
append_totals_sql(struct strbuf *sql, const struct report *report)
{
	const char *part =
		report->part_column >= 0 ? report->columns[report->part_column].key : NULL;

	strbuf_append_str(sql, "SELECT count(*)");
	for (size_t i = 0; i < report->column_count; i++)
		if (report->columns[i].summed)
			strbuf_printf(sql,
				", COALESCE(sum(r.\"%s\"), CASE WHEN count(*) = 0 THEN 0 END)",
				report->columns[i].key);
	if (part)
		strbuf_printf(sql, ", r.\"%s\"", part);
	strbuf_append_str(sql, " FROM (\n");
	strbuf_append_str(sql, report_query(report));
	strbuf_append_str(sql, ") r");
	if (part)
		strbuf_printf(sql,
			" GROUP BY GROUPING SETS ((), (r.\"%s\"))"
			" ORDER BY GROUPING(r.\"%s\") DESC, 1 DESC, r.\"%s\"",
			part, part, part);
}

static void
read_parts(struct run *r, const struct db_result *result)
{
	size_t last = db_result_columns(result) - 1;

	parts_forget(r->parts);
	for (size_t row = 1; row < db_result_rows(result); row++) {
		uint64_t rows = read_totals(r->report, result, row, 0, r->cells);

		parts_add(r->parts, db_result_value(result, row, last), rows, r->cells);
	}
}

/* Counts and sums all rows, including those that are not shown. */
static bool
count_all(struct run *r, struct db *db, struct error *err)
{
	const struct report *report = r->report;
	struct strbuf sql;
	struct db_result *result;

	strbuf_init(&sql, 256UL * 1024);
	append_totals_sql(&sql, report);
	result = db_query(db, strbuf_str(&sql), r->values, report->param_count, err);
	strbuf_release(&sql);
	if (!result)
		return false;
	keep_totals(r, result, 0);
	if (r->parts)
		read_parts(r, result);
	db_result_free(result);
	return true;
}

/* Returns whether the server must compute the totals. It must do so if not all rows are shown, or if
 * a number had too many digits. */
static bool
must_count(const struct run *r)
{
	if (r->skipped || is_enough(r))
		return true;
	for (size_t i = 0; i < r->report->column_count; i++)
		if (r->totals[i].beyond)
			return true;
	return false;
}

/* Returns whether the caller has notes about facts that the run did not look for. */
static bool
has_gaps(const struct run *r)
{
	return r->request->gaps && *r->request->gaps;
}

static bool
end_set(struct run *r, const char *const *notes, struct db *db, struct error *err)
{
	struct table_cell *totals =
		arena_alloc_array(&r->arena, r->report->column_count, sizeof(*totals));
	struct table_foot foot = { .rows = r->shown,
		.all_rows = r->shown,
		.totals = totals,
		.notes = notes,
		.gaps = r->request->gaps,
		.suppressed = r->request->suppressed };

	/* If the run did not look for the facts, their sums are unknown. */
	for (size_t i = 0; i < r->report->column_count; i++)
		if (r->report->columns[i].summed && (r->shown || !has_gaps(r)))
			totals[i].text = total_text(&r->totals[i], &r->arena);
	if (must_count(r)) {
		if (!r->all_totals && !count_all(r, db, err))
			return false;
		foot.totals = r->all_totals;
		foot.all_rows = r->all_rows;
	}
	if (r->parts)
		parts_fill(r->parts, &r->arena, &foot);
	return !r->sink->set_end || r->sink->set_end(r->sink, &foot, err);
}

static bool
find_set(struct run *r, struct db *db, struct table_set *set, struct error *err)
{
	set->inst_id = text_from(r->values[0]);
	return set_origin_read(db, &r->arena, set->inst_id, &set->caption, &set->origin, err);
}

/* Sets *there to true if the query returns a row, otherwise to false. */
static bool
exists(struct db *db, const char *sql, const char *const *values, size_t count, bool *there,
	struct error *err)
{
	struct db_result *result = db_query(db, sql, values, count, err);

	if (!result)
		return false;
	*there = db_result_rows(result) > 0;
	db_result_free(result);
	return true;
}

/* Sets *subject to the object or error of the requested stack; fails if it does not exist. */
static bool
find_owner(struct run *r, struct db *db, struct text *subject, struct error *err)
{
	const char *object = r->request->values[REPORT_OBJECT];
	const char *what = object ? "object" : "error";
	const char *id = object ? object : r->request->values[REPORT_ERROR];
	struct db_result *result =
		object ? db_query(db, sql_file_find("report/subject_object")->text,
				 SQL_VALUES(SQL_REPORT_SUBJECT_OBJECT,
					 [SQL_REPORT_SUBJECT_OBJECT_INST_ID] = r->values[0],
					 [SQL_REPORT_SUBJECT_OBJECT_ID] = id),
				 SQL_REPORT_SUBJECT_OBJECT_PARAMS, err)
		       : db_query(db, sql_file_find("report/subject_error")->text,
				 SQL_VALUES(SQL_REPORT_SUBJECT_ERROR,
					 [SQL_REPORT_SUBJECT_ERROR_INST_ID] = r->values[0],
					 [SQL_REPORT_SUBJECT_ERROR_ID] = id),
				 SQL_REPORT_SUBJECT_ERROR_PARAMS, err);
	struct text name;

	if (!result)
		return false;
	if (db_result_rows(result)) {
		name = db_result_value(result, 0, 0);
		*subject = text_from(arena_printf(&r->arena, "%s %s%s%.*s", what, id,
			text_is_empty(name) ? "" : ": ", text_precision(name, SUBJECT_BYTES),
			text_is_empty(name) ? "" : name.data));
	}
	db_result_free(result);
	return !text_is_null(*subject) ||
	       error_set(err, ERROR_NOT_FOUND, "result set %s has no %s with ID %s", r->values[0],
		       what, id);
}

static const struct {
	const char *word, *sql;
} facts[] = {
#define REPORT_FACTS_ROW(code, word, place) \
	[REPORT_FACTS_##code] = { word, "SELECT FROM profdepot." place " LIMIT 1" },
	REPORT_FACTS_TABLE(REPORT_FACTS_ROW)
#undef REPORT_FACTS_ROW
};

bool
report_applies(
	struct db *db, const struct report *r, int64_t inst_id, bool *applies, struct error *err)
{
	struct arena a = ARENA_INIT;
	const char *value[] = { arena_printf(&a, "%lld", (long long)inst_id) };
	bool ok = true;

	*applies = true;
	if (r->facts)
		ok = exists(db, facts[r->facts].sql, value, 1, applies, err);
	arena_release(&a);
	return ok;
}

static bool
has_facts(struct run *r, struct db *db, bool *there, struct error *err)
{
	enum report_facts what = r->report->facts;

	*there = true;
	return !what || exists(db, facts[what].sql, r->values, 1, there, err);
}

static bool
has_stacks(const struct report *r)
{
	for (size_t i = 0; i < r->column_count; i++)
		if (r->columns[i].kind == TABLE_FRAMES || r->columns[i].kind == TABLE_STACKS)
			return true;
	return false;
}

/* Returns an array of notes. Its first element is NULL and is reserved for the report's own note. The
 * caller's notes follow. */
static const char **
place_notes(struct run *r)
{
	const char *const *given = r->request->notes;
	const char **notes;
	size_t n = 0;

	while (given && given[n])
		n++;
	notes = arena_alloc_array(&r->arena, n + 2, sizeof(*notes));
	for (size_t i = 0; i < n; i++)
		notes[i + 1] = given[i];
	return notes;
}

static bool
read_up_to_limit(struct run *r, struct db *db, bool ties, struct error *err)
{
	size_t count = r->report->param_count;
	const char *sql = report_sql(&r->arena, r->report, r->request, ties, err);

	r->read = 0;
	r->values[count] = arena_printf(&r->arena, "%lld", (long long)r->limit);
	return sql && db_query_each(db, sql, r->values, count + (r->report->order_count ? 1 : 0),
			      take_row, r, err);
}

/* Reads and shows the rows. The first query ends at the limit even if the next row is tied with the last one,
 * so the server sorts only the rows that it returns. If the limit may have cut off tied rows, a second query
 * returns them, too. */
static bool
read_rows(struct run *r, struct db *db, struct error *err)
{
	if (!read_up_to_limit(r, db, false, err))
		return false;
	if (r->row_count && r->read == r->limit && !is_enough(r)) {
		r->known = r->read - (int64_t)r->row_count;
		r->row_count = 0;
		arena_reset(&r->held);
		if (!read_up_to_limit(r, db, true, err))
			return false;
	}
	return show_held(r, err);
}

/* Reads and shows the rows. *there becomes false if there are no rows because the result set has none of the facts
 * that the report shows. A report with stacks needs the names of all routines and often reads all stacks, so it
 * looks for facts first. */
static bool
read_known_rows(struct run *r, struct db *db, bool *there, struct error *err)
{
	*there = true;
	if (has_stacks(r->report)) {
		if (!has_facts(r, db, there, err))
			return false;
		if (!*there)
			return true;
		r->names = frame_names_load(db, r->values[0], err);
		if (!r->names)
			return false;
	}
	return read_rows(r, db, err) && (r->shown || r->skipped || has_facts(r, db, there, err));
}

static bool
run(struct run *r, struct db *db, struct error *err)
{
	const char **notes = place_notes(r);
	bool is_stack = report_takes(r->report, REPORT_OBJECT), there;
	struct table_set set = { .metric = r->request->metric };

	bind_values(r);
	if ((r->report->params[0] == REPORT_INST_ID && !find_set(r, db, &set, err)) ||
		(is_stack && !find_owner(r, db, &set.subject, err)))
		return false;
	r->cells = arena_alloc_array(&r->arena, r->report->column_count, sizeof(*r->cells));
	if (r->report->part_column >= 0)
		r->parts = parts_new(r->report);
	if (r->sink->set_begin && !r->sink->set_begin(r->sink, &set, err))
		return false;
	if (!read_known_rows(r, db, &there, err))
		return false;
	if (is_stack && !r->shown)
		notes[0] = "(stack unknown)";
	if (!there && !has_gaps(r)) /* otherwise, the caller's notes say why */
		notes[0] = arena_printf(
			&r->arena, "(the result set has no %s)", facts[r->report->facts].word);
	return end_set(r, notes[0] ? notes : notes + 1, db, err);
}

bool
report_run(struct db *db, const struct report *report, const struct report_request *request,
	struct table_sink *sink, struct error *err)
{
	struct run r = { .report = report,
		.request = request,
		.sink = sink,
		.arena = ARENA_INIT,
		.held = ARENA_INIT };
	bool ok = report_check(report, request, err) && run(&r, db, err);

	if (!ok && err->code == ERROR_DATABASE)
		error_prefix(err, "report %s", report->name);
	parts_free(r.parts);
	frame_names_free(r.names);
	free(r.rows);
	arena_release(&r.held);
	arena_release(&r.arena);
	return ok;
}
