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
	struct category category; /* for add: the category with these columns */
};

static const struct option_spec category_specs[] = {
	{ "column", 'c', OPTION_LIST, "NAME:TYPE[:PRETTY]",
		"add: a column with its type (string, timestamp, int, stack or elapsed) and its title; "
		"repeat for each column",
		offsetof(struct category_options, columns) },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "list: output format",
		offsetof(struct category_options, output), RENDERER_CHOICES },
	{ .name = NULL },
};

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
parse_columns(struct command_call *call, struct error *err)
{
	struct category_options *o = call->target;
	const struct option_list *items = &o->columns;
	struct category_column *named =
		arena_alloc_array(call->arena, items->count, sizeof(*named));

	if (items->count == 0) {
		error_set(err, ERROR_USAGE, "category add: no --column was given");
		return error_hint(err,
			"name the columns besides hostname and time, which every category has");
	}
	o->category.name = text_from(call->operands.items[1]);
	for (size_t i = 0; i < items->count; i++)
		if (!parse_column(items->items[i], &named[i], err))
			return false;
	return category_complete(call->arena, named, items->count, &o->category, err);
}

static bool
do_add(struct command_call *call, struct db *db, struct error *err)
{
	const struct category_options *o = call->target;

	return categories_add(db, &o->category, err);
}

static bool
do_rm(struct command_call *call, struct db *db, struct error *err)
{
	return categories_remove(db, call->operands.items[1], err);
}

static bool
do_list(struct command_call *call, struct db *db, struct error *err)
{
	const struct category_options *o = call->target;

	return depot_print_rows(call, o->output, &categories_head, categories_query(db, err), err);
}

static const struct {
	const char *name;
	size_t operands; /* including the verb */
	enum db_role role;
	depot_fn *run;
} verbs[] = {
	{ "add", 2, DB_ROLE_LOADER, do_add },
	{ "list", 1, DB_ROLE_READER, do_list },
	{ "rm", 2, DB_ROLE_LOADER, do_rm },
};

static int
category_run(struct command_call *call, struct error *err)
{
	const struct category_options *o = call->target;
	const char *name = call->operands.count ? call->operands.items[0] : "";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		bool adds = verbs[i].run == do_add;

		if (strcmp(verbs[i].name, name) != 0)
			continue;
		if (call->operands.count != verbs[i].operands || (o->columns.count && !adds))
			break;
		if (adds && !parse_columns(call, err))
			return -1;
		return depot_run(call, verbs[i].role, verbs[i].run, err);
	}
	error_set(err, ERROR_USAGE, "expected add, list or rm");
	error_hint(err, "profdepot category add NAME --column NAME:TYPE ..., category rm NAME or "
			"category list");
	return -1;
}

const struct command command_category = {
	.name = "category",
	.operands = "add|list|rm [NAME]",
	.summary = "declare event categories",
	.description =
		"A category names the columns of one kind of event, for example the events of a "
		"tracer. Each category has a view with its name, which shows its loaded events. The "
		"depot comes with the category offcputime.\n\n"
		"add declares a category with its columns in order. All categories have the columns "
		"hostname and time, whose values apply to a whole batch; if you do not name them, "
		"they come first. Names consist of lower-case letters, digits and underscores.\n\n"
		"rm deletes an empty category: one that has no events in any result set.\n\n"
		"list shows all categories.",
	.options = category_specs,
	.target_size = sizeof(struct category_options),
	.defaults = &(const struct category_options){ .output = "text" },
	.run = category_run,
};
