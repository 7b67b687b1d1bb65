/* Writes query results as tables, and defines the table heads of the depot's lists. */
#include "app/rows_table.h"

#include "base/arena.h"
#include "base/number.h"
#include "store/result_sets.h"

int
row_key_compare(const void *a, const void *b)
{
	const struct row_key *x = a;
	const struct row_key *y = b;
	int c = x->number != y->number ? (x->number < y->number ? -1 : 1)
				       : text_compare(x->text, y->text);

	if (c)
		return x->descending ? -c : c;
	return (x->place > y->place) - (x->place < y->place);
}

void
report_put_cell(const struct report *r, struct table_cell *cells, const char *key, struct text t)
{
	for (size_t i = 0; i < r->column_count; i++)
		if (strcmp(r->columns[i].key, key) == 0)
			cells[i] = (struct table_cell){ .text = t };
}

static bool
is_open(const struct db_result *rows, size_t row)
{
	return text_equal(db_result_value(rows, row, RESULT_SET_STATE), TEXT_LITERAL("open"));
}

/* Returns the row with the counts of a result set, or the number of rows. The rows are in the order of INST_ID. */
static size_t
find_counts(const struct db_result *counts, int64_t inst_id)
{
	size_t begin = 0;
	size_t end = db_result_rows(counts);

	while (begin < end) {
		const size_t middle = begin + (end - begin) / 2;

		if (db_result_int64(counts, middle, 0, 0) < inst_id)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin < db_result_rows(counts) && db_result_int64(counts, begin, 0, 0) == inst_id
		       ? begin
		       : db_result_rows(counts);
}

static struct text
cell_of_set(struct arena *a, const struct rows_table *from, size_t row, size_t column)
{
	const struct sets_table *t = (const struct sets_table *)from;
	size_t found;

	(void)a;
	if (column < RESULT_SET_OBJECTS || column > RESULT_SET_SPANS || !is_open(from->rows, row))
		return db_result_value(from->rows, row, column);
	found = find_counts(t->open, db_result_int64(from->rows, row, RESULT_SET_INST_ID, 0));
	return found < db_result_rows(t->open)
		       ? db_result_value(t->open, found, column - RESULT_SET_OBJECTS + 1)
		       : TEXT_NULL;
}

static uint64_t
row_count(const struct rows_table *from)
{
	size_t rows = db_result_rows(from->rows);

	return from->most && from->most < rows ? from->most : rows;
}

bool
sets_table_count(struct sets_table *t, struct db *db, struct error *err)
{
	const size_t rows = (size_t)row_count(&t->table);
	struct arena a = ARENA_INIT;
	int64_t *ids = arena_alloc_array(&a, rows, sizeof(*ids));
	size_t count = 0;

	for (size_t i = 0; i < rows; i++)
		if (is_open(t->table.rows, i))
			ids[count++] = db_result_int64(t->table.rows, i, RESULT_SET_INST_ID, 0);
	t->open = count ? result_sets_open_counts(db, ids, count, err) : NULL;
	t->table.cell = count ? cell_of_set : NULL;
	arena_release(&a);
	return !count || t->open;
}

static bool
print_rows(struct table_sink *sink, const struct table_head *head, const struct rows_table *from,
	struct table_cell *cells, struct arena *a, struct error *err)
{
	for (size_t i = 0; i < row_count(from); i++) {
		for (size_t j = 0; j < head->column_count; j++)
			cells[j] = (struct table_cell){
				.text = from->cell ? from->cell(a, from, i, j)
						   : db_result_value(from->rows, i, j)
			};
		if (!sink->row(sink, cells, err))
			return false;
	}
	return true;
}

static bool
print_set(struct table_sink *sink, const struct table_head *head, const struct rows_table *from,
	struct arena *a, struct error *err)
{
	static const char *const no_notes[] = { NULL };
	uint64_t rows = row_count(from);
	struct table_cell *cells = arena_alloc_array(a, head->column_count, sizeof(*cells));
	struct table_cell *totals = arena_alloc_array(a, head->column_count, sizeof(*totals));
	char digits[24];
	struct table_set set = {
		.inst_id = from->inst_id ? (struct text){ digits,
						   number_format_int64(from->inst_id, digits) }
					 : TEXT_NULL,
		.caption = from->caption,
	};
	struct table_foot foot = { .rows = rows,
		.all_rows = rows,
		.more = rows < db_result_rows(from->rows),
		.totals = totals,
		.notes = from->notes ? from->notes : no_notes };

	return sink->set_begin(sink, &set, err) && print_rows(sink, head, from, cells, a, err) &&
	       sink->set_end(sink, &foot, err);
}

bool
rows_table_write(FILE *out, const struct renderer *renderer, const struct render_options *options,
	const struct table_head *head, const struct rows_table *sets, size_t set_count,
	struct error *err)
{
	struct arena a = ARENA_INIT;
	struct table_sink *sink = renderer->sink_new(out, options);
	bool ok = sink->begin(sink, head, err);

	for (size_t i = 0; ok && i < set_count; i++)
		ok = print_set(sink, head, &sets[i], &a, err);
	ok = ok && sink->end(sink, err);
	renderer->sink_free(sink);
	arena_release(&a);
	return ok;
}

/* Columns, in the order of enum result_set_column. */
static const struct table_column set_columns[] = {
	{ .key = "inst_id", .title = "INST_ID", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_ID },
	{ .key = "caption", .title = "Caption" },
	{ .key = "format", .title = "Format" },
	{ .key = "state", .title = "State" },
	{ .key = "application", .title = "Application" },
	{ .key = "app_version", .title = "Version" },
	{ .key = "host", .title = "Host" },
	{ .key = "loaded_at", .title = "Loaded at", .kind = TABLE_TIME },
	{ .key = "objects", .title = "Objects", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "errors", .title = "Errors", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "tracks", .title = "Tracks", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "samples", .title = "Samples", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "spans", .title = "Spans", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "rows", .title = "Rows", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "labels", .title = "Labels", .kind = TABLE_LABELS },
	{ .key = "warnings",
		.title = "Warnings",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_COUNT,
		.machine = true },
};

const struct table_head result_sets_head = { "list", "Result sets", TABLE_GRID, set_columns,
	sizeof(set_columns) / sizeof(set_columns[0]) };

/* Columns, in the order of result_sets_facets. */
static const struct table_column facet_columns[] = {
	{ .key = "facet", .title = "Property" },
	{ .key = "value", .title = "Value" },
	{ .key = "count", .title = "Result sets", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
};

const struct table_head facets_head = { "facets", "Result sets per property", TABLE_GRID,
	facet_columns, sizeof(facet_columns) / sizeof(facet_columns[0]) };

/* Columns, in the order of result_sets_overview. */
static const struct table_column overview_columns[] = {
	{ .key = "application", .title = "Application" },
	{ .key = "labels", .title = "Labels", .kind = TABLE_LABELS },
	{ .key = "format", .title = "Format" },
	{ .key = "result_sets",
		.title = "Result sets",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_COUNT },
	{ .key = "versions", .title = "Versions", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "app_version", .title = "Newest version" },
	{ .key = "inst_id", .title = "Newest", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_ID },
	{ .key = "loaded_at", .title = "Loaded at", .kind = TABLE_TIME },
	{ .key = "checked_inst_id",
		.title = "Checked",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_ID },
	{ .key = "budgets", .title = "Budgets", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "broken",
		.title = "Exceeded budgets",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_COUNT },
	{ .key = "metric", .title = "Metric" },
	{ .key = "unit", .title = "Unit" },
	{ .key = "title", .title = "Figure" },
	{ .key = "values", .title = "Values" },
};

const struct table_head overview_head = { "overview", "Streams and their figures", TABLE_GRID,
	overview_columns, sizeof(overview_columns) / sizeof(overview_columns[0]) };

/* Columns, in the order of enum category_row. */
static const struct table_column category_columns[] = {
	{ .key = "category", .title = "Category" },
	{ .key = "column", .title = "Column" },
	{ .key = "type", .title = "Type" },
	{ .key = "pretty_name", .title = "Name for people" },
};

const struct table_head categories_head = { "category", "Categories of events", TABLE_GRID,
	category_columns, sizeof(category_columns) / sizeof(category_columns[0]) };

/* Columns, in the order of streams_list. */
static const struct table_column stream_columns[] = {
	{ .key = "application", .title = "Application" },
	{ .key = "labels", .title = "Labels", .kind = TABLE_LABELS },
	{ .key = "result_sets",
		.title = "Result sets",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_COUNT },
	{ .key = "runs", .title = "Runs", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "first_loaded", .title = "First loaded", .kind = TABLE_TIME },
	{ .key = "last_loaded", .title = "Last loaded", .kind = TABLE_TIME },
};

const struct table_head streams_head = { "stream", "Streams", TABLE_GRID, stream_columns,
	sizeof(stream_columns) / sizeof(stream_columns[0]) };

/* Columns, in the order of enum suppression_row. */
static const struct table_column suppression_columns[] = {
	{ .key = "id", .title = "#", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_ID },
	{ .key = "name", .title = "Suppression" },
	{ .key = "syntax", .title = "Syntax" },
	{ .key = "pattern", .title = "Pattern", .machine = true },
	{ .key = "reason", .title = "Reason" },
	{ .key = "author", .title = "Author" },
	{ .key = "created", .title = "Added", .kind = TABLE_TIME },
	{ .key = "expires", .title = "Last Day" },
	{ .key = "state", .title = "State" },
};

const struct table_head suppressions_head = { "suppress", "Suppressions of the depot", TABLE_GRID,
	suppression_columns, sizeof(suppression_columns) / sizeof(suppression_columns[0]) };

/* Columns, in the order of enum retention_column. */
static const struct table_column retention_columns[] = {
	{ .key = "rule", .title = "Rule", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_ID },
	{ .key = "application", .title = "Application" },
	{ .key = "format", .title = "Format" },
	{ .key = "labels", .title = "Labels", .kind = TABLE_LABELS },
	{ .key = "older_than", .title = "Older than" },
	{ .key = "keep", .title = "Keep", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "created", .title = "Created", .kind = TABLE_TIME },
};

const struct table_head retention_head = { "retain", "Retention rules", TABLE_GRID,
	retention_columns, sizeof(retention_columns) / sizeof(retention_columns[0]) };
