/* Prints lists from the depot, such as the list of result sets, as tables. */
#ifndef PROFDEPOT_APP_ROWS_TABLE_H
#define PROFDEPOT_APP_ROWS_TABLE_H

#include "base/arena.h"
#include "base/decimal.h"
#include "db/connection.h"
#include "render/render.h"
#include "report/report.h"

#include <stdint.h>

struct rows_table;

/* Returns the text of a cell. The text is in the arena or in a result. */
typedef struct text rows_table_cell(
	struct arena *a, const struct rows_table *from, size_t row, size_t column);

struct rows_table {
	int64_t inst_id; /* 0 if the table is not about a single result set */
	struct text caption;
	const struct db_result *rows;
	rows_table_cell *cell;    /* NULL: column i of the table is column i of the result */
	const char *const *notes; /* NULL-terminated; may be NULL */
	size_t most;              /* number of rows to print; 0 means all */
};

/* The rows of result_sets_list, with the current counts of open result sets. */
struct sets_table {
	struct rows_table table; /* must be first */
	struct db_result *open;
};

/* Counts what the open result sets among the first table.most rows contain. The caller frees t->open. */
bool sets_table_count(struct sets_table *t, struct db *db, struct error *err);

bool rows_table_write(FILE *out, const struct renderer *renderer,
	const struct render_options *options, const struct table_head *head,
	const struct rows_table *sets, size_t set_count, struct error *err);

/* Table heads for the rows that the store's list functions return, such as result_sets_list. */
extern const struct table_head result_sets_head, facets_head, categories_head, suppressions_head,
	streams_head, overview_head, retention_head;

/* A row's sort key. If row_key_compare sorts structs of another type, they must begin with a row_key. */
struct row_key {
	wide_int number;
	struct text text;
	bool descending;
	size_t place; /* original position, for keys with equal number and text */
};
int row_key_compare(const void *a, const void *b);

/* Sets the cell in the column `key`, if the report has this column. */
void report_put_cell(
	const struct report *r, struct table_cell *cells, const char *key, struct text t);

#endif
