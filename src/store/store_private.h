/* Shared by the files of the store. */
#ifndef PROFDEPOT_SRC_STORE_PRIVATE_H
#define PROFDEPOT_SRC_STORE_PRIVATE_H

#include "base/sql_file.h"
#include "base/strbuf.h"
#include "db/connection.h"

#include <assert.h>

/* Returns the text of src/store/sql/NAME.sql. The argument is "store/NAME". */
static inline const char *
store_sql(const char *name)
{
	const struct sql_file *file = sql_file_find(name);

	assert(file);
	return file->text;
}

/* Runs a statement of the store. Values are assigned by parameter name, as in STORE_QUERY(db, "set_caption",
 * SQL_STORE_SET_CAPTION, err, [SQL_STORE_SET_CAPTION_INST_ID] = digits, ...). */
#define STORE_QUERY(db, name, FILE, err, ...) \
	db_query(db, store_sql("store/" name), SQL_VALUES(FILE, __VA_ARGS__), FILE##_PARAMS, err)

/* Lists of streams count at most this number of result sets and runs, so that their cost does not grow with the depot. */
enum {
	STREAM_MAX_COUNT = 1000,
};

struct arena;
struct option_list;

/* The parameters of a statement that searches by labels. */
struct label_search {
	const char *labels; /* array of "key=value", without repetitions */
	/* If at most max_sets result sets have one of the labels: array of these result sets. Otherwise NULL. */
	const char *inst_ids;
	/* The conditions that remain for inst_ids: array like `labels`, without this label if inst_ids is not NULL. */
	const char *rest;
};

enum {
	/* max_sets of a search that ends after a few result sets. It soon finds them if more result sets have the label. */
	LABEL_FEW_SETS = 2000,
	/* max_sets of a search for all result sets with the labels */
	LABEL_ALL_SETS = 100 * 1000,
};

/* Fills *search from labels that the user wrote. The texts of *search are in the arena. */
bool label_search(struct db *db, struct arena *a, const struct option_list *labels,
	int64_t max_sets, struct label_search *search, struct error *err);

/* Like db_done, but also reads the first row's first column as an integer. *value is `otherwise` if
 * there is no row or the column is NULL. */
bool store_int64(struct db_result *r, int64_t otherwise, int64_t *value);

/* These functions run a statement whose only parameter is an INST_ID, and pass each row of the result to
 * `each`. */
bool store_each(struct db *db, const char *name, int64_t inst_id, db_row_fn *each, void *self,
	struct error *err);
bool store_each_binary(struct db *db, const char *name, int64_t inst_id, db_row_fn *each,
	void *self, struct error *err);

/* Runs a statement whose only parameter is an INST_ID. */
struct db_result *store_query_set(
	struct db *db, const char *name, int64_t inst_id, struct error *err);
/* Turns the server's error about an invalid value into a usage error, because the user wrote the value. */
void store_blame_user(struct error *err);
/* Writes INST_IDs as the text of an array into an empty buffer. */
const char *store_ids(struct strbuf *b, const int64_t *ids, size_t count);
/* Runs a statement whose only parameter is an array of INST_IDs. */
struct db_result *store_query_sets(
	struct db *db, const char *name, const int64_t *inst_ids, size_t count, struct error *err);

#endif
