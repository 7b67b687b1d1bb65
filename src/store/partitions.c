/* Partitions the large relations of a depot. */
#include "store/partitions.h"

#include "base/number.h"
#include "base/progress.h"
#include "db/sql_array.h"
#include "db/watch.h"
#include "relations.h"
#include "store_private.h"

#include <stdio.h>
#include <stdlib.h>
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

/* The progress of partition_depot, which sends a message before it converts a relation. */
struct conversion {
	struct progress meter;
	char what[120]; /* the relation */
	int64_t done, total;
};

static void
show(void *self)
{
	struct conversion *c = self;

	progress_update(&c->meter, c->done, c->total);
}

/* `detail` is "DONE of TOTAL bytes". */
static void
begin_relation(void *self, const char *text, const char *detail)
{
	struct conversion *c = self;
	char *end;

	snprintf(c->what, sizeof(c->what), "%s", text);
	c->done = strtoll(detail, &end, 10);
	c->total = strncmp(end, " of ", 4) == 0 ? strtoll(end + 4, NULL, 10) : 0;
	show(self);
}

bool
partitions_make(struct db *db, int64_t size, bool progress, struct error *err)
{
	struct conversion c = { .done = 0 };
	const struct db_watch watch = { .tick = show, .message = begin_relation, .self = &c };
	struct strbuf names;
	int64_t count;
	const char *relations = large_relations(&names, &count);
	bool ok;

	progress_begin(&c.meter, c.what, progress, false);
	ok = db_done(db_query_watched(db, store_sql("store/partition"),
		SQL_VALUES(SQL_STORE_PARTITION, [SQL_STORE_PARTITION_RELATIONS] = relations,
			[SQL_STORE_PARTITION_SIZE] = INT64_TEXT(size)),
		SQL_STORE_PARTITION_PARAMS, &watch, err));
	progress_end(&c.meter);
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
