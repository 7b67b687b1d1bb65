/*
 * Streams delimited text: RFC 4180 with the variations of real exporters.
 *
 * The delimiter is a comma, semicolon, tab or pipe. It is detected from the header. If two
 * delimiters are equally frequent in the header, the first rows decide between them. A quote within a quoted
 * field is written twice. Line breaks are CR LF, LF or CR; line breaks in quotes are part of the
 * field. The encoding is UTF-8 with or without a BOM, UTF-16 with a BOM, or a code page named by
 * the caller (iconv). An unquoted empty field and the unquoted word NULL are the SQL NULL; a quoted
 * empty field is the empty string. A quote within an unquoted field is text. Blank lines are
 * ignored, except in a table of one column, where a blank line after the header is a row with a
 * NULL.
 *
 * In a row, `line` counts physical lines, including line breaks in quotes. `raw` is the row in
 * UTF-8 without its line break. `offset` is the position in the file on disk, including the BOM. It
 * is exact for UTF-8, UTF-16 and single-byte code pages; for other code pages (such as SHIFT_JIS)
 * it counts decoded bytes. A wrong number of fields in a row is not an error.
 *
 * The following are errors, whose messages name the file and the line: NUL bytes, invalid UTF-8,
 * unpaired surrogates, an unterminated quoted field, text after a closing quote, a row of more than
 * max_row_bytes, an empty file, an empty column name, and a repeated column name (ignoring case).
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_H
#define PROFDEPOT_INPUT_CSV_CSV_H

#include "base/error.h"
#include "model/rowset.h"

struct csv_options {
	/* iconv's name of the encoding; a BOM overrides it; NULL: UTF-8, or UTF-16 with a BOM */
	const char *encoding;
	char delimiter;       /* 0 means that the delimiter is detected */
	size_t max_row_bytes; /* maximum size of a decoded row; 0 means 16 MiB */
	size_t max_columns;   /* 0 means 1000 */
};

/*
 * Opens a table on a descriptor and reads the header. The reader owns the descriptor and closes it
 * even on error. `source` is copied. If `consumed` is not NULL, it counts the bytes read from the
 * descriptor. Surrounding brackets, quotes and blanks are removed from column names. Returns NULL on error.
 */
struct row_reader *csv_open(int fd, const char *source, const struct csv_options *options,
	int64_t *consumed, struct error *err);

#endif
