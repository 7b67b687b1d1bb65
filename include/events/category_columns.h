/* The columns of a category that a user declares. */
#ifndef PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H
#define PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/category.h"

/* Sets c's columns, in the arena: hostname and time first unless they are named, and display names
 * where they are NULL. ERROR_USAGE if a column is named twice or there are too many. */
bool category_complete(struct arena *a, const struct category_column *named, size_t count,
	struct category *c, struct error *err);

#endif
