/* Reads a table over ODBC row by row. */
#include "odbc_private.h"

#include "base/double.h"
#include "base/strbuf.h"
#include "input/spool.h"

#include <math.h>
#include <stdlib.h>

enum {
	PIECE_BYTES = 8192, /* fetch long text in pieces of this size */
	MAX_COLUMNS = 1000,
};

/* How a column's values are fetched. */
enum column_kind {
	COLUMN_WIDE,   /* text in UTF-16, regardless of the driver's code page */
	COLUMN_NARROW, /* numbers, which are ASCII, and text as bytes */
	COLUMN_DOUBLE,
};

/* A value's position in the row buffer. */
struct value {
	size_t begin, size;
	bool null;
};

struct odbc_reader {
	struct row_reader base; /* must be first */
	struct arena arena;
	struct odbc_link *link;
	SQLHSTMT stmt;
	enum column_kind *kinds;
	struct value *values;
	struct text *fields;
	struct strbuf row; /* values separated by tabs */
	uint64_t rows;
	struct spool *spool; /* rows that were fetched in advance */
	uint64_t spooled;    /* rows left in the spool */
	union {
		SQLWCHAR wide[PIECE_BYTES / sizeof(SQLWCHAR)];
		char narrow[PIECE_BYTES];
	} piece;
};

/* --- values ---------------------------------------------------------------------------------- */

static bool
refuse_value(struct odbc_reader *r, size_t column, struct error *err)
{
	return odbc_error(r->link, SQL_HANDLE_STMT, r->stmt, err, "%s: row %llu: column %s",
		r->base.source, (unsigned long long)r->rows, r->base.columns[column]);
}

/* Whether the driver lacks this conversion. */
static bool
cannot_convert(struct odbc_reader *r)
{
	SQLCHAR state[6] = "";
	SQLINTEGER native;
	SQLSMALLINT size;

	if (!SQL_SUCCEEDED(
		    SQLGetDiagRec(SQL_HANDLE_STMT, r->stmt, 1, state, &native, NULL, 0, &size)))
		return false;
	return strcmp((char *)state, "HYC00") == 0 || strcmp((char *)state, "07006") == 0 ||
	       strcmp((char *)state, "HY003") == 0;
}

/* The number of characters in the piece: the rest of the value, or as many as fit into the piece
 * before its terminator. */
static size_t
piece_units(SQLRETURN status, SQLLEN left, size_t unit)
{
	size_t room = PIECE_BYTES / unit - 1;

	if (status == SQL_SUCCESS && left != SQL_NO_TOTAL && (size_t)left / unit <= room)
		return (size_t)left / unit;
	return room;
}

/* Fetches the next piece, as narrow characters if the driver does not support wide ones. */
static SQLRETURN
next_piece(struct odbc_reader *r, size_t column, SQLLEN *left)
{
	SQLUSMALLINT number = (SQLUSMALLINT)(column + 1);
	SQLRETURN status;

	if (r->kinds[column] == COLUMN_WIDE) {
		status = SQLGetData(r->stmt, number, SQL_C_WCHAR, &r->piece, PIECE_BYTES, left);
		if (status != SQL_ERROR || !cannot_convert(r))
			return status;
		r->kinds[column] = COLUMN_NARROW;
	}
	return SQLGetData(r->stmt, number, SQL_C_CHAR, &r->piece, PIECE_BYTES, left);
}

static bool
read_text(struct odbc_reader *r, size_t column, struct value *v, struct error *err)
{
	uint16_t high = 0;
	SQLRETURN status;

	do {
		SQLLEN left = 0;
		bool wide;
		size_t units;

		status = next_piece(r, column, &left);
		wide = r->kinds[column] == COLUMN_WIDE;
		if (status == SQL_NO_DATA)
			break;
		if (!SQL_SUCCEEDED(status))
			return refuse_value(r, column, err);
		if (left == SQL_NULL_DATA) {
			v->null = true;
			return true;
		}
		units = piece_units(status, left, wide ? sizeof(SQLWCHAR) : 1);
		for (size_t i = 0; wide && i < units; i++) {
			char out[6];

			strbuf_append(&r->row, out, utf16_decode(&high, r->piece.wide[i], out));
		}
		if (!wide)
			strbuf_append(&r->row, r->piece.narrow, units);
		if (r->row.size - v->begin > r->link->max_field_bytes || r->row.failed)
			return error_set(err, ERROR_LIMIT,
				"%s: %s: row %llu: column %s has more than %zu bytes",
				r->link->name, r->base.source, (unsigned long long)r->rows,
				r->base.columns[column], r->link->max_field_bytes);
	} while (status == SQL_SUCCESS_WITH_INFO);
	if (high)
		strbuf_append_str(&r->row, "\xEF\xBF\xBD");
	return true;
}

/* Reads a double. Writes a whole number without an exponent, because Access also stores whole numbers in
 * doubles. */
static bool
read_double(struct odbc_reader *r, size_t column, struct value *v, struct error *err)
{
	char text[DOUBLE_TEXT_MAX];
	double d = 0;
	SQLLEN size = 0;

	if (!SQL_SUCCEEDED(SQLGetData(
		    r->stmt, (SQLUSMALLINT)(column + 1), SQL_C_DOUBLE, &d, sizeof(d), &size)))
		return refuse_value(r, column, err);
	v->null = size == SQL_NULL_DATA;
	if (!v->null && fabs(d) < 1e21 && !(trunc(d) < d) && !(trunc(d) > d))
		strbuf_printf(&r->row, "%.0f", d);
	else if (!v->null)
		strbuf_append(&r->row, text, double_format(d, text));
	return true;
}

static bool
is_ascii(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

/* Converts bytes in --encoding's code page to UTF-8. */
static bool
decode(struct odbc_reader *r, size_t column, struct value *v, struct error *err)
{
	struct odbc_link *l = r->link;
	size_t room = 4 * v->size;
	char *copy, *in, *out;
	size_t left = v->size;
	bool ok;

	if (l->cd == (iconv_t)-1 || r->kinds[column] != COLUMN_NARROW || v->null ||
		is_ascii(r->row.data + v->begin, v->size))
		return true;
	copy = in = xmalloc(room + left);
	memcpy(copy, r->row.data + v->begin, left);
	out = copy + left;
	iconv(l->cd, NULL, NULL, NULL, NULL);
	ok = iconv(l->cd, &in, &left, &out, &room) != (size_t)-1;
	r->row.size = v->begin;
	strbuf_append(&r->row, copy + v->size, (size_t)(out - (copy + v->size)));
	v->size = r->row.size - v->begin;
	free(copy);
	return ok ||
	       error_set(err, ERROR_INPUT, "%s: %s: row %llu: column %s has text that is not %s",
		       l->name, r->base.source, (unsigned long long)r->rows,
		       r->base.columns[column], l->encoding);
}

/* Rejects bytes that the depot cannot store as text. */
static bool
check_text(struct odbc_reader *r, size_t column, const struct value *v, struct error *err)
{
	const char *text = r->row.data + v->begin;
	const char *what = NULL;

	if (v->null || !v->size)
		return true;
	if (memchr(text, '\0', v->size))
		what = "a NUL character";
	else if (text_utf8_prefix(text, v->size) != v->size)
		what = "text that is not UTF-8";
	if (!what)
		return true;
	error_set(err, ERROR_INPUT, "%s: %s: row %llu: column %s has %s", r->link->name,
		r->base.source, (unsigned long long)r->rows, r->base.columns[column], what);
	return error_hint(err, "%s",
		memchr(text, '\0', v->size) ? "fix it in the database"
					    : "--encoding names its code page");
}

static bool
read_values(struct odbc_reader *r, struct error *err)
{
	strbuf_reset(&r->row);
	for (size_t i = 0; i < r->base.column_count; i++) {
		struct value *v = &r->values[i];

		*v = (struct value){ .begin = r->row.size };
		if (r->kinds[i] == COLUMN_DOUBLE ? !read_double(r, i, v, err)
						 : !read_text(r, i, v, err))
			return false;
		v->size = r->row.size - v->begin;
		if (!decode(r, i, v, err) || !check_text(r, i, v, err))
			return false;
		strbuf_append_char(&r->row, '\t');
	}
	return !r->row.failed ||
	       error_set(err, ERROR_LIMIT, "%s: %s: row %llu has more than %zu bytes",
		       r->link->name, r->base.source, (unsigned long long)r->rows,
		       4 * r->link->max_field_bytes);
}

/* --- rows ------------------------------------------------------------------------------------ */

static void
end_statement(struct odbc_reader *r)
{
	if (r->link->active == r)
		r->link->active = NULL;
	if (r->stmt != SQL_NULL_HSTMT)
		SQLFreeHandle(SQL_HANDLE_STMT, r->stmt);
	r->stmt = SQL_NULL_HSTMT;
}

static enum row_status
fetch(struct odbc_reader *r, struct error *err)
{
	SQLRETURN status = SQLFetch(r->stmt);

	if (status == SQL_NO_DATA) {
		end_statement(r);
		return ROW_END;
	}
	r->rows++;
	if (!SQL_SUCCEEDED(status)) {
		odbc_error(r->link, SQL_HANDLE_STMT, r->stmt, err, "%s: row %llu", r->base.source,
			(unsigned long long)r->rows);
		return ROW_ERROR;
	}
	return read_values(r, err) ? ROW_READ : ROW_ERROR;
}

static bool
spool_row(struct odbc_reader *r, struct error *err)
{
	r->spooled++;
	return spool_write(r->spool, r->values, r->base.column_count * sizeof(*r->values), err) &&
	       spool_write(r->spool, &r->row.size, sizeof(r->row.size), err) &&
	       spool_write(r->spool, r->row.data, r->row.size, err);
}

/* Moves the remaining rows to a temporary file, so that the connection can run another
 * statement. */
static bool
spool_rest(struct odbc_reader *r, struct error *err)
{
	uint64_t rows = r->rows;
	enum row_status status;

	r->spool = spool_new(0);
	while ((status = fetch(r, err)) == ROW_READ)
		if (!spool_row(r, err))
			return false;
	end_statement(r);
	r->rows = rows;
	return status == ROW_END && spool_rewind(r->spool, err);
}

static enum row_status
unspool(struct odbc_reader *r, struct error *err)
{
	size_t size;

	if (!r->spooled)
		return ROW_END;
	r->spooled--;
	strbuf_reset(&r->row);
	if (!spool_read(r->spool, r->values, r->base.column_count * sizeof(*r->values), err) ||
		!spool_read(r->spool, &size, sizeof(size), err))
		return ROW_ERROR;
	/* The row fits, because it came from this buffer. */
	if (!strbuf_reserve(&r->row, size) || !spool_read(r->spool, r->row.data, size, err))
		return ROW_ERROR;
	r->row.size = size;
	r->rows++;
	return ROW_READ;
}

static enum row_status
next_row(struct row_reader *base, struct row *row, struct error *err)
{
	struct odbc_reader *r = (struct odbc_reader *)base;
	enum row_status status = r->spool                    ? unspool(r, err)
				 : r->stmt == SQL_NULL_HSTMT ? ROW_END
							     : fetch(r, err);

	if (status != ROW_READ)
		return status;
	for (size_t i = 0; i < base->column_count; i++)
		r->fields[i] = r->values[i].null ? TEXT_NULL
						 : (struct text){ r->row.data + r->values[i].begin,
							   r->values[i].size };
	*row = (struct row){ .fields = r->fields,
		.count = base->column_count,
		.line = r->rows,
		.raw = { r->row.data, r->row.size ? r->row.size - 1 : 0 } };
	return ROW_READ;
}

static void
close_reader(struct row_reader *base)
{
	struct odbc_reader *r = (struct odbc_reader *)base;

	end_statement(r);
	spool_free(r->spool);
	strbuf_release(&r->row);
	arena_release(&r->arena);
	free(r);
}

/* --- opening --------------------------------------------------------------------------------- */

static enum column_kind
kind_of(const struct odbc_link *l, SQLSMALLINT type)
{
	switch (type) {
	case SQL_REAL:
	case SQL_FLOAT:
	case SQL_DOUBLE:
		return COLUMN_DOUBLE;
	case SQL_BIT:
	case SQL_TINYINT:
	case SQL_SMALLINT:
	case SQL_INTEGER:
	case SQL_BIGINT:
	case SQL_DECIMAL:
	case SQL_NUMERIC:
		return COLUMN_NARROW;
	default:
		return l->bytes ? COLUMN_NARROW : COLUMN_WIDE;
	}
}

static bool
describe(struct odbc_reader *r, struct error *err)
{
	SQLSMALLINT count = 0;
	const char **names;

	if (!SQL_SUCCEEDED(SQLNumResultCols(r->stmt, &count)) || count < 1 || count > MAX_COLUMNS)
		return odbc_error(r->link, SQL_HANDLE_STMT, r->stmt, err, "%s has no columns",
			r->base.source);
	r->base.column_count = (size_t)count;
	names = arena_alloc_array(&r->arena, (size_t)count, sizeof(*names));
	r->kinds = arena_alloc_array(&r->arena, (size_t)count, sizeof(*r->kinds));
	r->values = arena_alloc_array(&r->arena, (size_t)count, sizeof(*r->values));
	r->fields = arena_alloc_array(&r->arena, (size_t)count, sizeof(*r->fields));
	for (SQLSMALLINT i = 0; i < count; i++) {
		SQLCHAR name[256] = "";
		SQLSMALLINT size, type = SQL_UNKNOWN_TYPE, digits, nullable;
		SQLULEN width;

		if (!SQL_SUCCEEDED(SQLDescribeCol(r->stmt, (SQLUSMALLINT)(i + 1), name,
			    sizeof(name), &size, &type, &width, &digits, &nullable)))
			return odbc_error(r->link, SQL_HANDLE_STMT, r->stmt, err, "%s: column %d",
				r->base.source, (int)i + 1);
		names[i] = arena_strdup(&r->arena, (const char *)name);
		r->kinds[i] = kind_of(r->link, type);
	}
	r->base.columns = names;
	return true;
}

static bool
execute(struct odbc_reader *r, const char *sql, struct error *err)
{
	SQLCHAR *copy = (SQLCHAR *)arena_strdup(&r->arena, sql);

	if (!odbc_statement(r->link, &r->stmt, err))
		return false;
	SQLSetStmtAttr(r->stmt, SQL_ATTR_CURSOR_TYPE, SQL_CURSOR_FORWARD_ONLY, 0);
	SQLSetStmtAttr(r->stmt, SQL_ATTR_CONCURRENCY, (SQLPOINTER)SQL_CONCUR_READ_ONLY, 0);
	if (!SQL_SUCCEEDED(SQLExecDirect(r->stmt, copy, SQL_NTS)))
		return odbc_error(
			r->link, SQL_HANDLE_STMT, r->stmt, err, "cannot read %s", r->base.source);
	return true;
}

struct row_reader *
odbc_reader_new(struct odbc_link *l, const char *source, const char *sql, struct error *err)
{
	struct odbc_reader *r;

	if (l->one_statement && l->active && !spool_rest(l->active, err))
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->base.source = source;
	r->base.next = next_row;
	r->base.close = close_reader;
	r->arena = ARENA_INIT;
	r->link = l;
	r->stmt = SQL_NULL_HSTMT;
	strbuf_init(&r->row, 4 * l->max_field_bytes);
	if (!execute(r, sql, err) || !describe(r, err)) {
		close_reader(&r->base);
		return NULL;
	}
	if (l->one_statement)
		l->active = r;
	return &r->base;
}
