/* profdepot list: lists result sets. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/result_sets.h"

struct list_options {
	struct result_set_filter filter;
	const char *output;
};

static const struct option_spec list_specs[] = {
	{ "format", 0, OPTION_TEXT, "FORMAT", "only result sets of this format",
		offsetof(struct list_options, filter.format) },
	{ "label", 'l', OPTION_LIST, "KEY=VALUE",
		"only result sets with this label; if repeated, with all of these labels",
		offsetof(struct list_options, filter.labels) },
	{ "application", 0, OPTION_TEXT, "NAME", "only result sets of this application",
		offsetof(struct list_options, filter.application) },
	{ "run", 0, OPTION_TEXT, "KEY", "only the result sets of this run",
		offsetof(struct list_options, filter.run) },
	{ "caption", 0, OPTION_TEXT, "GLOB",
		"only result sets with a matching caption; * matches any text, ? any character, case is "
		"ignored",
		offsetof(struct list_options, filter.caption) },
	{ "since", 0, OPTION_TEXT, "TIME",
		"only result sets loaded at this time or later, such as 2026-01-31 or yesterday",
		offsetof(struct list_options, filter.since) },
	{ "until", 0, OPTION_TEXT, "TIME", "only result sets loaded before this time",
		offsetof(struct list_options, filter.until) },
	{ "limit", 'n', OPTION_INT, "N", "only the N newest result sets",
		offsetof(struct list_options, filter.limit), NULL, 1, INT64_MAX },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct list_options, output), RENDERER_CHOICES },
	{ .name = NULL },
};

static bool
print_list(struct command_call *call, struct db *db, struct error *err)
{
	const struct list_options *o = call->target;

	return depot_print_rows(
		call, o->output, &result_sets_head, result_sets_list(db, &o->filter, err), err);
}

static int
list_run(struct command_call *call, struct error *err)
{
	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "list takes no operands");
		error_hint(err, "\"profdepot show %s\" describes one result set",
			call->operands.items[0]);
		return -1;
	}
	return depot_run(call, DB_ROLE_READER, print_list, err);
}

const struct command command_list = {
	.name = "list",
	.summary = "list the result sets of the depot",
	.description =
		"Lists result sets, newest first. If there are several filters, a result set must pass "
		"all of them.",
	.options = list_specs,
	.target_size = sizeof(struct list_options),
	.defaults = &(const struct list_options){ .output = "text" },
	.run = list_run,
	.paged = true,
};
