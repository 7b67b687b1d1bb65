/*
 * A rowset: named tables whose fields are texts. The tables come from the CSV files of an export,
 * from a database connection, or from the depot.
 *
 * A table is read from its first row to its last. Several tables of one rowset may be open at the same
 * time, and a table may be opened again.
 */
#ifndef PROFDEPOT_MODEL_ROWSET_H
#define PROFDEPOT_MODEL_ROWSET_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

/* One row, valid until the next call on its reader. */
struct row {
	const struct text *fields; /* .data == NULL means SQL NULL */
	size_t count;              /* may differ from the number of columns */
	uint64_t line;   /* line where the row begins, from 1; 0 if the table has no lines */
	uint64_t offset; /* where the row begins, in bytes */
	struct text raw; /* the row as it was read, for an import issue */
};

enum row_status {
	ROW_READ,
	ROW_END,
	ROW_ERROR, /* err is set; the reader can only be closed */
};

struct row_reader {
	const char *source;         /* the table's name in messages, such as its file name */
	const char *const *columns; /* names */
	size_t column_count;
	/* The encoding that the byte order mark declares, if it differs from the encoding that the
	 * caller named; otherwise NULL. */
	const char *other_encoding;
	enum row_status (*next)(struct row_reader *r, struct row *row, struct error *err);
	void (*close)(struct row_reader *r);
};

struct rowset {
	/* Names in upper case, without schema prefix, brackets or quotes. They are sorted and unique. */
	const char *const *tables;
	size_t table_count;
	/* Returns NULL on error. The caller closes the reader. */
	struct row_reader *(*open)(struct rowset *s, size_t table, struct error *err);
};

/* Index of the table with that name; -1 if absent. */
static inline int
rowset_find(const struct rowset *s, const char *table)
{
	for (size_t i = 0; i < s->table_count; i++)
		if (strcmp(s->tables[i], table) == 0)
			return (int)i;
	return -1;
}

#endif
