/*
 * A rowset: named tables of text rows, wherever they come from (an export's
 * CSV files, a database behind a connection, the depot itself).
 *
 * A table is read from its first row to its last; several tables of one
 * rowset may be open at once, and a table may be opened again.
 */
#ifndef PROFDEPOT_MODEL_ROWSET_H
#define PROFDEPOT_MODEL_ROWSET_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

/* One row; everything in it is borrowed until the next call on its reader. */
struct row {
	const struct text *fields; /* .data == NULL is the SQL NULL */
	size_t count;              /* as read: may differ from the number of columns */
	uint64_t line;             /* where the row begins, from 1; 0 when there are no lines */
	uint64_t offset;           /* bytes into the source where it begins */
	struct text raw;           /* the row as read, for an import issue */
};

enum row_status {
	ROW_READ,
	ROW_END,
	ROW_ERROR, /* err tells; the reader can only be closed */
};

struct row_reader {
	const char *source;         /* what messages call it, such as a file's name */
	const char *const *columns; /* names as they stand there */
	size_t column_count;
	enum row_status (*next)(struct row_reader *r, struct row *row, struct error *err);
	void (*close)(struct row_reader *r);
};

struct rowset {
	/* Upper case, without schema prefix, brackets or quotes; sorted, each once. */
	const char *const *tables;
	size_t table_count;
	/* The caller closes what it gets; NULL on error. */
	struct row_reader *(*open)(struct rowset *s, size_t table, struct error *err);
};

/* Index of the table of that name, or -1. */
static inline int
rowset_find(const struct rowset *s, const char *table)
{
	for (size_t i = 0; i < s->table_count; i++)
		if (strcmp(s->tables[i], table) == 0)
			return (int)i;
	return -1;
}

#endif
