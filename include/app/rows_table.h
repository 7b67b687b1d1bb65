/* Prints lists of the depot, such as result sets, as tables. */
#ifndef PROFDEPOT_APP_ROWS_TABLE_H
#define PROFDEPOT_APP_ROWS_TABLE_H

#include "db/connection.h"
#include "render/render.h"

#include <stdint.h>

/* Column i of the table is column i of the result. */
struct rows_table {
	int64_t inst_id; /* 0 if the table is not about a single result set */
	struct text caption;
	const struct db_result *rows;
	const char *const *notes; /* NULL-terminated; may be NULL */
	size_t most;              /* number of rows to print; 0 means all */
};

bool rows_table_write(FILE *out, const struct renderer *renderer,
	const struct render_options *options, const struct table_head *head,
	const struct rows_table *sets, size_t set_count, struct error *err);

/* Prints text with control characters as escapes, so that a terminal does not interpret them. NULL
 * prints nothing. */
void depot_print_text(FILE *out, struct text t);

/* For the rows of result_sets_list, categories_query, suppressions_query. */
extern const struct table_head result_sets_head, categories_head, suppressions_head;

#endif
