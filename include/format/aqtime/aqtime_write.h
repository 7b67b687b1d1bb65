/*
 * Writes an AQTime export: one CSV file for each table of a rowset.
 *
 * UTF-8 without BOM, comma, line feed; a header row. NULL is an unquoted empty
 * field, the empty string is "". Quoted is what a reader could take for
 * something else: commas, quotes, line breaks, blanks at the ends, and the
 * word NULL.
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
 * The folder appears whole or not at all: the files are written into a new
 * one beside it, which takes its name at the end. ERROR_FILE when the folder
 * exists and is not empty; with `replace` only when it holds anything but .csv
 * files, which then go. *written may be NULL.
 */
bool aqtime_write(struct rowset *s, const char *folder, bool replace,
	struct aqtime_written *written, struct error *err);

#endif
