/* profdepot sql: psql on the depot. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "db/client.h"

static int
run(struct command_call *call, struct error *err)
{
	struct db *db = depot_open(call, DB_ROLE_READER, err);

	if (db)
		client_become_psql(db, call->operands.items, call->operands.count, err);
	return -1;
}

const struct command command_sql = {
	.name = "sql",
	.operands = "[PSQL-OPTION...]",
	.summary = "open psql on the depot, as the reader",
	.description =
		"Runs psql with the arguments that follow, on the depot that --db and the environment "
		"mean, as profdepot_reader: it can look at everything and change nothing. Unqualified "
		"names resolve in the depot, so that a query written for AQTime's tables runs as it "
		"is.\n\n"
		"On a server where the login cannot become profdepot_reader, the login's own rights "
		"hold.",
	.run = run,
	.passes_through = true,
};
