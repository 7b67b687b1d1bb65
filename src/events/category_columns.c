/* Completes a user-declared category. */
#include "events/category_columns.h"

/* Makes a display name: "wait_us" becomes "Wait us". */
static struct text
pretty_from(struct arena *a, struct text name)
{
	char *s = arena_strndup(a, name.data, name.size);

	if (*s >= 'a' && *s <= 'z')
		*s = (char)(*s - 'a' + 'A');
	for (char *p = s; *p; p++)
		if (*p == '_')
			*p = ' ';
	return text_from(s);
}

static void
take(struct arena *a, struct category *c, struct category_column *all, struct category_column one)
{
	if (!one.pretty_name.data)
		one.pretty_name = pretty_from(a, one.name);
	all[c->column_count++] = one;
}

bool
category_complete(struct arena *a, const struct category_column *named, size_t count,
	struct category *c, struct error *err)
{
	const struct category_column of_batch[] = {
		{ text_from("hostname"), text_from("Hostname"), CATEGORY_STRING },
		{ text_from("time"), text_from("Time"), CATEGORY_TIMESTAMP },
	};
	const struct category given = { .columns = named, .column_count = count };
	struct category_column *all = arena_alloc_array(a, count + 2, sizeof(*all));

	c->columns = all;
	c->column_count = 0;
	for (size_t i = 0; i < 2; i++)
		if (category_column_find(&given, of_batch[i].name) == count)
			take(a, c, all, of_batch[i]);
	for (size_t i = 0; i < count; i++) {
		if (category_column_find(&given, named[i].name) < i)
			return error_set(err, ERROR_USAGE, "column \"%.*s\" is declared twice",
				text_precision(named[i].name, 100), named[i].name.data);
		take(a, c, all, named[i]);
	}
	if (c->column_count > CATEGORY_COLUMNS_MAX)
		return error_set(err, ERROR_USAGE, "a category has at most %d columns",
			(int)CATEGORY_COLUMNS_MAX);
	return true;
}
