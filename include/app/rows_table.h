/*
 * A query's result as a table: what the command line and the service share of the depot's own
 * lists.
 */
#ifndef PROFDEPOT_APP_ROWS_TABLE_H
#define PROFDEPOT_APP_ROWS_TABLE_H

#include "db/connection.h"
#include "render/render.h"

#include <stdint.h>

/*
 * Rows of a result: column i of the table is column i of the result.
 * inst_id 0: the table is of no single result set. notes may be NULL; else it
 * ends with NULL.
 */
struct rows_table {
	int64_t inst_id;
	struct text caption;
	const struct db_result *rows;
	const char *const *notes;
	size_t most; /* rows at most; 0: all */
};

bool rows_table_write(FILE *out, const struct renderer *renderer,
	const struct render_options *options, const struct table_head *head,
	const struct rows_table *sets, size_t set_count, struct error *err);

/* For people: control characters, which a terminal would obey, are shown as
 * escapes. NULL prints nothing. */
void depot_print_text(FILE *out, struct text t);

/* For the rows of result_sets_list, categories_query, suppressions_query. */
extern const struct table_head result_sets_head, categories_head, suppressions_head;

#endif
