/* Reads and changes the depot's budgets. */
#include "store/budgets.h"

#include "base/number.h"
#include "store_private.h"

struct db_result *
budgets_list(struct db *db, const char *application, struct error *err)
{
	return STORE_QUERY(db, "budgets_list", SQL_STORE_BUDGETS_LIST,
		err, [SQL_STORE_BUDGETS_LIST_APPLICATION] = application);
}

static bool
add(struct db *db, const struct stored_budgets *b, int64_t *version, struct error *err)
{
	return store_int64(STORE_QUERY(db, "budgets_add", SQL_STORE_BUDGETS_ADD,
				   err, [SQL_STORE_BUDGETS_ADD_APPLICATION] = b->application,
				   [SQL_STORE_BUDGETS_ADD_AUTHOR] = b->author,
				   [SQL_STORE_BUDGETS_ADD_DOCUMENT] = b->document),
		0, version);
}

static bool
change(struct db *db, const struct stored_budgets *b, int64_t replaced, int64_t *version,
	struct error *err)
{
	const char *old = replaced == BUDGETS_ANY_VERSION ? NULL : INT64_TEXT(replaced);

	return store_int64(STORE_QUERY(db, "budgets_change", SQL_STORE_BUDGETS_CHANGE,
				   err, [SQL_STORE_BUDGETS_CHANGE_APPLICATION] = b->application,
				   [SQL_STORE_BUDGETS_CHANGE_AUTHOR] = b->author,
				   [SQL_STORE_BUDGETS_CHANGE_DOCUMENT] = b->document,
				   [SQL_STORE_BUDGETS_CHANGE_VERSION] = old),
		0, version);
}

bool
budgets_store(struct db *db, const struct stored_budgets *b, int64_t replaced, int64_t *version,
	struct error *err)
{
	if (replaced == BUDGETS_NO_VERSION)
		return add(db, b, version, err);
	if (!change(db, b, replaced, version, err))
		return false;
	if (*version || replaced != BUDGETS_ANY_VERSION)
		return true;
	/* If another client has added budgets in the meantime, these are replaced. */
	return add(db, b, version, err) && (*version || change(db, b, replaced, version, err));
}

bool
budgets_missing(const char *application, struct error *err)
{
	if (*application)
		error_set(err, ERROR_NOT_FOUND,
			"the depot has no budgets for the application %.200s", application);
	else
		error_set(err, ERROR_NOT_FOUND,
			"the depot has no budgets for applications without budgets of their own");
	return error_hint(err, "\"profdepot budget list\" shows the budgets");
}

bool
budgets_remove(struct db *db, const char *application, struct error *err)
{
	int64_t version;

	if (!store_int64(STORE_QUERY(db, "budgets_remove", SQL_STORE_BUDGETS_REMOVE,
				 err, [SQL_STORE_BUDGETS_REMOVE_APPLICATION] = application),
		    0, &version))
		return false;
	return version || budgets_missing(application, err);
}

bool
budgets_of_set(struct db *db, struct arena *a, int64_t inst_id, const char **application,
	struct text *document, struct error *err)
{
	struct db_result *r = store_query_set(db, "store/budgets_of_set", inst_id, err);

	*application = "";
	*document = TEXT_NULL;
	if (r && db_result_rows(r) && !text_is_null(db_result_value(r, 0, 0)))
		*application = arena_text(a, db_result_value(r, 0, 0)).data;
	if (r && db_result_rows(r) && !text_is_null(db_result_value(r, 0, 1)))
		*document = arena_text(a, db_result_value(r, 0, 1));
	return db_done(r);
}
