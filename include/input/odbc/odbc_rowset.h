/*
 * A rowset over an ODBC data source with the tables that AQTime exports into a database.
 *
 * All reads are in one transaction at the driver's highest isolation level, and nothing is written.
 * Rows are fetched one at a time, so no table is held in memory. If a driver allows only one
 * statement at a time, opening another table moves the remaining rows of the current table to a
 * temporary file.
 *
 * Tables are found by name, ignoring case, in any schema. Numbers are returned as exact text, and
 * text as UTF-8.
 */
#ifndef PROFDEPOT_INPUT_ODBC_ODBC_ROWSET_H
#define PROFDEPOT_INPUT_ODBC_ODBC_ROWSET_H

#include "base/arena.h"
#include "base/error.h"
#include "model/rowset.h"

struct odbc_options {
	const int64_t *inst_ids; /* the INST_IDs whose rows are read */
	size_t inst_id_count;    /* 0 means all */
	size_t max_field_bytes;  /* maximum size of a field in UTF-8; 0 means 16 MiB */
	const char *encoding;    /* encoding of text returned as bytes; NULL means UTF-8 */
	bool one_statement;      /* assume that the driver allows only one open statement */
};

struct odbc_rowset;

/* NULL on error: ERROR_FILE (no driver, no connection), ERROR_INPUT (a duplicate table),
 * ERROR_USAGE (an unknown encoding). No message contains a password. */
struct odbc_rowset *odbc_rowset_new(
	const char *connection_string, const struct odbc_options *options, struct error *err);
void odbc_rowset_free(struct odbc_rowset *s);

struct rowset *odbc_rowset_interface(struct odbc_rowset *s);

/* Returns the part of a connection string that may be shown and stored, as valid UTF-8:
 * "DRIVER/DATABASE" or "DSN", followed by "@SERVER" if known. */
const char *odbc_display_name(struct arena *a, const char *connection_string);

#endif
