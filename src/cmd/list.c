/* profdepot list: lists result sets. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/result_sets.h"

#include <string.h>

enum {
	DEFAULT_LIMIT = 50
};

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
	{ "app-version", 0, OPTION_TEXT, "VERSION",
		"only result sets of this version of the application",
		offsetof(struct list_options, filter.app_version) },
	{ "host", 0, OPTION_TEXT, "HOST", "only result sets from this host",
		offsetof(struct list_options, filter.host) },
	{ "tool", 0, OPTION_TEXT, "NAME", "only result sets of this profiler",
		offsetof(struct list_options, filter.tool) },
	{ "search", 0, OPTION_TEXT, "WORDS",
		"only result sets whose number, caption, application, version, host, format, profiler, file "
		"name or labels contain all these words; case is ignored",
		offsetof(struct list_options, filter.search) },
	{ "sort", 's', OPTION_TEXT, "COLUMN[:asc|desc]",
		"sort by inst_id, loaded_at, caption, format, application, app_version or host",
		offsetof(struct list_options, filter.sort) },
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
	{ "limit", 'n', OPTION_INT, "N",
		"at most N result sets, the newest unless --sort is given; 0 means all; default 50, but all "
		"with --output csv, csv-safe or json",
		offsetof(struct list_options, filter.limit), NULL, 0, INT32_MAX },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct list_options, output), RENDERER_CHOICES },
	{ .name = NULL },
};

/* Returns the default of --limit. Programs read CSV and JSON, and they need the complete list. */
static int64_t
default_limit(const char *output)
{
	return strncmp(output, "csv", 3) == 0 || strcmp(output, "json") == 0 ? 0 : DEFAULT_LIMIT;
}

static bool
print_list(struct command_call *call, struct db *db, struct error *err)
{
	const struct list_options *o = call->target;
	struct result_set_filter filter = o->filter;
	int64_t limit = filter.limit < 0 ? default_limit(o->output) : filter.limit;
	const char *notes[] = { NULL, NULL };
	struct sets_table set = { .table = { .notes = notes, .most = (size_t)limit } };
	struct db_result *rows;
	bool ok;

	/* Read one row more than the limit, to find out whether there are more rows. */
	filter.limit = limit ? limit + 1 : 0;
	rows = result_sets_list(db, &filter, err);
	set.table.rows = rows;
	if (limit && rows && db_result_rows(rows) > (size_t)limit)
		notes[0] = arena_printf(call->arena,
			"these are the %s%lld%s; --limit %lld shows more, --limit 0 shows all",
			filter.sort ? "first " : "", (long long)limit, filter.sort ? "" : " newest",
			(long long)limit * 2);
	ok = rows && sets_table_count(&set, db, err) &&
	     depot_print(call, o->output, &result_sets_head, &set.table, 1, err);
	db_result_free(set.open);
	db_result_free(rows);
	return ok;
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
		"Lists the 50 newest result sets, or as many as --limit says, newest first. If there "
		"are more, the last line says so. By default, CSV and JSON contain all result sets.\n\n"
		"If a run found no leaks or errors, their number is 0 only if the run finished and "
		"completed its search for them. Otherwise the number is empty.\n\n"
		"If there are several filters, a result set must pass all of them.",
	.options = list_specs,
	.target_size = sizeof(struct list_options),
	.defaults = &(const struct list_options){ .filter.limit = -1, .output = "text" },
	.run = list_run,
	.paged = true,
};
