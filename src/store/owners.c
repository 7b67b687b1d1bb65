/* Reads and adds versions of the CODEOWNERS file. */
#include "store/owners.h"

#include "store_private.h"

bool
owners_load(
	struct db *db, struct arena *a, int64_t ledger_no, struct text *content, struct error *err)
{
	const char *number = ledger_no ? arena_printf(a, "%lld", (long long)ledger_no) : NULL;
	struct db_result *r = STORE_QUERY(db, "owners_load", SQL_STORE_OWNERS_LOAD,
		err, [SQL_STORE_OWNERS_LOAD_LEDGER_NO] = number);

	*content = TEXT_NULL;
	if (r && db_result_rows(r) && db_result_value(r, 0, 0).size)
		*content = arena_text(a, db_result_value(r, 0, 0));
	return db_done(r);
}

bool
owners_store(struct db *db, const char *author, const char *content, int64_t *ledger_no,
	struct error *err)
{
	return store_int64(STORE_QUERY(db, "owners_store", SQL_STORE_OWNERS_STORE,
				   err, [SQL_STORE_OWNERS_STORE_AUTHOR] = author,
				   [SQL_STORE_OWNERS_STORE_CONTENT] = content),
		0, ledger_no);
}
