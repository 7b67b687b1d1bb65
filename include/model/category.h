/*
 * Event categories. A category defines the columns of its rows.
 *
 * Every category has the columns hostname (string) and time (timestamp). All rows of a batch have
 * the same hostname and the same time. Readers have no access to the depot, so they receive a list
 * of categories.
 */
#ifndef PROFDEPOT_MODEL_CATEGORY_H
#define PROFDEPOT_MODEL_CATEGORY_H

#include "base/text.h"

#include <stddef.h>

/* type, name in the catalogue and in kernelscope's API, meaning */
#define CATEGORY_TYPE_TABLE(X) \
	X(CATEGORY_STRING, "string", "text") \
	X(CATEGORY_TIMESTAMP, "timestamp", "a date and a time of day without a zone") \
	X(CATEGORY_INT, "int", "a 64-bit integer") \
	X(CATEGORY_STACK, "stack", "frames joined by semicolons, innermost first") \
	X(CATEGORY_ELAPSED, "elapsed", "microseconds, a 64-bit integer")

enum category_type {
#define CATEGORY_ENUM(type, name, meaning) type,
	CATEGORY_TYPE_TABLE(CATEGORY_ENUM)
#undef CATEGORY_ENUM
	CATEGORY_TYPES
};

enum {
	CATEGORY_NAME_MAX = 41,   /* maximum bytes of a category's or column's name */
	CATEGORY_COLUMNS_MAX = 64 /* maximum columns per category */
};

struct category_column {
	struct text name;
	struct text pretty_name;
	enum category_type type;
};

struct category {
	struct text name;
	const struct category_column *columns;
	size_t column_count;
	bool built_in;
};

struct category_list {
	const struct category *items;
	size_t count;
};

/* Returns whether the type is a 64-bit integer. */
static inline bool
category_type_is_whole(enum category_type type)
{
	return type == CATEGORY_INT || type == CATEGORY_ELAPSED;
}

const char *category_type_name(enum category_type type);

/* Returns CATEGORY_TYPES if no type has this name. */
enum category_type category_type_find(struct text name);

/* Returns NULL if no category has this name; list may be NULL. */
const struct category *category_find(const struct category_list *list, struct text name);

/* Returns the index of the column; column_count if it is absent. */
size_t category_column_find(const struct category *c, struct text name);

/* Returns the index of the first column of that type; column_count if there is no such column. */
size_t category_first_of(const struct category *c, enum category_type type);

#endif
