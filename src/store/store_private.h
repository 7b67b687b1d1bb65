/*
 * What the files of the store share and nobody else sees.
 */
#ifndef PROFDEPOT_SRC_STORE_PRIVATE_H
#define PROFDEPOT_SRC_STORE_PRIVATE_H

#include "base/sql_file.h"
#include "db/connection.h"

#include <assert.h>

/* Text of src/store/sql/NAME.sql, called as "store/NAME". */
static inline const char *
store_sql(const char *name)
{
	const struct sql_file *file = sql_file_find(name);

	assert(file);
	return file->text;
}

/* A statement of the store with a result set's number as its only parameter. */
struct db_result *store_query_set(
	struct db *db, const char *name, int64_t inst_id, struct error *err);
/* One with an array of them. */
struct db_result *store_query_sets(
	struct db *db, const char *name, const int64_t *inst_ids, size_t count, struct error *err);

#endif
