/*
 * Writes an AQTime export: one CSV file per table of a rowset.
 *
 * UTF-8 without a BOM, commas, line feeds, a header row. NULL is an unquoted empty field, the empty
 * string is "". Values with commas, quotes, line breaks or blanks at the ends, and the word NULL, are
 * quoted.
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
 * The folder appears complete or not at all: the files are written into a temporary folder next to it,
 * which is renamed at the end. ERROR_FILE if the folder exists and is not empty; with `replace`, only if
 * it contains other files than .csv, as its .csv files are deleted. written may be NULL.
 */
bool aqtime_write(struct rowset *s, const char *folder, bool replace,
	struct aqtime_written *written, struct error *err);

#endif
