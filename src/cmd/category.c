/* profdepot category: the catalogue of event categories. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/categories.h"

#include <string.h>

struct category_options {
	struct option_list columns;
	const char *output;
};

static const struct option_spec category_specs[] = {
	{ .name = "column",
		.letter = 'c',
		.kind = OPTION_LIST,
		.value = "NAME:TYPE[:PRETTY]",
		.help = "add: a column, its type (string, timestamp, int, stack or elapsed) and its "
			"name for people; repeated for each",
		.offset = offsetof(struct category_options, columns) },
	{ .name = "output",
		.kind = OPTION_CHOICE,
		.value = "FORMAT",
		.help = "list: how to print",
		.offset = offsetof(struct category_options, output),
		.choices = RENDERER_CHOICES },
	{ .name = NULL },
};

static void
category_defaults(void *target)
{
	struct category_options *o = target;

	o->output = "text";
}

/* --- add ---------------------------------------------------------------------------------------
 */

/* "wait_us" is "Wait us" for people. */
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

static bool
parse_column(struct arena *a, const char *item, struct category_column *c, struct error *err)
{
	const char *type = strchr(item, ':');
	const char *pretty = type ? strchr(type + 1, ':') : NULL;

	if (!type || type == item) {
		error_set(err, ERROR_USAGE, "\"%s\" is no column", item);
		return error_hint(err, "write NAME:TYPE or NAME:TYPE:PRETTY");
	}
	c->name = (struct text){ item, (size_t)(type - item) };
	type++;
	c->type = category_type_find(
		(struct text){ type, pretty ? (size_t)(pretty - type) : strlen(type) });
	if (c->type == CATEGORY_TYPES) {
		error_set(err, ERROR_USAGE, "\"%s\" has no type of a column", item);
		return error_hint(err, "the types are string, timestamp, int, stack and elapsed");
	}
	c->pretty_name = pretty && pretty[1] ? text_from(pretty + 1) : pretty_from(a, c->name);
	return true;
}

/* The batch's two columns come first where they are not named. */
static bool
parse_columns(
	struct arena *a, const struct option_list *items, struct category *c, struct error *err)
{
	const struct category_column of_batch[] = {
		{ text_from("hostname"), text_from("Hostname"), CATEGORY_STRING },
		{ text_from("time"), text_from("Time"), CATEGORY_TIMESTAMP },
	};
	struct category_column *all = arena_alloc_array(a, items->count + 2, sizeof(*all));
	struct category_column *named = all + 2;

	for (size_t i = 0; i < items->count; i++) {
		const struct category before = { .columns = named, .column_count = i };

		if (!parse_column(a, items->items[i], &named[i], err))
			return false;
		if (category_column_find(&before, named[i].name) < i)
			return error_set(
				err, ERROR_USAGE, "\"%s\" names a column twice", items->items[i]);
	}
	c->columns = named;
	c->column_count = items->count;
	for (int i = 1; i >= 0; i--) {
		const struct category at = { .columns = named, .column_count = items->count };

		if (category_column_find(&at, of_batch[i].name) < at.column_count)
			continue;
		all[c->columns - all - 1] = of_batch[i];
		c->columns--;
		c->column_count++;
	}
	if (c->column_count > CATEGORY_COLUMNS_MAX)
		return error_set(err, ERROR_USAGE, "a category has at most %d columns",
			(int)CATEGORY_COLUMNS_MAX);
	return true;
}

static bool
do_add(struct command_call *call, struct error *err)
{
	const struct category_options *o = call->target;
	struct category c = { .name = text_from(call->operands.items[1]) };
	struct db *db;
	bool ok;

	if (o->columns.count == 0) {
		error_set(err, ERROR_USAGE, "category add: no --column was given");
		return error_hint(
			err, "hostname and time are there by themselves; name the others");
	}
	if (!parse_columns(call->arena, &o->columns, &c, err))
		return false;
	db = depot_open(call, DB_ROLE_LOADER, err);
	ok = db && categories_add(db, &c, err);
	db_close(db);
	return ok;
}

/* --- rm, list ----------------------------------------------------------------------------------
 */

static bool
do_rm(struct command_call *call, struct error *err)
{
	struct db *db = depot_open(call, DB_ROLE_LOADER, err);
	bool ok = db && categories_remove(db, call->operands.items[1], err);

	db_close(db);
	return ok;
}

/* In the order of enum category_row. */
static const struct table_column list_columns[] = {
	{ .key = "category", .title = "Category" },
	{ .key = "column", .title = "Column" },
	{ .key = "type", .title = "Type" },
	{ .key = "pretty_name", .title = "Name for people" },
};

static bool
do_list(struct command_call *call, struct error *err)
{
	const struct category_options *o = call->target;
	const struct table_head head = { "category", "Categories of events", TABLE_GRID,
		list_columns, sizeof(list_columns) / sizeof(list_columns[0]) };
	struct depot_table_set set = { 0 };
	struct db *db = depot_open(call, DB_ROLE_READER, err);
	struct db_result *rows = db ? categories_query(db, err) : NULL;
	bool ok;

	set.rows = rows;
	ok = rows && depot_print(call->out, o->output, &head, &set, 1, err);
	db_result_free(rows);
	db_close(db);
	return ok;
}

/* --- the command -------------------------------------------------------------------------------
 */

static const struct {
	const char *name;
	size_t operands; /* itself among them */
	bool (*run)(struct command_call *call, struct error *err);
} verbs[] = {
	{ "add", 2, do_add },
	{ "list", 1, do_list },
	{ "rm", 2, do_rm },
};

static int
category_run(struct command_call *call, struct error *err)
{
	const struct category_options *o = call->target;
	const char *name = call->operands.count ? call->operands.items[0] : "";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, name) != 0)
			continue;
		if (call->operands.count != verbs[i].operands ||
			(o->columns.count && verbs[i].run != do_add))
			break;
		return verbs[i].run(call, err) ? 0 : -1;
	}
	error_set(err, ERROR_USAGE, "category: cannot tell what to do");
	error_hint(err, "profdepot category add NAME --column NAME:TYPE ..., category rm NAME or "
			"category list");
	return -1;
}

const struct command command_category = {
	.name = "category",
	.operands = "add|list|rm [NAME]",
	.summary = "declare the categories of events that are loaded",
	.description =
		"A category names the columns of one kind of event, such as a tracer sends them. "
		"What is loaded of it is read through a view of its name. offcputime comes with "
		"the depot.\n\n"
		"add declares a category: its columns in their order. hostname and time, which a "
		"batch of events shares, come first where they are not named. Names are small "
		"letters, digits and underscores.\n\n"
		"rm takes one away that no result set holds events of.\n\n"
		"list shows all of them.",
	.options = category_specs,
	.target_size = sizeof(struct category_options),
	.defaults = category_defaults,
	.run = category_run,
};
