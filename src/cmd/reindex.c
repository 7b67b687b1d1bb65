/* profdepot reindex: closes result sets that SQL changed. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

static bool
reindex_all(struct command_call *call, struct db *db, const int64_t *inst_ids, struct error *err)
{
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
	int64_t *inst_ids;
	struct db *db;
	bool ok;

	if (!depot_inst_ids(call, 1, &inst_ids, err))
		return -1;
	db = depot_open(call, DB_ROLE_LOADER, err);
	if (!db)
		return -1;
	ok = reindex_all(call, db, inst_ids, err);
	db_close(db);
	return ok ? 0 : -1;
}

const struct command command_reindex = {
	.name = "reindex",
	.operands = "INST_ID...",
	.summary = "close result sets that SQL wrote or changed",
	.description =
		"Recomputes the stack identities, totals, call trees and counts of result sets from their "
		"rows, and closes the result sets. Run it after SQL has written or changed rows. Until "
		"then reports read the rows themselves: their answers are correct, but slower. Each "
		"result set is closed in its own transaction.",
	.run = reindex_run,
};
