/* Result sets as JSON, for the command line and the service. */
#ifndef PROFDEPOT_APP_SET_JSON_H
#define PROFDEPOT_APP_SET_JSON_H

#include "app/import.h"
#include "store/result_sets.h"

#include <stdio.h>

struct json_writer;

/* Prints a result set: its properties, "labels", "rows" by relation, "metrics", "issues". */
void set_details_json(FILE *out, struct arena *a, const struct result_set_details *d);

/* Prints an import's outcome; source names the input. */
void import_set_json(struct json_writer *w, const char *source, const struct import_result *result,
	const struct import_set *set);

#endif
