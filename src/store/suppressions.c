#include "store/suppressions.h"

#include "base/number.h"
#include "base/strbuf.h"
#include "store_private.h"

struct db_result *
suppressions_query(struct db *db, struct error *err)
{
	return db_query(db, store_sql("store/suppressions"), NULL, 0, err);
}

struct db_result *
suppressions_own(struct db *db, int64_t inst_id, struct error *err)
{
	return store_query_set(db, "store/suppress_own", inst_id, err);
}

struct db_result *
suppressions_used(struct db *db, int64_t inst_id, struct error *err)
{
	return store_query_set(db, "store/suppress_used", inst_id, err);
}

bool
suppressions_add(struct db *db, const struct stored_suppression *s, int64_t *id, bool *is_new,
	struct error *err)
{
	const char *params[] = { s->name, s->syntax, s->pattern, s->reason, s->author, s->expires };
	struct db_result *r = db_query(db, store_sql("store/suppression_add"), params, 6, err);
	struct number n;

	if (!r) {
		/* Text that is no date, or a day that no calendar has. */
		if (strcmp(err->sqlstate, "22007") == 0 || strcmp(err->sqlstate, "22008") == 0) {
			error_set(err, ERROR_USAGE, "option --expires: \"%.100s\" is no day",
				s->expires);
			return error_hint(err, "write it as 2026-12-31");
		}
		return false;
	}
	if (db_result_rows(r) != 1 || number_parse(db_result_value(r, 0, 0), &n) != NUMBER_OK ||
		!number_to_int64(n, id)) {
		db_result_free(r);
		return error_set(err, ERROR_INTERNAL, "a suppression without number");
	}
	*is_new = text_equal(db_result_value(r, 0, 1), TEXT_LITERAL("1"));
	db_result_free(r);
	return true;
}

static bool
is_among(struct db_result *r, int64_t id)
{
	struct number n;
	int64_t v;

	for (size_t i = 0; i < db_result_rows(r); i++)
		if (number_parse(db_result_value(r, i, 0), &n) == NUMBER_OK &&
			number_to_int64(n, &v) && v == id)
			return true;
	return false;
}

bool
suppressions_remove(struct db *db, const int64_t *ids, size_t count, struct error *err)
{
	struct db_result *r;
	bool ok = true;

	if (!db_begin(db, err))
		return false;
	r = store_query_sets(db, "store/suppression_remove", ids, count, err);
	for (size_t i = 0; r && ok && i < count; i++) {
		ok = is_among(r, ids[i]);
		if (!ok) {
			error_set(err, ERROR_NOT_FOUND, "the depot has no suppression %lld",
				(long long)ids[i]);
			error_hint(err, "\"profdepot suppress list\" shows them");
		}
	}
	ok = r && ok && db_commit(db, err);
	if (!ok)
		db_rollback(db);
	db_result_free(r);
	return ok;
}

bool
suppressed_objects(
	struct db *db, const char *const params[3], db_row_fn *each, void *self, struct error *err)
{
	return db_query_each(db, store_sql("store/suppressed_objects"), params, 3, each, self, err);
}
