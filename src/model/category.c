/* Looks up event categories, their types and their columns. */
#include "model/category.h"

static const char *const type_names[] = {
#define CATEGORY_NAME(type, name, meaning) name,
	CATEGORY_TYPE_TABLE(CATEGORY_NAME)
#undef CATEGORY_NAME
};

const char *
category_type_name(enum category_type type)
{
	return type_names[type];
}

enum category_type
category_type_find(struct text name)
{
	int type = 0;

	while (type < CATEGORY_TYPES && !text_equal(name, text_from(type_names[type])))
		type++;
	return (enum category_type)type;
}

const struct category *
category_find(const struct category_list *list, struct text name)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (text_equal(list->items[i].name, name))
			return &list->items[i];
	return NULL;
}

size_t
category_column_find(const struct category *c, struct text name)
{
	size_t i = 0;

	while (i < c->column_count && !text_equal(c->columns[i].name, name))
		i++;
	return i;
}

size_t
category_first_of(const struct category *c, enum category_type type)
{
	size_t i = 0;

	while (i < c->column_count && c->columns[i].type != type)
		i++;
	return i;
}
