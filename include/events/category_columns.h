/*
 * The columns of a category that somebody declares.
 */
#ifndef PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H
#define PROFDEPOT_EVENTS_CATEGORY_COLUMNS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/category.h"

/* Sets c's columns, in the arena: the batch's two first where they are not named, names for
 * people where they are NULL. ERROR_USAGE for a column that is named twice, and too many. */
bool category_complete(struct arena *a, const struct category_column *named, size_t count,
	struct category *c, struct error *err);

#endif
