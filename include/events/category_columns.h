/* The columns of a user-declared category. */
#ifndef PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H
#define PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/category.h"

/* Copies the named columns into c, in the arena. Puts hostname and time first if they are missing,
 * and fills in NULL display names. Fails with ERROR_USAGE if a column is repeated or there are too
 * many columns. */
bool category_complete(struct arena *a, const struct category_column *named, size_t count,
	struct category *c, struct error *err);

#endif
