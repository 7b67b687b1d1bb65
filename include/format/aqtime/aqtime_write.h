/*
 * Writes an AQTime export: one CSV file per table of a rowset.
 *
 * The files are in UTF-8 without a BOM, with commas, line feeds and a header row. NULL is an empty field
 * without quotes; the empty string is "". A value is quoted if it contains a comma, a quote or a line
 * break, begins or ends with a blank, or is the word NULL.
 */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_WRITE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_WRITE_H

#include "base/error.h"
#include "model/rowset.h"

#include <stdint.h>

struct aqtime_written {
	size_t tables;
	int64_t rows; /* without headers */
	int64_t bytes;
};

/*
 * The folder appears complete or not at all: the files are written to a temporary folder next to it,
 * which is renamed at the end. Fails with ERROR_FILE if the folder exists and is not empty. With
 * `replace`, a folder that contains only .csv files is replaced; any other file is still an error.
 * `written` may be NULL.
 */
bool aqtime_write(struct rowset *s, const char *folder, bool replace,
	struct aqtime_written *written, struct error *err);

#endif
