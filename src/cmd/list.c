#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/result_sets.h"

struct list_options {
	struct result_set_filter filter;
	const char *output;
};

static const struct option_spec list_specs[] = {
	{ .name = "format",
		.kind = OPTION_TEXT,
		.value = "FORMAT",
		.help = "only result sets of this format",
		.offset = offsetof(struct list_options, filter.format) },
	{ .name = "label",
		.letter = 'l',
		.kind = OPTION_LIST,
		.value = "KEY=VALUE",
		.help = "only result sets with this label; repeated: with all of them",
		.offset = offsetof(struct list_options, filter.labels) },
	{ .name = "application",
		.kind = OPTION_TEXT,
		.value = "NAME",
		.help = "only result sets of this application",
		.offset = offsetof(struct list_options, filter.application) },
	{ .name = "caption",
		.kind = OPTION_TEXT,
		.value = "GLOB",
		.help = "only captions that match; * is any text, ? a letter, case does not count",
		.offset = offsetof(struct list_options, filter.caption) },
	{ .name = "since",
		.kind = OPTION_TEXT,
		.value = "TIME",
		.help = "only what was loaded at that time or later, such as 2026-01-31 or yesterday",
		.offset = offsetof(struct list_options, filter.since) },
	{ .name = "until",
		.kind = OPTION_TEXT,
		.value = "TIME",
		.help = "only what was loaded before that time",
		.offset = offsetof(struct list_options, filter.until) },
	{ .name = "limit",
		.letter = 'n',
		.kind = OPTION_INT,
		.value = "N",
		.help = "at most N result sets, the newest",
		.offset = offsetof(struct list_options, filter.limit),
		.min = 1,
		.max = INT64_MAX },
	{ .name = "output",
		.kind = OPTION_CHOICE,
		.value = "FORMAT",
		.help = "how to print",
		.offset = offsetof(struct list_options, output),
		.choices = RENDERER_CHOICES },
	{ .name = NULL },
};

static void
list_defaults(void *target)
{
	struct list_options *o = target;

	o->output = "text";
}

static int
list_run(struct command_call *call, struct error *err)
{
	const struct list_options *o = call->target;
	struct rows_table set = { 0 };
	struct db_result *rows = NULL;
	struct db *db;
	bool ok;

	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "list takes no operands");
		error_hint(err, "\"profdepot show %s\" tells about one result set",
			call->operands.items[0]);
		return -1;
	}
	db = depot_open(call, DB_ROLE_READER, err);
	if (!db)
		return -1;
	rows = result_sets_list(db, &o->filter, err);
	set.rows = rows;
	ok = rows && depot_print(call->out, o->output, &result_sets_head, &set, 1, err);
	db_result_free(rows);
	db_close(db);
	return ok ? 0 : -1;
}

const struct command command_list = {
	.name = "list",
	.summary = "list the result sets of the depot",
	.description = "Lists result sets, newest first. Filters narrow the list; all that are "
		       "given must hold.",
	.options = list_specs,
	.target_size = sizeof(struct list_options),
	.defaults = list_defaults,
	.run = list_run,
};
