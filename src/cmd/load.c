/* profdepot load: reads the options, and loads the inputs. */
#include "cmd/commands.h"

#include "base/number.h"
#include "cmd/depot.h"
#include "cmd/load_parts.h"
#include "format/linker_map.h"
#include "input/odbc/odbc_rowset.h"
#include "store/result_sets.h"

#include <inttypes.h>
#include <string.h>

#define OPTION(member) offsetof(struct load_command, member)

static const struct option_spec load_options[] = {
	{ "format", 0, OPTION_TEXT, "NAME",
		"read the input as this format instead of recognising it; see profdepot formats",
		OPTION(format) },
	{ "encoding", 0, OPTION_TEXT, "NAME",
		"code page, such as CP1251, of tables and XML that have no byte order mark, and of "
		"bytes from an ODBC driver; default UTF-8",
		OPTION(encoding) },
	{ "odbc", 0, OPTION_TEXT, "CONNECTION",
		"load from the database that AQTime exported to; this is its ODBC connection string",
		OPTION(odbc) },
	{ "from-db", 0, OPTION_TEXT, "URI",
		"load the profiles in the PostgreSQL storage of MiniProfiler for .NET",
		OPTION(from_db) },
	{ "from-tables", 0, OPTION_TEXT, "A,B,C",
		"the storage's tables for profiles, timings and client timings; default "
		"MiniProfilers, MiniProfilerTimings, MiniProfilerClientTimings in public",
		OPTION(from_tables) },
	{ "inst", 0, OPTION_LIST, "N",
		"with --odbc: only the result set with this INST_ID; may be repeated",
		OPTION(inst_ids) },
	{ "lenient", 0, OPTION_FLAG, NULL,
		"accept common mistakes of exporters and record an issue for each, instead of rejecting "
		"the input",
		OPTION(lenient) },
	{ "events", 0, OPTION_CHOICE, "WHICH",
		"Chrome traces: user timings only, or all events; default timings", OPTION(events),
		"timings|all" },
	{ "map", 0, OPTION_LIST, "FILE",
		"linker's map of a Delphi program or library; names the frames that have only an address; "
		"may be repeated",
		OPTION(maps) },
	{ "max-depth", 0, OPTION_INT, "N",
		"reject JSON that is nested deeper than N; default 100000", OPTION(max_depth), NULL,
		1, 10000000 },
	{ "caption", 0, OPTION_TEXT, "TEXT", "name of the result set, instead of the exported one",
		OPTION(caption) },
	{ "label", 0, OPTION_LIST, "KEY=VALUE", "label of the result set; may be repeated",
		OPTION(labels) },
	{ "application", 0, OPTION_TEXT, "NAME", "the profiled application", OPTION(application) },
	{ "app-version", 0, OPTION_TEXT, "VERSION", "version or build", OPTION(app_version) },
	{ "host", 0, OPTION_TEXT, "NAME", "the machine that the application ran on", OPTION(host) },
	{ "run", 0, OPTION_TEXT, "KEY",
		"name of the run, which the result sets of one execution share; run:KEY then finds them",
		OPTION(run.key) },
	{ "commit", 0, OPTION_TEXT, "ID", "the commit that the application was built from",
		OPTION(run.commit) },
	{ "parent-commit", 0, OPTION_TEXT, "ID", "the parent of that commit",
		OPTION(run.parent_commit) },
	{ "environment", 0, OPTION_TEXT, "NAME", "place of the run, such as a CI job's name",
		OPTION(run.environment) },
	{ "looked-for", 0, OPTION_TEXT, "LIST",
		"what the run looked for, if the input does not show it: leaks, errors, races, heap, "
		"samples, spans, separated by commas",
		OPTION(looked_for) },
	{ "clean", 0, OPTION_FLAG, NULL,
		"record a run that found nothing and wrote no file; needs --tool and --looked-for",
		OPTION(run.clean) },
	{ "tool", 0, OPTION_TEXT, "NAME", "with --clean: the profiler or detector", OPTION(tool) },
	{ "strict", 0, OPTION_FLAG, NULL,
		"reject an input that causes import issues (warnings or errors)", OPTION(strict) },
	{ "max-issues", 0, OPTION_INT, "N",
		"reject an input that causes more than N import issues (warnings and errors)",
		OPTION(max_issues), NULL, 0, INT64_MAX },
	{ "limit", 0, OPTION_LIST, "NAME=N",
		"limit on what one input may use: bytes, ratio, files, frames, nodes, memory or "
		"seconds; N is a number with an optional suffix K, M, G or T, or the word none; may "
		"be repeated",
		OPTION(limits) },
	{ "issues", 0, OPTION_FLAG, NULL,
		"print each import issue, also for result sets that are known or only checked",
		OPTION(issues) },
	{ "dry-run", 0, OPTION_FLAG, NULL, "read and check everything, write nothing",
		OPTION(dry_run) },
	{ "again", 0, OPTION_FLAG, NULL,
		"load another copy of a result set that the depot already has", OPTION(again) },
	{ "jobs", 'j', OPTION_INT, "N",
		"load N inputs in parallel, or fewer if the server has fewer free connections",
		OPTION(jobs), NULL, 1, 64 },
	{ "quiet", 'q', OPTION_FLAG, NULL, "print no progress and no summary", OPTION(quiet) },
	{ "progress", 0, OPTION_FLAG, NULL,
		"show progress even if standard error is not a terminal", OPTION(progress) },
	{ "output", 0, OPTION_CHOICE, "FORMAT",
		"text, or json: one line with a JSON object per result set", OPTION(output),
		"text|json" },
	{ .name = NULL },
};

static bool
parse_labels(struct arena *a, const struct option_list *list, struct load_label **labels,
	struct error *err)
{
	*labels = arena_alloc_array(a, list->count, sizeof(**labels));
	for (size_t i = 0; i < list->count; i++) {
		struct label label;

		if (!label_parse_new(list->items[i], &label, err))
			return error_prefix(err, "option --label");
		(*labels)[i].key = arena_strndup(a, label.key.data, label.key.size);
		(*labels)[i].value = label.value.data;
	}
	return true;
}

/* "A,B,C" */
static bool
parse_tables(struct arena *a, const struct load_command *c, const char *out[3], struct error *err)
{
	char *rest = c->from_tables ? arena_strdup(a, c->from_tables) : NULL;

	if (c->odbc && c->from_db)
		return error_set(err, ERROR_USAGE, "--odbc and --from-db cannot be combined");
	if (!rest)
		return true;
	if (!c->from_db)
		return error_set(err, ERROR_USAGE, "--from-tables needs --from-db");
	for (int i = 0; i < 3; i++) {
		char *comma = rest ? strchr(rest, ',') : NULL;

		if (!rest || !*rest || (i < 2 && !comma) || (i == 2 && comma)) {
			error_set(err, ERROR_USAGE, "--from-tables takes 3 names, not \"%s\"",
				c->from_tables);
			return error_hint(err, "write PROFILES,TIMINGS,CLIENTTIMINGS");
		}
		out[i] = rest;
		if (comma)
			*comma = '\0';
		rest = comma ? comma + 1 : NULL;
	}
	return true;
}

static bool
read_maps(const struct option_list *list, struct load_call *call, struct linker_maps **maps,
	struct error *err)
{
	if (!list->count)
		return true;
	*maps = linker_maps_new();
	call->maps = *maps;
	for (size_t i = 0; i < list->count; i++)
		if (!linker_maps_read(*maps, list->items[i], err))
			return error_prefix(err, "option --map");
	return true;
}

static bool
parse_limits(const struct option_list *list, struct limits *limits, struct error *err)
{
	*limits = limits_local;
	for (size_t i = 0; i < list->count; i++)
		if (!limits_set(limits, list->items[i], err))
			return error_prefix(err, "option --limit");
	return true;
}

/* Parses the values of --inst: result set numbers that the exporter assigned (its INST_IDs). */
static bool
parse_inst_ids(struct arena *a, const struct load_command *c, int64_t **out, struct error *err)
{
	const struct option_list *list = &c->inst_ids;

	if (list->count && !c->odbc)
		return error_set(err, ERROR_USAGE, "--inst needs --odbc");
	*out = arena_alloc_array(a, list->count + 1, sizeof(**out));
	for (size_t i = 0; i < list->count; i++) {
		struct number n;

		if (number_parse(text_from(list->items[i]), &n) != NUMBER_OK ||
			!number_to_int64(n, &(*out)[i]))
			return error_set(err, ERROR_USAGE, "--inst: \"%s\" is not an INST_ID",
				list->items[i]);
	}
	return true;
}

/* --looked-for, --clean and --tool. */
static bool
parse_run(struct arena *a, struct load_command *c, bool has_input, struct error *err)
{
	bool *looked_for = arena_alloc_array(a, COVERAGE_WHATS, sizeof(*looked_for));

	if (c->looked_for) {
		if (!coverage_list_parse(c->looked_for, looked_for, err))
			return error_prefix(err, "option --looked-for");
		c->run.looked_for = looked_for;
	}
	if (c->run.key && !*c->run.key)
		return error_set(err, ERROR_USAGE, "option --run: the key is empty");
	if (!c->run.clean)
		return !c->tool || error_set(err, ERROR_USAGE, "--tool needs --clean");
	if (has_input)
		return error_set(err, ERROR_USAGE, "--clean takes no input");
	if (c->tool && c->looked_for)
		return true;
	error_set(err, ERROR_USAGE, "--clean needs --tool and --looked-for");
	return error_hint(err, "such as --clean --tool AddressSanitizer --looked-for leaks,errors");
}

static bool
is_utf8(const char *s)
{
	return !s || text_utf8_prefix(s, strlen(s)) == strlen(s);
}

static bool
check_texts(const struct load_command *c, struct error *err)
{
	bool ok = is_utf8(c->caption) && is_utf8(c->application) && is_utf8(c->app_version) &&
		  is_utf8(c->host) && is_utf8(c->run.key) && is_utf8(c->run.commit) &&
		  is_utf8(c->run.parent_commit) && is_utf8(c->run.environment) && is_utf8(c->tool);

	for (size_t i = 0; i < c->labels.count; i++)
		ok = ok && is_utf8(c->labels.items[i]);
	return ok || error_set(err, ERROR_USAGE, "an option's text is not valid UTF-8");
}

static void
print_summary(const struct load_tally *t, double seconds)
{
	fprintf(stderr,
		"profdepot: %" PRId64 " %s: %" PRId64 " loaded, %" PRId64 " known, %" PRId64
		" failed result %s; %" PRId64 " %s, %" PRId64 " %s, %" PRId64 " %s, %" PRId64
		" %s; %.1f s\n",
		t->inputs, load_noun(t->inputs, "input", "inputs"), t->states[IMPORT_LOADED],
		t->states[IMPORT_KNOWN], t->states[IMPORT_FAILED],
		load_noun(t->states[IMPORT_FAILED], "set", "sets"), t->rows,
		load_noun(t->rows, "row", "rows"), t->issues[ISSUE_ERROR],
		load_noun(t->issues[ISSUE_ERROR], "error", "errors"), t->issues[ISSUE_WARNING],
		load_noun(t->issues[ISSUE_WARNING], "warning", "warnings"), t->issues[ISSUE_INFO],
		load_noun(t->issues[ISSUE_INFO], "info", "infos"), seconds);
}

static int
load_inputs(struct load_call *call, struct error *err)
{
	const struct load_command *c = call->options;
	const struct option_list *paths = &call->command->operands;
	struct arena *a = call->command->arena;
	struct load_tally tally = { .status = 0 };
	double started = clock_seconds();
	int64_t jobs;

	if (c->odbc)
		load_one(call, odbc_display_name(a, c->odbc), true, &tally);
	if (c->from_db)
		load_one(call, "MiniProfiler's storage", true, &tally);
	if (c->run.clean)
		load_one(call, arena_printf(a, "clean run of %s", c->tool), false, &tally);
	if (c->jobs > 1 && paths->count > 1) {
		db_close(call->db);
		call->db = NULL;
		jobs = load_jobs_that_fit(call, c->jobs, err);
		if (!jobs || !load_parallel(call, paths, jobs, &tally, err))
			return -1;
	} else {
		for (size_t i = 0; i < paths->count; i++)
			load_one(call, paths->items[i], false, &tally);
		db_close(call->db);
	}
	if (!c->quiet)
		print_summary(&tally, clock_seconds() - started);
	if (tally.failed_inputs && tally.failed_inputs < tally.inputs)
		return error_exit_status(ERROR_PARTLY);
	return tally.status;
}

static int
run(struct command_call *command, struct error *err)
{
	struct load_command *c = command->target;
	struct load_call call = { .options = c, .command = command, .out = command->out };
	struct linker_maps *maps = NULL;
	bool has_input = command->operands.count || c->odbc || c->from_db;
	int status = -1;

	if (!parse_run(command->arena, c, has_input, err))
		return -1;
	if (!has_input && !c->run.clean) {
		error_set(err, ERROR_USAGE, "no input was given");
		error_hint(err,
			"write profdepot load PATH..., where PATH is a file, a folder, an archive, "
			"or - for standard input");
		return -1;
	}
	if (parse_labels(command->arena, &c->labels, &call.labels, err) && check_texts(c, err) &&
		parse_inst_ids(command->arena, c, &call.inst_ids, err) &&
		parse_limits(&c->limits, &call.limits, err) &&
		parse_tables(command->arena, c, call.from_tables, err) &&
		read_maps(&c->maps, &call, &maps, err))
		status = load_inputs(&call, err);
	linker_maps_free(maps);
	return status;
}

static const struct load_command load_defaults = {
	.max_issues = -1,
	.jobs = 1,
	.output = "text",
	.events = "timings",
};

const struct command command_load = {
	.name = "load",
	.operands = "[PATH...]",
	.summary = "load result sets into the depot",
	.description =
		"Loads each PATH: a file, a folder or an archive (zip, tar), plain or compressed with "
		"gzip, zstd, xz or bzip2, or - for standard input. An AQTime export is a folder or "
		"archive with one file per table. Each input is one transaction: it is loaded completely "
		"or not at all. A result set that the depot already has is recognised and not loaded "
		"again.",
	.options = load_options,
	.target_size = sizeof(struct load_command),
	.defaults = &load_defaults,
	.run = run,
};
