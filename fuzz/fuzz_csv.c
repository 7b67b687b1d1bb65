/*
 * Fuzzes the CSV reader. The first byte of the input chooses the options, the second byte sets the
 * read size, and the rest is the file.
 *
 * Checks three properties besides the absence of crashes. The rows do not depend on the read size.
 * The fields of every row equal the fields that a simple parser finds in the raw bytes of this row.
 * Offsets and line numbers only increase.
 */
#include "base/arena.h"
#include "base/hash.h"
#include "input/csv/csv_private.h"
#include "must.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	PIPE_BYTES = 60000
}; /* capacity of a pipe */

struct outcome {
	uint64_t rows;
	struct hash128 sum;
	char message[1024];
};

static void
add_text(struct outcome *o, struct text t)
{
	struct hash128 h = { t.data != NULL, o->rows };

	if (t.data)
		h = hash128(t.data, t.size);
	/* The checksum depends on the order of the fields. */
	o->sum.low = o->sum.low * 31 + h.low;
	o->sum.high = o->sum.high * 37 + h.high + t.size;
}

/* Parses one field of a row by RFC 4180. Returns the start of the next field, or NULL at the end.
 * `out` has room for the whole row. */
static const char *
plain_field(const char *p, const char *end, char delimiter, struct text *field, char *out)
{
	const char *begin = p;
	size_t n = 0;

	if (p < end && *p == '"') {
		for (p++; *p != '"' || (p + 1 < end && p[1] == '"'); p++) {
			p += *p == '"';
			out[n++] = *p;
		}
		p++;
		*field = (struct text){ out, n };
	} else {
		while (p < end && *p != delimiter)
			p++;
		*field = (struct text){ begin, (size_t)(p - begin) };
		if (field->size == 0 || (field->size == 4 && memcmp(begin, "NULL", 4) == 0))
			*field = TEXT_NULL;
	}
	MUST(p == end || *p == delimiter);
	return p == end ? NULL : p + 1;
}

static void
check_row(const struct row *row, char delimiter)
{
	char *out = xmalloc(row->raw.size);
	const char *p = row->raw.data;

	for (size_t i = 0; i < row->count; i++) {
		struct text field;

		MUST(p != NULL);
		p = plain_field(p, row->raw.data + row->raw.size, delimiter, &field, out);
		MUST(text_equal(field, row->fields[i]));
	}
	MUST(p == NULL);
	MUST(text_utf8_prefix(row->raw.data, row->raw.size) == row->raw.size);
	MUST(!memchr(row->raw.data, 0, row->raw.size));
	free(out);
}

static int
pipe_with(const uint8_t *data, size_t size)
{
	int fds[2];

	MUST(pipe(fds) == 0);
	MUST(write(fds[1], data, size) == (ssize_t)size);
	close(fds[1]);
	return fds[0];
}

/* Checks the state after the last row. `err` must be set after a failure, and only then. At the end of
 * the data, all bytes must have been read, and the next call must report the end again. */
static void
check_end(struct row_reader *r, enum row_status status, struct error *err, int64_t consumed,
	size_t size)
{
	struct row row = { 0 };

	MUST((status == ROW_ERROR) == (err->code != ERROR_NONE));
	MUST((status == ROW_ERROR) == (err->message[0] != '\0'));
	MUST(consumed <= (int64_t)size);
	if (status == ROW_END)
		MUST(r->next(r, &row, err) == ROW_END && consumed == (int64_t)size);
}

static struct outcome
read_all(const uint8_t *data, size_t size, const struct csv_options *options, size_t chunk)
{
	struct outcome o = { 0 };
	struct error err = ERROR_INIT;
	int64_t consumed = 0;
	struct row_reader *r =
		csv_open_chunked(pipe_with(data, size), "f", options, chunk, &consumed, &err);
	struct row row = { 0 };
	uint64_t offset = 0;
	uint64_t line = 0;
	enum row_status status = ROW_ERROR;

	for (size_t i = 0; r && i < r->column_count; i++)
		add_text(&o, text_from(r->columns[i]));
	while (r && (status = r->next(r, &row, &err)) == ROW_READ) {
		o.rows++;
		MUST(row.line > line && row.count > 0);
		MUST(offset == 0 || row.offset > offset);
		line = row.line;
		offset = row.offset;
		if (options->delimiter)
			check_row(&row, options->delimiter);
		for (size_t i = 0; i < row.count; i++)
			add_text(&o, row.fields[i]);
		add_text(&o, row.raw);
		o.sum.low += row.line * 1000003 + row.offset;
	}
	check_end(r, status, &err, consumed, size);
	memcpy(o.message, err.message, sizeof(o.message));
	if (r)
		r->close(r);
	return o;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char delimiters[] = { ',', ';', '\t', 0 };
	static const char *const encodings[] = { NULL, NULL, NULL, "UTF-16LE", "UTF-16BE", "CP1251",
		"WINDOWS-1252", "SHIFT_JIS" };
	struct csv_options options = { 0 };
	struct outcome small;
	struct outcome large;

	if (size < 2 || size > PIPE_BYTES)
		return 0;
	options.delimiter = delimiters[data[0] & 3];
	options.encoding = encodings[data[0] >> 2 & 7];
	/* If a row has several errors, the read size decides which error is found first, so
	 * messages are not compared. */
	options.max_row_bytes = data[0] & 0x20 ? 40 : 0;
	options.max_columns = data[0] & 0x40 ? 3 : 0;
	small = read_all(data + 2, size - 2, &options, CSV_MIN_ROOM + data[1]);
	large = read_all(data + 2, size - 2, &options, PIPE_BYTES);
	if (!options.delimiter)
		return 0; /* the two reads guess the delimiter from header parts of different sizes */
	MUST(small.rows == large.rows && small.sum.low == large.sum.low &&
		small.sum.high == large.sum.high);
	if (options.max_row_bytes || options.max_columns)
		MUST(!small.message[0] == !large.message[0]);
	else
		MUST(strcmp(small.message, large.message) == 0);
	return 0;
}
