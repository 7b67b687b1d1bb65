/* Shared by the files of the ODBC rowset. */
#ifndef PROFDEPOT_INPUT_ODBC_ODBC_PRIVATE_H
#define PROFDEPOT_INPUT_ODBC_ODBC_PRIVATE_H

#include "input/odbc/odbc_rowset.h"

#include <iconv.h>
#include <sql.h>
#include <sqlext.h>

struct odbc_reader;

struct odbc_link {
	struct arena arena;
	const char *name; /* name of the data source in messages */
	const char *string;
	SQLHENV env;
	SQLHDBC dbc;
	bool connected;
	char quote[8]; /* the driver's identifier quote; "" if unknown */
	bool one_statement;
	bool bytes;           /* text is fetched as bytes, not in UTF-16 */
	const char *encoding; /* encoding of the bytes; NULL means UTF-8 */
	iconv_t cd;           /* converts from `encoding`; (iconv_t)-1 if not needed */
	size_t max_field_bytes;
	struct odbc_reader *active; /* with one_statement: the reader whose statement is open */
};

/* Reads the next key and value of a connection string, without braces. False at the end. */
bool odbc_next_pair(struct arena *a, const char **at, const char **key, const char **value);

/* Connects and begins the transaction. Call odbc_disconnect even after a failure. */
bool odbc_connect(struct odbc_link *l, const char *connection_string, struct error *err);
void odbc_disconnect(struct odbc_link *l);

/* Sets err to the formatted text and the handle's diagnostics. */
bool odbc_error(struct odbc_link *l, SQLSMALLINT type, SQLHANDLE handle, struct error *err,
	const char *format, ...) ERROR_PRINTF(5, 6);

/* Allocates a statement. */
bool odbc_statement(struct odbc_link *l, SQLHSTMT *stmt, struct error *err);

/* Returns the name in the driver's identifier quotes, in the link's arena. */
const char *odbc_quote(struct odbc_link *l, const char *name);

/* Runs the query and returns a reader of its rows. Messages use `source`, which is borrowed. NULL on error. */
struct row_reader *odbc_reader_new(
	struct odbc_link *l, const char *source, const char *sql, struct error *err);

#endif
