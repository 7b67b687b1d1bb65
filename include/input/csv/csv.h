/*
 * Delimited text: RFC 4180 as exporters write it, streamed.
 *
 * Delimiter comma, semicolon, tab or pipe, found by looking at the header
 * (and, on a tie, at the first rows). Quotes double inside quotes; line
 * breaks CR LF, LF or CR, kept as they are inside quotes. UTF-8 with or
 * without BOM, UTF-16 LE/BE by BOM, other code pages by name (iconv). An
 * unquoted empty field and the unquoted word NULL are the SQL NULL; a quoted
 * empty field is the empty string. A quote within an unquoted field is text.
 * Blank lines are ignored, but in a table of one column, below its header,
 * each is a row with a NULL.
 *
 * Rows: `line` counts physical lines, those within quotes too; `raw` is the
 * row in UTF-8 without its line break, quotes as they were; `offset` is that
 * in the file as on disk, BOM included, exact for UTF-8, UTF-16 and code pages
 * of one byte a character; for others (SHIFT_JIS...) it counts decoded bytes.
 * A row with other than column_count fields is handed over as it was read.
 *
 * Refused with file and line: NUL bytes, invalid UTF-8, unpaired surrogates,
 * a cut-off quoted field, text behind a closing quote, a row beyond
 * max_row_bytes, an empty file, a column name twice (without regard to case),
 * an empty column name.
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_H
#define PROFDEPOT_INPUT_CSV_CSV_H

#include "base/error.h"
#include "model/rowset.h"

struct csv_options {
	const char *encoding; /* iconv's name; a BOM wins over it; NULL: UTF-8, or UTF-16 by BOM */
	char delimiter;       /* 0: found by looking */
	size_t max_row_bytes; /* after decoding; 0: the default, 16 MiB */
	size_t max_columns;   /* 0: the default, 1000 */
};

/*
 * Opens a table on a descriptor, which it closes at the end (also on error),
 * and reads the header. `source` is copied. `consumed`, when not NULL, counts
 * the bytes read from the descriptor. NULL on error.
 * Column names come without brackets, quotes and blanks around them.
 */
struct row_reader *csv_open(int fd, const char *source, const struct csv_options *options,
	int64_t *consumed, struct error *err);

#endif
