/* The names of the kinds of stack owners, and of the units and kinds of columns. */
#include "model/rows.h"
#include "model/table.h"

const char *const table_unit_names[] = { "none", "count", "bytes", "percent", "hex", "id",
	"seconds", "milliseconds", "microseconds", "nanoseconds" };

const char *const table_kind_names[] = { "text", "integer", "decimal", "bool", "time", "frames",
	"stacks", "labels" };

const char *
table_column_unit(const struct table_column *c)
{
	return c->unit == TABLE_UNIT_NONE && c->unit_name ? c->unit_name
							  : table_unit_names[c->unit];
}

const char *
stack_owner_name(enum stack_owner owner)
{
	static const char *const names[STACK_OWNERS] = {
		[OWNER_OBJECT] = "object", [OWNER_ERROR] = "error", [OWNER_THREAD] = "thread"
	};

	return names[owner];
}
