/* Queries whose only parameter is an INST_ID or an array of INST_IDs. */
#include "base/number.h"
#include "db/sql_array.h"
#include "store_private.h"

#include <string.h>

enum {
	IDS_MAX_BYTES = 1024 * 1024,
};

struct db_result *
store_query_set(struct db *db, const char *name, int64_t inst_id, struct error *err)
{
	return db_query(db, store_sql(name), (const char *[]){ INT64_TEXT(inst_id) }, 1, err);
}

bool
store_int64(struct db_result *r, int64_t otherwise, int64_t *value)
{
	*value = r && db_result_rows(r) ? db_result_int64(r, 0, 0, otherwise) : otherwise;
	return db_done(r);
}

bool
store_each(struct db *db, const char *name, int64_t inst_id, db_row_fn *each, void *self,
	struct error *err)
{
	return db_query_each(
		db, store_sql(name), (const char *[]){ INT64_TEXT(inst_id) }, 1, each, self, err);
}

bool
store_each_binary(struct db *db, const char *name, int64_t inst_id, db_row_fn *each, void *self,
	struct error *err)
{
	return db_query_each_binary(
		db, store_sql(name), (const char *[]){ INT64_TEXT(inst_id) }, 1, each, self, err);
}

const char *
store_ids(struct strbuf *b, const int64_t *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sql_array_int(b, ids[i]);
	return sql_array_end(b);
}

struct db_result *
store_query_sets(
	struct db *db, const char *name, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct strbuf ids;
	struct db_result *r;

	strbuf_init(&ids, IDS_MAX_BYTES);
	r = db_query(
		db, store_sql(name), (const char *[]){ store_ids(&ids, inst_ids, count) }, 1, err);
	strbuf_release(&ids);
	return r;
}

void
store_blame_user(struct error *err)
{
	if (strncmp(err->sqlstate, "22", 2) == 0)
		err->code = ERROR_USAGE;
}
