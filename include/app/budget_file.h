/*
 * Budget files: JSON that a project keeps beside its sources. Its schema is
 * share/budget.schema.json, profdepot-check(1) tells it in words:
 *
 *	{ "own": ["orders*"], "match": "names",
 *	  "budgets": [ { "name": "no leaks", "of": "leaks", "kind": "definite", "max_count": 0 } ] }
 *
 * Read strictly: an unknown or repeated key, a value of another type, a limit
 * that says nothing about what it is for, are errors with line and hint.
 */
#ifndef PROFDEPOT_APP_BUDGET_FILE_H
#define PROFDEPOT_APP_BUDGET_FILE_H

#include "analysis/budget.h"

enum {
	BUDGET_FILE_MAX_BYTES = 4 * 1024 * 1024,
	BUDGET_FILE_MAX_BUDGETS = 1000
};

/* "-" is standard input. NULL with ERROR_FILE, ERROR_INPUT or ERROR_LIMIT. In the arena. */
const struct budget_list *budget_file_read(struct arena *a, const char *path, struct error *err);

/* From memory; `source` names it in messages. */
const struct budget_list *budget_file_parse(
	struct arena *a, const char *source, struct text json, struct error *err);

#endif
