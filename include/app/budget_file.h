/*
 * Budget files: JSON that a project stores with its source files. profdepot-check(1) describes them:
 *
 *	{ "own": ["orders*"], "match": "names",
 *	  "budgets": [ { "name": "no leaks", "of": "leaks", "kind": "definite", "max_count": 0 } ] }
 *
 * A file must match share/budget.schema.json, which is compiled in, and must not repeat a key. An
 * error names the place ("budgets: item 2: max_size") and the expected value.
 */
#ifndef PROFDEPOT_APP_BUDGET_FILE_H
#define PROFDEPOT_APP_BUDGET_FILE_H

#include "analysis/budget.h"

enum {
	BUDGET_FILE_MAX_BYTES = 4 * 1024 * 1024,
	BUDGET_FILE_MAX_BUDGETS = 1000
};

/* The text of share/budget.schema.json. */
extern const char budget_schema_json_text[];

/* If `path` is "-", reads standard input. The list is in the arena. Sets ERROR_FILE, ERROR_INPUT or ERROR_LIMIT. */
const struct budget_list *budget_file_read(struct arena *a, const char *path, struct error *err);

/* Parses the content of a budget file. Messages call the file `source`. */
const struct budget_list *budget_file_parse(
	struct arena *a, const char *source, struct text json, struct error *err);

#endif
