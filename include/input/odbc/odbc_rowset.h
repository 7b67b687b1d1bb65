/*
 * A rowset over a database behind ODBC: the tables that AQTime's profilers
 * export, where somebody let AQTime export into a database.
 *
 * All of it is read in one transaction, without autocommit, at the highest
 * isolation that the driver offers; nothing is written. Cursors run forward,
 * row by row: no table is held in memory. A driver that serves one statement
 * at a time has what is left of the table being read put into a temporary
 * file when another one is opened.
 *
 * Tables are found by name without regard to case, in any schema. Numbers
 * come as exact text, texts as UTF-8.
 */
#ifndef PROFDEPOT_INPUT_ODBC_ODBC_ROWSET_H
#define PROFDEPOT_INPUT_ODBC_ODBC_ROWSET_H

#include "base/arena.h"
#include "base/error.h"
#include "model/rowset.h"

struct odbc_options {
	const int64_t *inst_ids; /* only rows with one of these INST_IDs; */
	size_t inst_id_count;    /* 0: all */
	size_t max_field_bytes;  /* as UTF-8; 0: the default, 16 MiB */
	const char *encoding;    /* of texts that the driver hands over as bytes; NULL: UTF-8 */
	bool one_statement;      /* as if the driver served no more at a time */
};

struct odbc_rowset;

/* NULL on error: ERROR_FILE (no driver, no connection), ERROR_INPUT (a table
 * that is there twice), ERROR_USAGE (an encoding that is not known). No message holds a password.
 */
struct odbc_rowset *odbc_rowset_new(
	const char *connection_string, const struct odbc_options *options, struct error *err);
void odbc_rowset_free(struct odbc_rowset *s);

struct rowset *odbc_rowset_interface(struct odbc_rowset *s);

/* "DRIVER/DATABASE" or "DSN", with "@SERVER" where there is one, valid UTF-8:
 * what may be shown and kept of a connection string. */
const char *odbc_display_name(struct arena *a, const char *connection_string);

#endif
