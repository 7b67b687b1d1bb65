/* The event category catalogue, see model/category.h. */
#ifndef PROFDEPOT_STORE_CATEGORIES_H
#define PROFDEPOT_STORE_CATEGORIES_H

#include "base/arena.h"
#include "db/connection.h"
#include "model/category.h"

enum category_row {
	CATEGORY_ROW_NAME,
	CATEGORY_ROW_COLUMN,
	CATEGORY_ROW_TYPE,
	CATEGORY_ROW_PRETTY_NAME,
	CATEGORY_ROW_BUILT_IN /* 1 or 0 */
};

/* One row per column, sorted by category and position. NULL on error. */
struct db_result *categories_query(struct db *db, struct error *err);

/* All categories, sorted by name. The list is in the arena. NULL on error. */
const struct category_list *categories_read(struct arena *a, struct db *db, struct error *err);

/* Declares a category and creates its view. Fails with ERROR_USAGE if a name or the columns are
 * invalid, or if the depot has a relation with that name. */
bool categories_add(struct db *db, const struct category *c, struct error *err);

/* Removes a category. Fails with ERROR_NOT_FOUND if the category was not declared, and with
 * ERROR_USAGE if the depot has events of the category. */
bool categories_remove(struct db *db, const char *name, struct error *err);

#endif
