/* Verifies result sets, and finds rows without a result set. */
#include "store/verify.h"

#include "base/strbuf.h"
#include "checksums.h"
#include "db/sql_array.h"
#include "store_private.h"

enum {
	ARRAYS_MAX_BYTES = 64 * 1024,
};

static struct db_result *
query(struct db *db, int64_t inst_id, const char *relations, const char *checksums,
	struct error *err)
{
	struct db_result *found = store_query_set(db, "store/verify_counts", inst_id, err);
	struct db_result *stream =
		found ? store_query_set(db, "store/stream_labels", inst_id, err) : NULL;
	struct db_result *r = NULL;

	if (stream)
		r = STORE_QUERY(db, "verify_result_set", SQL_STORE_VERIFY_RESULT_SET,
			err, [SQL_STORE_VERIFY_RESULT_SET_INST_ID] = INT64_TEXT(inst_id),
			[SQL_STORE_VERIFY_RESULT_SET_FOUND_RELATIONS] =
				db_result_value(found, 0, 0).data,
			[SQL_STORE_VERIFY_RESULT_SET_FOUND_ROWS] =
				db_result_value(found, 0, 1).data,
			[SQL_STORE_VERIFY_RESULT_SET_FOUND_IDS] = db_result_value(found, 0, 2).data,
			[SQL_STORE_VERIFY_RESULT_SET_FOUND_VALUES] =
				db_result_value(found, 0, 3).data,
			[SQL_STORE_VERIFY_RESULT_SET_STREAM_LABELS] =
				db_result_value(stream, 0, 0).data,
			[SQL_STORE_VERIFY_RESULT_SET_RELATIONS] = relations,
			[SQL_STORE_VERIFY_RESULT_SET_CHECKSUMS] = checksums);
	db_result_free(found);
	db_result_free(stream);
	return r;
}

struct db_result *
result_set_verify(struct db *db, int64_t inst_id, bool deep, struct error *err)
{
	struct db_result *r = NULL;
	struct strbuf names;
	struct strbuf sums;

	if (!deep)
		return query(db, inst_id, NULL, NULL, err);
	strbuf_init(&names, ARRAYS_MAX_BYTES);
	strbuf_init(&sums, ARRAYS_MAX_BYTES);
	if (checksums_list(db, inst_id, &names, &sums, err))
		r = query(db, inst_id, sql_array_end(&names), sql_array_end(&sums), err);
	strbuf_release(&names);
	strbuf_release(&sums);
	return r;
}

bool
result_set_has_checksums(struct db *db, int64_t inst_id, bool *has, struct error *err)
{
	int64_t present;
	bool ok =
		store_int64(store_query_set(db, "store/has_checksums", inst_id, err), 0, &present);

	*has = present;
	return ok;
}

/* Appends a common table expression with the rows whose result set has no row in instances. The names
 * of relations need no quotes, because they are constants. Rows of removed ranges are ignored, because they
 * exist until the tables of the range are dropped. */
static void
append_orphans(struct strbuf *sql)
{
	static const char *const parts[] = {
#define ORPHAN_ROWS(id, name) \
	"SELECT t.inst_id, '" #name "' AS relation, count(*) AS row_count FROM profdepot." #name \
	" t " \
	"WHERE NOT EXISTS (SELECT FROM profdepot.instances i WHERE i.inst_id = t.inst_id) " \
	"AND NOT EXISTS (SELECT FROM profdepot.partitions p WHERE p.removed " \
	"AND t.inst_id >= p.from_inst_id AND t.inst_id < p.to_inst_id) " \
	"GROUP BY t.inst_id UNION ALL ",
		RELATION_TABLE(ORPHAN_ROWS)
#undef ORPHAN_ROWS
	};

	strbuf_append_str(sql, "WITH orphans AS (");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!relation_is_history((enum relation)i))
			strbuf_append_str(sql, parts[i]);
	strbuf_append_str(sql, "SELECT NULL::bigint, NULL, NULL WHERE false) ");
}

struct db_result *
orphans_list(struct db *db, struct error *err)
{
	struct strbuf sql;
	struct db_result *r;

	strbuf_init(&sql, ARRAYS_MAX_BYTES);
	append_orphans(&sql);
	strbuf_append_str(&sql, "SELECT DISTINCT o.inst_id FROM orphans o ORDER BY o.inst_id");
	r = db_query(db, strbuf_str(&sql), NULL, 0, err);
	strbuf_release(&sql);
	return r;
}

struct db_result *
orphans_verify(struct db *db, const char *inst_id, struct error *err)
{
	struct strbuf sql;
	struct db_result *r;

	strbuf_init(&sql, ARRAYS_MAX_BYTES);
	append_orphans(&sql);
	strbuf_append_str(&sql,
		"SELECT o.relation, 'orphans', NULL, NULL, NULL, '0', o.row_count::text "
		"FROM orphans o WHERE o.inst_id IS NOT DISTINCT FROM $1::bigint ORDER BY 1");
	r = db_query(db, strbuf_str(&sql), &inst_id, 1, err);
	strbuf_release(&sql);
	return r;
}
