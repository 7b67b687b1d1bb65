/* Partitions the large relations of a depot. */
#include "store/partitions.h"

#include "base/number.h"
#include "db/sql_array.h"
#include "relations.h"
#include "store_private.h"

#include <string.h>

enum {
	NAMES_MAX_BYTES = 4096,
};

static const char *
large_relations(struct strbuf *names, int64_t *count)
{
	*count = 0;
	strbuf_init(names, NAMES_MAX_BYTES);
	for (int r = 0; r < RELATIONS_WRITTEN; r++)
		if (relation_is_large((enum relation)r)) {
			sql_array_text(names, text_from(store_relations[r].name));
			*count += 1;
		}
	return sql_array_end(names);
}

bool
partitions_inspect(struct db *db, int64_t size, struct partition_info *info, struct error *err)
{
	struct strbuf names;
	const char *relations = large_relations(&names, &info->relation_count);
	struct db_result *r = STORE_QUERY(db, "partition_info", SQL_STORE_PARTITION_INFO,
		err, [SQL_STORE_PARTITION_INFO_RELATIONS] = relations,
		[SQL_STORE_PARTITION_INFO_SIZE] = INT64_TEXT(size));

	strbuf_release(&names);
	if (!r)
		return false;
	info->size = db_result_int64(r, 0, 0, 0);
	info->ranges = db_result_int64(r, 0, 1, 0);
	info->first_end = db_result_int64(r, 0, 2, 0);
	info->bytes = db_result_int64(r, 0, 3, 0);
	db_result_free(r);
	return true;
}

bool
partitions_make(struct db *db, int64_t size, struct error *err)
{
	struct strbuf names;
	int64_t count;
	const char *relations = large_relations(&names, &count);
	bool ok = db_done(STORE_QUERY(db, "partition", SQL_STORE_PARTITION,
		err, [SQL_STORE_PARTITION_RELATIONS] = relations,
		[SQL_STORE_PARTITION_SIZE] = INT64_TEXT(size)));

	strbuf_release(&names);
	if (ok || strcmp(err->sqlstate, "55P03") != 0)
		return ok;
	error_set(err, ERROR_DATABASE,
		"cannot partition the depot: other sessions are using its relations");
	return error_hint(err, "run the command again when no load or report is running");
}

struct db_result *
partitions_removal_order(struct db *db, const struct db_result *listed, struct error *err)
{
	const size_t count = db_result_rows(listed);
	struct arena a = ARENA_INIT;
	int64_t *inst_ids = arena_alloc_array(&a, count, sizeof(*inst_ids));
	struct db_result *r;

	for (size_t i = 0; i < count; i++)
		inst_ids[i] = db_result_int64(listed, i, RESULT_SET_INST_ID, 0);
	r = store_query_sets(db, "store/removal_order", inst_ids, count, err);
	arena_release(&a);
	return r;
}
