/* Decides which columns of a relation belong in the tables that profdepot adds to an AQTime
 * export. */
#include "model/row_tables.h"

static const char *const aqtimes_keys[] = { "parent_id", "rec_id", "stack_first_id", "stack_id" };

enum {
	AQTIMES_KEYS = sizeof(aqtimes_keys) / sizeof(aqtimes_keys[0])
};

bool
row_table_is_aqtimes(const struct row_table *t)
{
	return text_begins(text_from(t->relation), "resource_profiler_");
}

bool
row_column_is_own(const struct row_table *t, const struct row_column *c)
{
	struct text name = text_from(c->name);

	return !row_table_is_aqtimes(t) ||
	       (!text_begins(name, "col_") &&
		       text_among(name, aqtimes_keys, AQTIMES_KEYS) == AQTIMES_KEYS);
}

void
row_copy_own(const struct row_table *t, const void *from, void *to)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct row_column *c = &t->columns[i];

		if (row_column_is_own(t, c))
			memcpy((char *)to + c->offset, (const char *)from + c->offset, c->size);
	}
}
