/* Another connection with the parameters of an open one. */
#include "db_private.h"

#include <string.h>

enum {
	OPTIONS_MAX = 100
};

/* Returns true if the option belongs to the address of the open connection. A service can contain an address. */
static bool
is_address(const char *keyword)
{
	static const char *const names[] = { "host", "hostaddr", "port", "service" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(keyword, names[i]) == 0)
			return true;
	return false;
}

/* libpq applies the connection string in the first "dbname" before the other parameters. An empty hostaddr
 * prevents PGHOSTADDR and a service from replacing the host. */
PGconn *
db_connect_again(PGconn *conn, const char *host, const char *port)
{
	PQconninfoOption *all = PQconninfo(conn);
	const char *keywords[OPTIONS_MAX + 4] = { NULL };
	const char *values[OPTIONS_MAX + 4] = { NULL };
	PGconn *other;
	size_t n = 0;

	if (host) {
		keywords[n] = "dbname";
		values[n++] = "hostaddr=''";
		keywords[n] = "host";
		values[n++] = host;
		keywords[n] = "port";
		values[n++] = port;
	}
	for (const PQconninfoOption *o = all; o && o->keyword && n + 1 < OPTIONS_MAX; o++)
		if (o->val && !(host && is_address(o->keyword))) {
			keywords[n] = o->keyword;
			values[n++] = o->val;
		}
	other = PQconnectdbParams(keywords, values, host != NULL);
	PQconninfoFree(all);
	return other;
}
