/* profdepot sql: psql on the depot. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "db/client.h"

#include <string.h>

/* Returns whether psql uses the argument after this option as the option's value. The list contains the
 * options of psql 17 that have a value. */
static bool
wants_value(const char *arg)
{
	static const char *const names[] = { "command", "dbname", "field-separator", "file", "host",
		"log-file", "output", "port", "pset", "record-separator", "set", "table-attr",
		"username", "variable" };
	size_t size = strlen(arg);

	if (arg[0] != '-' || size < 2)
		return false;
	if (arg[1] != '-')
		return strchr("cdfFhLopPRTUv", arg[size - 1]) != NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (size > 2 && strncmp(names[i], arg + 2, size - 2) == 0)
			return true;
	return false;
}

/* Returns whether the argument looks like a statement: a blank and further text follow its first word. If this
 * further text begins with "=", the argument is a connection string. */
static bool
is_statement(const char *arg)
{
	const char *end = arg + strspn(arg, " \t\n(");
	const char *rest;

	end += strcspn(end, " \t\n=:-");
	rest = end + strspn(end, " \t\n");
	return arg[0] != '-' && rest > end && *rest && *rest != '=';
}

/* Rejects an argument that looks like a statement, because psql would interpret it as a database name. */
static bool
check_arguments(const struct option_list *args, struct error *err)
{
	for (size_t i = 0; i < args->count; i++) {
		const char *arg = args->items[i];

		if (!is_statement(arg) || (i > 0 && wants_value(args->items[i - 1])))
			continue;
		error_set(err, ERROR_USAGE, "sql: psql would take \"%.60s%s\" as a database name",
			arg, strlen(arg) > 60 ? "..." : "");
		return error_hint(err, "pass a statement with -c: profdepot sql -c \"SELECT ...\"");
	}
	return true;
}

static int
run(struct command_call *call, struct error *err)
{
	struct db *db = check_arguments(&call->operands, err)
				? depot_open(call, DB_ROLE_READER, err)
				: NULL;

	if (db)
		client_become_psql(db, call->operands.items, call->operands.count, err);
	return -1;
}

const struct command command_sql = {
	.name = "sql",
	.operands = "[PSQL-OPTION...]",
	.summary = "run psql on the depot as the reader",
	.description =
		"Runs psql as profdepot_reader, with the arguments that follow, on the depot that --db "
		"or the environment names. This role can read everything and change nothing. Unqualified "
		"names resolve in the depot, so a query written for AQTime's tables runs unchanged.\n\n"
		"If the login cannot become profdepot_reader on a server, psql runs with the login's own "
		"rights.",
	.run = run,
	.passes_through = true,
};
