/* Reads rows and fields of CSV files. */
#include "input/csv/csv.h"

#include "base/arena.h"
#include "csv_private.h"
#include "csv_scan_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	CHUNK_BYTES = 256 * 1024,
	DEFAULT_ROW_BYTES = 16 * 1024 * 1024,
	DEFAULT_COLUMNS = 1000,
};

enum lex_result {
	LEX_ROW,
	LEX_MORE, /* the row continues beyond the buffer, or invalid bytes follow */
	LEX_END,
	LEX_ERROR,
};

struct csv {
	struct row_reader reader; /* must be first: a row_reader is cast to its csv */
	struct csv_decoder decoder;
	struct arena arena; /* source and column names */
	size_t max_row_bytes;
	size_t max_columns;
	size_t chunk_bytes;
	char delimiter;
	size_t null_size; /* size of the word NULL; SIZE_MAX while the header is read, where NULL is a column's name */

	char *buffer; /* CSV_BLOCK_BYTES longer than `capacity` */
	size_t capacity;
	const char *row; /* start of the row to parse */
	const char *end; /* end of the text in the buffer */
	struct csv_scan scan;

	struct text *fields;
	size_t field_capacity;
	size_t field_count;
	const char *row_end;  /* end of the row, before its line break */
	const char *row_next; /* start of the next row */
	uint64_t line;        /* line number of `row` */
	uint64_t breaks;      /* line breaks within the row's quotes so far */
	uint64_t offset;      /* offset of `row` in the file */

	char *side; /* unescaped fields of this row */
	size_t side_capacity;
	size_t side_size;
};

static bool
refuse(const struct csv *c, struct error *err, enum error_code code, const char *what)
{
	return error_set(
		err, code, "%s: line %" PRIu64 ": %s", c->reader.source, c->line + c->breaks, what);
}

static bool
refuse_long_row(const struct csv *c, struct error *err)
{
	error_set(err, ERROR_LIMIT, "%s: line %" PRIu64 ": a row of more than %zu bytes",
		c->reader.source, c->line, c->max_row_bytes);
	return error_hint(err, "an unclosed quote may have merged several rows into one");
}

static bool
refuse_bytes(const struct csv *c, struct error *err)
{
	const struct csv_decoder *d = &c->decoder;

	error_set(err, ERROR_INPUT, "%s: line %" PRIu64 ", byte %" PRIu64 ": %s", c->reader.source,
		c->line + c->breaks, d->offset, d->bad);
	if (d->encoding == CSV_UTF8)
		return error_hint(err,
			"name the encoding of the file, such as --encoding WINDOWS-1252 or UTF-16LE");
	if (d->encoding == CSV_ICONV)
		return error_hint(err,
			"the file does not have the encoding that --encoding names; without "
			"--encoding it is read as UTF-8");
	return false;
}

static bool
more_fields(struct csv *c, struct error *err)
{
	size_t grown = c->field_capacity ? c->field_capacity * 2 : 32;

	if (c->field_capacity >= c->max_columns) {
		error_set(err, ERROR_LIMIT, "%s: line %" PRIu64 ": more than %zu fields",
			c->reader.source, c->line, c->max_columns);
		return error_hint(
			err, "no profiler writes this many fields: check this line of the file");
	}
	if (grown > c->max_columns)
		grown = c->max_columns;
	c->fields = xrealloc(c->fields, grown * sizeof(*c->fields));
	c->field_capacity = grown;
	return true;
}

static inline struct text
plain_field(const char *start, const char *end, size_t null_size)
{
	size_t size = (size_t)(end - start);

	if (size == 0 || (size == null_size && memcmp(start, "NULL", 4) == 0))
		return TEXT_NULL;
	return (struct text){ start, size };
}

/* Whether more text or an error may follow the text in the buffer. */
static bool
is_open_ended(const struct csv *c)
{
	return !c->decoder.ended || c->decoder.bad;
}

/* Replaces each doubled quote by one quote. The side buffer has room for all remaining text, so it never
 * moves while the row's earlier fields point into it. */
static struct text
unescape(struct csv *c, const char *p, const char *end)
{
	size_t most = (size_t)(c->end - c->row);
	char *out;
	char *begin;

	if (c->side_capacity < most && c->side_size == 0) {
		free(c->side);
		c->side = xmalloc(most);
		c->side_capacity = most;
	}
	begin = out = c->side + c->side_size;
	while (p < end) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		const char *stop = quote ? quote + 1 : end;

		memcpy(out, p, (size_t)(stop - p));
		out += stop - p;
		p = quote ? quote + 2 : end;
	}
	c->side_size += (size_t)(out - begin);
	return (struct text){ begin, (size_t)(out - begin) };
}

/* Parses the field whose quote opens at `open`. If the result is LEX_ROW, the next character is the
 * delimiter or line break after the field, or the text has ended. */
static enum lex_result
lex_quoted(
	struct csv *c, struct csv_scan *s, const char *open, struct text *value, struct error *err)
{
	const char delimiter = c->delimiter;
	bool escaped = false;
	const char *p;

	for (;;) {
		p = csv_scan_next(s, delimiter);
		if (!p && is_open_ended(c))
			return LEX_MORE;
		if (!p) {
			refuse(c, err, ERROR_INPUT, "the file ends within a quoted field");
			error_hint(err,
				"its row begins in line %" PRIu64 "; the file may be truncated",
				c->line);
			return LEX_ERROR;
		}
		if (*p == '\r' || (*p == '\n' && p[-1] != '\r'))
			c->breaks++;
		if (*p != '"')
			continue;
		if (p + 1 == c->end && is_open_ended(c))
			return LEX_MORE;
		if (p + 1 == c->end || p[1] != '"')
			break;
		escaped = true;
		csv_scan_next(s, delimiter);
	}
	if (p + 1 < c->end && p[1] != delimiter && p[1] != '\n' && p[1] != '\r') {
		refuse(c, err, ERROR_INPUT, "text after a closing quote");
		error_hint(err, "write a quote within a quoted field twice");
		return LEX_ERROR;
	}
	*value = escaped ? unescape(c, open + 1, p)
			 : (struct text){ open + 1, (size_t)(p - open - 1) };
	return LEX_ROW;
}

/* Ends the row at the line break p, or at the end of the text if p is NULL. */
static enum lex_result
end_row(struct csv *c, struct csv_scan *s, const char *p)
{
	if (!p) {
		if (is_open_ended(c))
			return LEX_MORE;
		c->row_end = c->row_next = c->end;
		return c->row == c->end ? LEX_END : LEX_ROW;
	}
	c->row_end = p;
	c->row_next = p + 1;
	if (*p == '\r') {
		if (p + 1 == c->end)
			return c->decoder.ended ? LEX_ROW : LEX_MORE;
		if (p[1] == '\n') {
			csv_scan_next(s, c->delimiter);
			c->row_next = p + 2;
		}
	}
	return LEX_ROW;
}

/* Splits the row at c->row into fields. A row that does not end within the buffer is parsed again
 * from its beginning after more text has been read. */
static enum lex_result
lex_row(struct csv *c, struct error *err)
{
	const char delimiter = c->delimiter;
	const size_t null_size = c->null_size;
	struct csv_scan s = c->scan;
	const char *start = c->row; /* start of the field; NULL after a quoted field */
	const char *p;
	size_t n = 0;
	enum lex_result result;

	c->breaks = 0;
	c->side_size = 0;
	for (;;) {
		if (n == c->field_capacity && !more_fields(c, err))
			return LEX_ERROR;
		p = csv_scan_next(&s, delimiter);
		if (!p)
			break;
		if (*p == delimiter) {
			c->fields[n++] = plain_field(start, p, null_size);
		} else if (*p != '"') {
			break;
		} else if (p == start) {
			struct csv_scan after = s; /* keeps `s` in registers */

			result = lex_quoted(c, &after, p, &c->fields[n++], err);
			if (result != LEX_ROW)
				return result;
			s = after;
			start = NULL;
			p = csv_scan_next(&s, delimiter);
			if (!p || *p != delimiter)
				break;
		} else {
			continue; /* a quote within an unquoted field is text */
		}
		start = p + 1;
	}
	{
		struct csv_scan after = s;

		result = end_row(c, &after, p);
		c->scan = after;
	}
	if (result == LEX_ROW && start)
		c->fields[n++] = plain_field(start, c->row_end, null_size);
	c->field_count = n;
	return result;
}

static void
reset_scan(struct csv *c)
{
	c->scan = csv_scan_begin(c->row, c->end, c->delimiter);
}

/* Moves the row to the front of the buffer and reads more text after it. */
static bool
fill(struct csv *c, struct error *err)
{
	size_t have = (size_t)(c->end - c->row);
	size_t want = have + (have > c->chunk_bytes ? have : c->chunk_bytes);
	size_t got;

	/* One more byte is allowed, for a CR whose LF is not in the buffer yet. */
	if (have > c->max_row_bytes + 1)
		return refuse_long_row(c, err);
	/* Doubling keeps the work linear if a row is parsed repeatedly. */
	if (want > c->max_row_bytes + 1 + c->chunk_bytes)
		want = c->max_row_bytes + 1 + c->chunk_bytes;
	if (have)
		memmove(c->buffer, c->row, have);
	if (want > c->capacity) {
		c->buffer = xrealloc(c->buffer, want + CSV_BLOCK_BYTES);
		c->capacity = want;
	}
	if (!csv_decoder_read(&c->decoder, c->buffer + have, want - have, &got, err))
		return error_prefix(err, "%s", c->reader.source);
	c->row = c->buffer;
	c->end = c->buffer + have + got;
	memset(c->buffer + have + got, 0, CSV_BLOCK_BYTES);
	reset_scan(c);
	return true;
}

/* Moves to the row after the parsed row. */
static void
advance(struct csv *c)
{
	c->offset += csv_decoder_disk_bytes(&c->decoder, c->row, (size_t)(c->row_next - c->row));
	c->line += c->breaks + 1;
	c->row = c->row_next;
}

static enum row_status
next_row(struct csv *c, struct error *err)
{
	for (;;) {
		switch (lex_row(c, err)) {
		case LEX_ROW:
			if ((size_t)(c->row_end - c->row) > c->max_row_bytes) {
				refuse_long_row(c, err);
				return ROW_ERROR;
			}
			if (c->row_end > c->row || c->reader.column_count == 1)
				return ROW_READ;
			advance(c); /* a blank line */
			break;
		case LEX_MORE:
			if (c->decoder.bad) {
				refuse_bytes(c, err);
				return ROW_ERROR;
			}
			if (!fill(c, err))
				return ROW_ERROR;
			break;
		case LEX_END:
			return ROW_END;
		case LEX_ERROR:
			return ROW_ERROR;
		}
	}
}

static enum row_status
csv_next(struct row_reader *r, struct row *row, struct error *err)
{
	struct csv *c = (struct csv *)r;
	enum row_status status = next_row(c, err);

	if (status != ROW_READ)
		return status;
	*row = (struct row){
		.fields = c->fields,
		.count = c->field_count,
		.line = c->line,
		.offset = c->offset,
		.raw = { c->row, (size_t)(c->row_end - c->row) },
	};
	advance(c);
	return ROW_READ;
}

static void
csv_close(struct row_reader *r)
{
	struct csv *c = (struct csv *)r;

	close(c->decoder.fd);
	csv_decoder_close(&c->decoder);
	free(c->buffer);
	free(c->fields);
	free(c->side);
	arena_release(&c->arena);
	free(c);
}

/* Copies the header's fields as column names. */
static bool
take_columns(struct csv *c, struct error *err)
{
	const char **columns = arena_alloc_array(&c->arena, c->field_count, sizeof(*columns));

	for (size_t i = 0; i < c->field_count; i++) {
		struct text name = csv_bare_name(c->fields[i]);

		if (text_is_empty(name))
			return error_set(err, ERROR_INPUT,
				"%s: line %" PRIu64 ": column %zu has no name", c->reader.source,
				c->line, i + 1);
		for (size_t j = 0; j < i; j++)
			if (text_equal_nocase(text_from(columns[j]), name))
				return error_set(err, ERROR_INPUT,
					"%s: line %" PRIu64 ": the column %s occurs twice",
					c->reader.source, c->line, columns[j]);
		columns[i] = arena_strndup(&c->arena, name.data, name.size);
	}
	c->reader.columns = columns;
	c->reader.column_count = c->field_count;
	return true;
}

static bool
read_header(struct csv *c, struct error *err)
{
	c->null_size = SIZE_MAX;
	if (!fill(c, err))
		return false;
	if (!c->delimiter)
		c->delimiter = csv_sniff_delimiter(c->row, (size_t)(c->end - c->row));
	reset_scan(c);
	switch (next_row(c, err)) {
	case ROW_READ:
		break;
	case ROW_END:
		error_set(err, ERROR_INPUT, "%s: the file is empty", c->reader.source);
		return error_hint(err, "a table begins with a line of column names");
	case ROW_ERROR:
		return false;
	}
	if (!take_columns(c, err))
		return false;
	advance(c);
	c->null_size = 4;
	return true;
}

static bool
is_delimiter(char c)
{
	return c == 0 || (c != '"' && c != '\n' && c != '\r' && (unsigned char)c < 0x80);
}

struct row_reader *
csv_open_chunked(int fd, const char *source, const struct csv_options *options, size_t chunk_bytes,
	int64_t *consumed, struct error *err)
{
	struct csv *c = xcalloc(1, sizeof(*c));

	c->reader = (struct row_reader){ .next = csv_next, .close = csv_close };
	c->arena = ARENA_INIT;
	c->reader.source = arena_strdup(&c->arena, source);
	c->chunk_bytes = chunk_bytes;
	c->max_row_bytes = options->max_row_bytes ? options->max_row_bytes : DEFAULT_ROW_BYTES;
	if (c->max_row_bytes > SIZE_MAX / 4)
		c->max_row_bytes = SIZE_MAX / 4;
	c->max_columns = options->max_columns ? options->max_columns : DEFAULT_COLUMNS;
	c->delimiter = options->delimiter;
	c->line = 1;
	if (!csv_decoder_open(&c->decoder, fd, options->encoding, consumed, err)) {
		error_prefix(err, "%s", source);
		goto fail;
	}
	c->offset = c->decoder.offset;
	c->reader.other_encoding = c->decoder.mark;
	if (!is_delimiter(options->delimiter)) {
		error_set(err, ERROR_USAGE,
			"the delimiter must be one ASCII character other than a quote");
		goto fail;
	}
	c->capacity = 2 * chunk_bytes;
	c->buffer = xmalloc(c->capacity + CSV_BLOCK_BYTES);
	c->row = c->end = c->buffer;
	if (!read_header(c, err))
		goto fail;
	return &c->reader;
fail:
	csv_close(&c->reader);
	return NULL;
}

struct row_reader *
csv_open(int fd, const char *source, const struct csv_options *options, int64_t *consumed,
	struct error *err)
{
	return csv_open_chunked(fd, source, options, CHUNK_BYTES, consumed, err);
}
