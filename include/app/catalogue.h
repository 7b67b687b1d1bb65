/* The lists of reports and formats, as JSON. */
#ifndef PROFDEPOT_APP_CATALOGUE_H
#define PROFDEPOT_APP_CATALOGUE_H

#include "report/report.h"

#include <stdio.h>

struct json_writer;

/* Writes {"name", "by", "title", "note", "sortable", "parameters", "columns"}. */
void report_describe_json(struct json_writer *w, const struct report *r);

/* Prints an array of all formats: the output of "profdepot formats --output json". */
void formats_json(FILE *out);

#endif
