/* Queries and changes suppressions. */
#include "store/suppressions.h"

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
	struct db_result *r = STORE_QUERY(db, "suppression_add", SQL_STORE_SUPPRESSION_ADD,
		err, [SQL_STORE_SUPPRESSION_ADD_NAME] = s->name,
		[SQL_STORE_SUPPRESSION_ADD_SYNTAX] = s->syntax,
		[SQL_STORE_SUPPRESSION_ADD_PATTERN] = s->pattern,
		[SQL_STORE_SUPPRESSION_ADD_REASON] = s->reason,
		[SQL_STORE_SUPPRESSION_ADD_AUTHOR] = s->author,
		[SQL_STORE_SUPPRESSION_ADD_EXPIRES] = s->expires);

	if (!r) {
		/* 22007: invalid date; 22008: a day that does not exist. */
		if (strcmp(err->sqlstate, "22007") == 0 || strcmp(err->sqlstate, "22008") == 0) {
			error_set(err, ERROR_USAGE, "option --expires: \"%.100s\" is not a date",
				s->expires);
			return error_hint(err, "write it as 2026-12-31");
		}
		return false;
	}
	*id = db_result_int64(r, 0, 0, 0);
	*is_new = text_equal(db_result_value(r, 0, 1), TEXT_LITERAL("1"));
	db_result_free(r);
	return true;
}

static bool
is_among(struct db_result *r, int64_t id)
{
	for (size_t i = 0; i < db_result_rows(r); i++)
		if (db_result_int64(r, i, 0, 0) == id)
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
suppressed_objects(struct db *db, const char *inst_id, const char *stacks, const char *kinds,
	db_row_fn *each, void *self, struct error *err)
{
	return db_query_each(db, store_sql("store/suppressed_objects"),
		SQL_VALUES(SQL_STORE_SUPPRESSED_OBJECTS,
			[SQL_STORE_SUPPRESSED_OBJECTS_INST_ID] = inst_id,
			[SQL_STORE_SUPPRESSED_OBJECTS_STACKS] = stacks,
			[SQL_STORE_SUPPRESSED_OBJECTS_KINDS] = kinds),
		SQL_STORE_SUPPRESSED_OBJECTS_PARAMS, each, self, err);
}
