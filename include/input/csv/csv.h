/*
 * Delimited text (RFC 4180 as exporters write it), streamed.
 *
 * The delimiter is a comma, semicolon, tab or pipe, detected from the header (and on a tie from the
 * first rows). Quotes double inside quotes. Line breaks are CR LF, LF or CR, and are kept inside
 * quotes. UTF-8 with or without BOM, UTF-16 LE/BE by BOM, other code pages by name (iconv). An
 * unquoted empty field and the unquoted word NULL are the SQL NULL; a quoted empty field is the
 * empty string. A quote within an unquoted field is text. Blank lines are ignored; in a table of
 * one column, each one below the header is a row with a NULL.
 *
 * Rows: `line` counts physical lines, also those within quotes. `raw` is the row in UTF-8 without
 * its line break. `offset` is the position in the file on disk, including the BOM, exact for UTF-8,
 * UTF-16 and single-byte code pages; for others (SHIFT_JIS...) it counts decoded bytes. A row with
 * a wrong number of fields is returned as read.
 *
 * Rejected with file and line: NUL bytes, invalid UTF-8, unpaired surrogates, an unterminated
 * quoted field, text after a closing quote, a row beyond max_row_bytes, an empty file, a repeated
 * column name (ignoring case), an empty column name.
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_H
#define PROFDEPOT_INPUT_CSV_CSV_H

#include "base/error.h"
#include "model/rowset.h"

struct csv_options {
	/* name for iconv; a BOM overrides it; NULL means UTF-8, or UTF-16 by BOM */
	const char *encoding;
	char delimiter;       /* 0 means detect it */
	size_t max_row_bytes; /* after decoding; 0 means 16 MiB */
	size_t max_columns;   /* 0 means 1000 */
};

/*
 * Opens a table on a descriptor, which it closes at the end and on error, and reads the header.
 * `source` is copied. `consumed`, if not NULL, counts the bytes read from the descriptor. NULL on
 * error. Column names come without surrounding brackets, quotes and blanks.
 */
struct row_reader *csv_open(int fd, const char *source, const struct csv_options *options,
	int64_t *consumed, struct error *err);

#endif
