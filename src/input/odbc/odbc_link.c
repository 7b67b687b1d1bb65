/* The ODBC connection: connection strings, options, transaction, diagnostics. */
#include "odbc_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum {
	LOGIN_TIMEOUT_SECONDS = 30,
	MESSAGE_MAX = 4096, /* large, because a truncated password would not be masked */
	WHAT_MAX = 512,
};

/* --- connection strings ---------------------------------------------------------------------- */

/* Parses {value}, in which "}}" means "}". *at is at the opening brace. */
static const char *
braced_value(struct arena *a, const char **at)
{
	char *value = arena_alloc(a, strlen(*at) + 1);
	size_t n = 0;
	const char *p = *at + 1;

	for (; *p; p++) {
		if (*p == '}' && p[1] != '}') {
			p++;
			break;
		}
		p += *p == '}';
		value[n++] = *p;
	}
	value[n] = '\0';
	*at = p + strcspn(p, ";");
	return value;
}

bool
odbc_next_pair(struct arena *a, const char **at, const char **key, const char **value)
{
	const char *p = *at;
	size_t n;

	p += strspn(p, "; \t\r\n");
	if (!*p)
		return false;
	n = strcspn(p, "=;");
	*key = arena_strndup(a, p, n);
	p += n;
	p += *p == '=';
	if (*p == '{') {
		*value = braced_value(a, &p);
	} else {
		n = strcspn(p, ";");
		*value = arena_strndup(a, p, n);
		p += n;
	}
	*at = p;
	return true;
}

static bool
is_secret(const char *key)
{
	static const char *const patterns[] = { "*pwd*", "*pass*", "*token*", "*secret*" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (text_glob(text_from(key), patterns[i]))
			return true;
	return false;
}

/* The text with every occurrence of c doubled. */
static char *
doubled(struct arena *a, const char *text, char c)
{
	char *copy = arena_alloc(a, 2 * strlen(text) + 1);
	size_t n = 0;

	for (; *text; text++) {
		if (*text == c)
			copy[n++] = c;
		copy[n++] = *text;
	}
	return copy;
}

const char *
odbc_display_name(struct arena *a, const char *connection_string)
{
	static const char *const drivers[] = { "driver", "dsn", "filedsn", NULL };
	static const char *const databases[] = { "database", "dbq", "dbname", "initial catalog",
		NULL };
	static const char *const servers[] = { "server", "servername", "host", "data source",
		NULL };
	const char *at = connection_string;
	const char *driver = "odbc", *database = "", *server = "";
	const char *key, *value;
	char *name;

	while (odbc_next_pair(a, &at, &key, &value)) {
		if (text_among_nocase(text_from(key), drivers))
			driver = text_file_name(text_from(value)).data;
		else if (text_among_nocase(text_from(key), databases))
			database = text_file_name(text_from(value)).data;
		else if (text_among_nocase(text_from(key), servers))
			server = value;
	}
	name = arena_printf(a, "%s%s%s%s%s", driver, *database ? "/" : "", database,
		*server ? "@" : "", server);
	for (size_t bad, size = strlen(name); (bad = text_utf8_prefix(name, size)) < size;)
		name[bad] = '?';
	return name;
}

/* --- diagnostics ----------------------------------------------------------------------------- */

static void
hide(char *message, const char *secret)
{
	size_t size = strlen(secret);

	while (size && (message = strstr(message, secret)) != NULL) {
		memset(message, '*', size);
		message += size;
	}
}

/* Masks the connection string's passwords, with and without braces, in a driver's message. */
static void
hide_secrets(const struct odbc_link *l, char *message)
{
	struct arena a = ARENA_INIT;
	const char *at = l->string;
	const char *key, *value;

	while (odbc_next_pair(&a, &at, &key, &value)) {
		if (!is_secret(key))
			continue;
		hide(message, doubled(&a, value, '}'));
		hide(message, value);
	}
	arena_release(&a);
}

/* Makes the message one line of valid UTF-8. */
static void
clean(char *message)
{
	size_t size = strlen(message);

	for (size_t bad; (bad = text_utf8_prefix(message, size)) < size;)
		message[bad] = '?';
	for (char *p = message; *p; p++)
		if (char_is_control(*p))
			*p = ' ';
	while (size && message[size - 1] == ' ')
		message[--size] = '\0';
}

bool
odbc_error(struct odbc_link *l, SQLSMALLINT type, SQLHANDLE handle, struct error *err,
	const char *format, ...)
{
	SQLCHAR state[6] = "";
	SQLCHAR message[MESSAGE_MAX] = "";
	SQLINTEGER native;
	SQLSMALLINT size;
	char what[WHAT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (!SQL_SUCCEEDED(SQLGetDiagRec(
		    type, handle, 1, state, &native, message, sizeof(message), &size)))
		snprintf((char *)message, sizeof(message), "the driver gave no reason");
	hide_secrets(l, (char *)message);
	clean((char *)message);
	error_set(err, ERROR_FILE, "%s: %s: %s%s%s%s", l->name, what, (char *)message,
		*state ? " (SQLSTATE " : "", (char *)state, *state ? ")" : "");
	if (strcmp((char *)state, "IM002") == 0 || strcmp((char *)state, "01000") == 0)
		error_hint(err, "\"odbcinst -q -d\" lists the drivers; Driver=/path/to/driver.so "
				"selects one that is not in odbcinst.ini");
	return false;
}

/* --- the connection -------------------------------------------------------------------------- */

/* Returns a numeric attribute in the form in which ODBC takes it: as a pointer. */
static SQLPOINTER
number_value(SQLULEN v)
{
	/* ODBC passes numbers in pointers. */
	return (SQLPOINTER)(uintptr_t)v;
}

static bool
open_connection(struct odbc_link *l, const char *string, struct error *err)
{
	char *copy = arena_strdup(&l->arena, string);
	SQLRETURN r;

	SQLSetConnectAttr(l->dbc, SQL_ATTR_LOGIN_TIMEOUT, number_value(LOGIN_TIMEOUT_SECONDS), 0);
	r = SQLDriverConnect(
		l->dbc, NULL, (SQLCHAR *)copy, SQL_NTS, NULL, 0, NULL, SQL_DRIVER_NOPROMPT);
	l->connected = SQL_SUCCEEDED(r);
	return l->connected || odbc_error(l, SQL_HANDLE_DBC, l->dbc, err, "cannot connect");
}

static void
get_text(struct odbc_link *l, SQLUSMALLINT what, char *out, size_t size)
{
	SQLSMALLINT length = 0;

	if (!SQL_SUCCEEDED(SQLGetInfo(l->dbc, what, out, (SQLSMALLINT)size, &length)))
		out[0] = '\0';
}

static bool
has_key(const struct odbc_link *l, const char *name)
{
	struct arena a = ARENA_INIT;
	const char *at = l->string;
	const char *key, *value;
	bool found = false;

	while (odbc_next_pair(&a, &at, &key, &value))
		found |= strcasecmp(key, name) == 0;
	arena_release(&a);
	return found;
}

/* PostgreSQL's driver fetches a whole result at a time, unless the connection string has an option for cursors.
 * If the option is missing, adds it and connects again. */
static bool
use_cursors(struct odbc_link *l, struct error *err)
{
	char driver[64];
	size_t size = strlen(l->string);
	const char *semicolon = size && l->string[size - 1] == ';' ? "" : ";";

	get_text(l, SQL_DRIVER_NAME, driver, sizeof(driver));
	if (!strstr(driver, "psqlodbc") || has_key(l, "UseDeclareFetch") || has_key(l, "B6"))
		return true;
	SQLDisconnect(l->dbc);
	l->connected = false;
	return open_connection(l,
		arena_printf(&l->arena, "%s%sUseDeclareFetch=1;Fetch=1000;", l->string, semicolon),
		err);
}

static bool
begin(struct odbc_link *l, struct error *err)
{
	static const SQLUINTEGER levels[] = { SQL_TXN_SERIALIZABLE, SQL_TXN_REPEATABLE_READ,
		SQL_TXN_READ_COMMITTED };
	SQLUSMALLINT capable = SQL_TC_NONE;
	SQLUINTEGER offered = 0;

	SQLGetInfo(l->dbc, SQL_TXN_CAPABLE, &capable, sizeof(capable), NULL);
	/* The driver of mdbtools, for Access files, has no transactions. */
	if (capable == SQL_TC_NONE)
		return true;
	SQLGetInfo(l->dbc, SQL_TXN_ISOLATION_OPTION, &offered, sizeof(offered), NULL);
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if ((offered & levels[i]) &&
			SQL_SUCCEEDED(SQLSetConnectAttr(
				l->dbc, SQL_ATTR_TXN_ISOLATION, number_value(levels[i]), 0)))
			break;
	if (!SQL_SUCCEEDED(SQLSetConnectAttr(
		    l->dbc, SQL_ATTR_AUTOCOMMIT, number_value(SQL_AUTOCOMMIT_OFF), 0)))
		return odbc_error(l, SQL_HANDLE_DBC, l->dbc, err, "cannot begin a transaction");
	return true;
}

static void
learn_driver(struct odbc_link *l)
{
	SQLUSMALLINT statements = 0;
	char driver[64];

	/* SQLite's driver would lose invalid UTF-8 in a conversion to UTF-16, so fetch bytes. */
	get_text(l, SQL_DRIVER_NAME, driver, sizeof(driver));
	l->bytes = l->encoding || strstr(driver, "sqlite");
	get_text(l, SQL_IDENTIFIER_QUOTE_CHAR, l->quote, sizeof(l->quote));
	if (strcmp(l->quote, " ") == 0)
		l->quote[0] = '\0';
	if (SQL_SUCCEEDED(SQLGetInfo(l->dbc, SQL_MAX_CONCURRENT_ACTIVITIES, &statements,
		    sizeof(statements), NULL)) &&
		statements == 1)
		l->one_statement = true;
}

static bool
open_encoding(struct odbc_link *l, struct error *err)
{
	if (!l->encoding)
		return true;
	/* A name with a slash could end with //IGNORE, which hides errors. */
	if (*l->encoding && !strchr(l->encoding, '/'))
		l->cd = iconv_open("UTF-8", l->encoding);
	if (l->cd != (iconv_t)-1)
		return true;
	error_set(err, ERROR_USAGE, "the encoding '%s' is not known", l->encoding);
	return error_hint(err, "iconv -l lists the names, such as WINDOWS-1252, CP1251");
}

bool
odbc_connect(struct odbc_link *l, const char *connection_string, struct error *err)
{
	l->string = arena_strdup(&l->arena, connection_string);
	l->name = odbc_display_name(&l->arena, connection_string);
	l->cd = (iconv_t)-1;
	if (!open_encoding(l, err))
		return false;
	if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &l->env)) ||
		!SQL_SUCCEEDED(SQLSetEnvAttr(
			l->env, SQL_ATTR_ODBC_VERSION, number_value(SQL_OV_ODBC3), 0)) ||
		!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_DBC, l->env, &l->dbc)))
		return error_set(err, ERROR_INTERNAL, "cannot initialise unixODBC");
	if (!open_connection(l, l->string, err) || !use_cursors(l, err))
		return false;
	learn_driver(l);
	return begin(l, err);
}

void
odbc_disconnect(struct odbc_link *l)
{
	if (l->connected) {
		SQLEndTran(SQL_HANDLE_DBC, l->dbc, SQL_ROLLBACK);
		SQLDisconnect(l->dbc);
	}
	if (l->dbc)
		SQLFreeHandle(SQL_HANDLE_DBC, l->dbc);
	if (l->env)
		SQLFreeHandle(SQL_HANDLE_ENV, l->env);
	if (l->cd != (iconv_t)-1)
		iconv_close(l->cd);
	arena_release(&l->arena);
}

bool
odbc_statement(struct odbc_link *l, SQLHSTMT *stmt, struct error *err)
{
	return SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, l->dbc, stmt)) ||
	       odbc_error(l, SQL_HANDLE_DBC, l->dbc, err, "no statement");
}

const char *
odbc_quote(struct odbc_link *l, const char *name)
{
	if (!l->quote[0])
		return arena_strdup(&l->arena, name);
	return arena_printf(&l->arena, "%c%s%c", l->quote[0], doubled(&l->arena, name, l->quote[0]),
		l->quote[0]);
}
