/* profdepot reindex: closes result sets that were changed with SQL. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

static bool
reindex_all(struct command_call *call, struct db *db, struct error *err)
{
	const int64_t *inst_ids = *(int64_t **)call->target;

	for (size_t i = 0; i < call->operands.count; i++) {
		if (!result_set_reindex(db, inst_ids[i], err))
			return false;
		fprintf(call->out, "result set %lld is closed\n", (long long)inst_ids[i]);
	}
	return true;
}

static int
reindex_run(struct command_call *call, struct error *err)
{
	if (!depot_inst_ids(call, 1, call->target, err))
		return -1;
	return depot_run(call, DB_ROLE_LOADER, reindex_all, err);
}

const struct command command_reindex = {
	.name = "reindex",
	.operands = "INST_ID...",
	.summary = "close result sets that were written or changed with SQL",
	.description =
		"Recomputes the stack identities, totals, call trees and counts of result sets from "
		"their rows, and closes the result sets. Run it after you have written or changed rows with SQL. "
		"Until then reports are correct, but slower, because they read the rows themselves. "
		"Each result set is closed in its own transaction.",
	.target_size = sizeof(int64_t *),
	.run = reindex_run,
};
