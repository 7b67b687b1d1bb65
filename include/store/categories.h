/*
 * The catalogue of event categories, see model/category.h.
 */
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

/* A row a column, by category and position. NULL on error. */
struct db_result *categories_query(struct db *db, struct error *err);

/* All of them, by name; in the arena. NULL on error. */
const struct category_list *categories_read(struct arena *a, struct db *db, struct error *err);

/* Declares a category and makes its view. ERROR_USAGE when a name or the
 * columns will not do, or the depot has a relation of that name. */
bool categories_add(struct db *db, const struct category *c, struct error *err);

/* ERROR_NOT_FOUND when it was not declared, ERROR_USAGE while events of it
 * are in the depot. */
bool categories_remove(struct db *db, const char *name, struct error *err);

#endif
