/* profdepot category: the catalogue of event categories. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "events/category_columns.h"
#include "render/render.h"
#include "store/categories.h"

#include <string.h>

struct category_options {
	struct option_list columns;
	const char *output;
};

static const struct option_spec category_specs[] = {
	{ "column", 'c', OPTION_LIST, "NAME:TYPE[:PRETTY]",
		"add: a column with its type (string, timestamp, int, stack or elapsed) and its title; "
		"repeat for each column",
		offsetof(struct category_options, columns), NULL, 0, 0 },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "list: output format",
		offsetof(struct category_options, output), RENDERER_CHOICES, 0, 0 },
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

static bool
parse_column(const char *item, struct category_column *c, struct error *err)
{
	const char *type = strchr(item, ':');
	const char *pretty = type ? strchr(type + 1, ':') : NULL;

	if (!type || type == item) {
		error_set(err, ERROR_USAGE, "\"%s\" is not a column", item);
		return error_hint(err, "write NAME:TYPE or NAME:TYPE:PRETTY");
	}
	c->name = (struct text){ item, (size_t)(type - item) };
	type++;
	c->type = category_type_find(
		(struct text){ type, pretty ? (size_t)(pretty - type) : strlen(type) });
	if (c->type == CATEGORY_TYPES) {
		error_set(err, ERROR_USAGE, "\"%s\" has an unknown type", item);
		return error_hint(err, "the types are string, timestamp, int, stack and elapsed");
	}
	c->pretty_name = pretty && pretty[1] ? text_from(pretty + 1) : TEXT_NULL;
	return true;
}

static bool
parse_columns(
	struct arena *a, const struct option_list *items, struct category *c, struct error *err)
{
	struct category_column *named = arena_alloc_array(a, items->count, sizeof(*named));

	for (size_t i = 0; i < items->count; i++)
		if (!parse_column(items->items[i], &named[i], err))
			return false;
	return category_complete(a, named, items->count, c, err);
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

static bool
do_rm(struct command_call *call, struct error *err)
{
	struct db *db = depot_open(call, DB_ROLE_LOADER, err);
	bool ok = db && categories_remove(db, call->operands.items[1], err);

	db_close(db);
	return ok;
}

static bool
do_list(struct command_call *call, struct error *err)
{
	const struct category_options *o = call->target;
	struct rows_table set = { 0 };
	struct db *db = depot_open(call, DB_ROLE_READER, err);
	struct db_result *rows = db ? categories_query(db, err) : NULL;
	bool ok;

	set.rows = rows;
	ok = rows && depot_print(call->out, o->output, &categories_head, &set, 1, err);
	db_result_free(rows);
	db_close(db);
	return ok;
}

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
	error_set(err, ERROR_USAGE, "add, list or rm?");
	error_hint(err, "profdepot category add NAME --column NAME:TYPE ..., category rm NAME or "
			"category list");
	return -1;
}

const struct command command_category = {
	.name = "category",
	.operands = "add|list|rm [NAME]",
	.summary = "declare categories of events",
	.description =
		"A category names the columns of one kind of event, such as a tracer sends them. Each "
		"category has a view of the same name, which shows its loaded events. The depot comes "
		"with the category offcputime.\n\n"
		"add declares a category with its columns in order. If hostname and time, which a batch "
		"of events shares, are not among them, they come first. Names consist of lower-case "
		"letters, digits and underscores.\n\n"
		"rm deletes an empty category: one that has no events in any result set.\n\n"
		"list shows all categories.",
	.options = category_specs,
	.target_size = sizeof(struct category_options),
	.defaults = category_defaults,
	.run = category_run,
};
