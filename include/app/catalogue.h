/* The lists of reports and formats, as JSON. */
#ifndef PROFDEPOT_APP_CATALOGUE_H
#define PROFDEPOT_APP_CATALOGUE_H

#include "report/report.h"

#include <stdio.h>

struct json_writer;

/* {"name", "by", "title", "note", "sortable", "parameters", "columns"} */
void report_describe_json(struct json_writer *w, const struct report *r);

/* An array of all formats, as "profdepot formats --output json" prints it. */
void formats_json(FILE *out);

#endif
