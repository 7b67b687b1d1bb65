/* The columns of a user-declared category. */
#ifndef PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H
#define PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/category.h"

/* Copies the columns `named` into c, in the arena. If hostname or time is missing, adds it before the other
 * columns. If a column has no display name, derives it from the column's name. Fails with ERROR_USAGE if a
 * column is repeated or there are too many columns. */
bool category_complete(struct arena *a, const struct category_column *named, size_t count,
	struct category *c, struct error *err);

#endif
