#include "cmd/commands.h"

#include "app/set_json.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "cmd/depot.h"
#include "input/odbc/odbc_rowset.h"
#include "load_private.h"

#include <inttypes.h>
#include <string.h>

#define OPTION(member) offsetof(struct load_command, member)

static const struct option_spec load_options[] = {
	{ .name = "format",
		.kind = OPTION_TEXT,
		.value = "NAME",
		.help = "take the input as this format instead of looking at it; see profdepot formats",
		.offset = OPTION(format) },
	{ .name = "encoding",
		.kind = OPTION_TEXT,
		.value = "NAME",
		.help = "code page of tables and XML without a byte order mark, and of what an ODBC "
			"driver gives as bytes, such as CP1251; default UTF-8",
		.offset = OPTION(encoding) },
	{ .name = "odbc",
		.kind = OPTION_TEXT,
		.value = "CONNECTION",
		.help = "load from the database that AQTime exported to, by its ODBC connection string",
		.offset = OPTION(odbc) },
	{ .name = "from-db",
		.kind = OPTION_TEXT,
		.value = "URI",
		.help = "load the profiles in the PostgreSQL storage of MiniProfiler for .NET",
		.offset = OPTION(from_db) },
	{ .name = "from-tables",
		.kind = OPTION_TEXT,
		.value = "A,B,C",
		.help = "the storage's tables of profiles, timings and client timings; default "
			"MiniProfilers, MiniProfilerTimings, MiniProfilerClientTimings in public",
		.offset = OPTION(from_tables) },
	{ .name = "inst",
		.kind = OPTION_LIST,
		.value = "N",
		.help = "of that database: only the result set with this INST_ID; may be given repeatedly",
		.offset = OPTION(inst_ids) },
	{ .name = "lenient",
		.kind = OPTION_FLAG,
		.help = "take what real exporters break, each with an issue, instead of refusing it",
		.offset = OPTION(lenient) },
	{ .name = "events",
		.kind = OPTION_CHOICE,
		.value = "WHICH",
		.choices = "timings|all",
		.help = "of a Chrome trace: user timings only, or every event; default timings",
		.offset = OPTION(events) },
	{ .name = "max-depth",
		.kind = OPTION_INT,
		.value = "N",
		.help = "refuse JSON with containers nested deeper than N; default 100000",
		.offset = OPTION(max_depth),
		.min = 1,
		.max = 10000000 },
	{ .name = "caption",
		.kind = OPTION_TEXT,
		.value = "TEXT",
		.help = "name of the result set instead of the exported one",
		.offset = OPTION(caption) },
	{ .name = "label",
		.kind = OPTION_LIST,
		.value = "KEY=VALUE",
		.help = "label of the result set; may be given repeatedly",
		.offset = OPTION(labels) },
	{ .name = "application",
		.kind = OPTION_TEXT,
		.value = "NAME",
		.help = "application that was profiled",
		.offset = OPTION(application) },
	{ .name = "app-version",
		.kind = OPTION_TEXT,
		.value = "VERSION",
		.help = "its version or build",
		.offset = OPTION(app_version) },
	{ .name = "host",
		.kind = OPTION_TEXT,
		.value = "NAME",
		.help = "machine that it ran on",
		.offset = OPTION(host) },
	{ .name = "strict",
		.kind = OPTION_FLAG,
		.help = "refuse an input with an import issue above info",
		.offset = OPTION(strict) },
	{ .name = "max-issues",
		.kind = OPTION_INT,
		.value = "N",
		.help = "refuse an input with more than N issues above info",
		.offset = OPTION(max_issues),
		.min = 0,
		.max = INT64_MAX },
	{ .name = "dry-run",
		.kind = OPTION_FLAG,
		.help = "read and check everything, write nothing",
		.offset = OPTION(dry_run) },
	{ .name = "again",
		.kind = OPTION_FLAG,
		.help = "load a further copy of what the depot has already",
		.offset = OPTION(again) },
	{ .name = "jobs",
		.letter = 'j',
		.kind = OPTION_INT,
		.value = "N",
		.help = "load N inputs at the same time",
		.offset = OPTION(jobs),
		.min = 1,
		.max = 64 },
	{ .name = "quiet",
		.letter = 'q',
		.kind = OPTION_FLAG,
		.help = "no progress and no summary line",
		.offset = OPTION(quiet) },
	{ .name = "progress",
		.kind = OPTION_FLAG,
		.help = "show progress also when standard error is no terminal",
		.offset = OPTION(progress) },
	{ .name = "output",
		.kind = OPTION_CHOICE,
		.value = "FORMAT",
		.choices = "text|json",
		.help = "text, or one JSON object a line for each result set",
		.offset = OPTION(output) },
	{ .name = NULL },
};

static void
set_defaults(void *target)
{
	struct load_command *c = target;

	c->max_issues = -1;
	c->jobs = 1;
	c->output = "text";
	c->events = "timings";
}

static bool
parse_labels(struct arena *a, const struct option_list *list, struct load_label **labels,
	struct error *err)
{
	*labels = arena_alloc_array(a, list->count, sizeof(**labels));
	for (size_t i = 0; i < list->count; i++) {
		const char *equals = strchr(list->items[i], '=');

		if (!equals || equals == list->items[i]) {
			error_set(
				err, ERROR_USAGE, "label \"%s\" is not KEY=VALUE", list->items[i]);
			return error_hint(err, "write --label branch=main");
		}
		if (equals - list->items[i] > LABEL_KEY_MAX_BYTES)
			return error_set(err, ERROR_USAGE,
				"the key of a label has at most %d bytes", LABEL_KEY_MAX_BYTES);
		(*labels)[i].key =
			arena_strndup(a, list->items[i], (size_t)(equals - list->items[i]));
		(*labels)[i].value = equals + 1;
	}
	return true;
}

/* "A,B,C"; commas part them. */
static bool
parse_tables(struct arena *a, const struct load_command *c, const char *out[3], struct error *err)
{
	char *rest = c->from_tables ? arena_strdup(a, c->from_tables) : NULL;

	if (c->odbc && c->from_db)
		return error_set(err, ERROR_USAGE, "--odbc and --from-db exclude each other");
	if (!rest)
		return true;
	if (!c->from_db)
		return error_set(err, ERROR_USAGE, "--from-tables goes with --from-db");
	for (int i = 0; i < 3; i++) {
		char *comma = rest ? strchr(rest, ',') : NULL;

		if (!rest || !*rest || (i < 2 && !comma) || (i == 2 && comma)) {
			error_set(err, ERROR_USAGE, "--from-tables: \"%s\" is not three names",
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

/* The numbers of --inst are the exporter's. */
static bool
parse_inst_ids(struct arena *a, const struct load_command *c, int64_t **out, struct error *err)
{
	const struct option_list *list = &c->inst_ids;

	if (list->count && !c->odbc)
		return error_set(err, ERROR_USAGE, "--inst goes with --odbc");
	*out = arena_alloc_array(a, list->count + 1, sizeof(**out));
	for (size_t i = 0; i < list->count; i++) {
		struct number n;

		if (number_parse(text_from(list->items[i]), &n) != NUMBER_OK ||
			!number_to_int64(n, &(*out)[i]))
			return error_set(
				err, ERROR_USAGE, "--inst: \"%s\" is no INST_ID", list->items[i]);
	}
	return true;
}

static bool
is_utf8(const char *s)
{
	return !s || text_utf8_prefix(s, strlen(s)) == strlen(s);
}

/* What goes into the depot's texts must be UTF-8. */
static bool
check_texts(const struct load_command *c, struct error *err)
{
	bool ok = is_utf8(c->caption) && is_utf8(c->application) && is_utf8(c->app_version) &&
		  is_utf8(c->host);

	for (size_t i = 0; i < c->labels.count; i++)
		ok = ok && is_utf8(c->labels.items[i]);
	return ok || error_set(err, ERROR_USAGE, "an option's text is not valid UTF-8");
}

static void
print_json(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, false);
	import_set_json(&w, request->path, result, set);
	putc('\n', out);
}

static void
print_failure_json(const struct import_request *request, const struct import_result *result,
	const struct error *err, FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, false);
	json_begin_object(&w);
	json_key(&w, "inst_id");
	json_null(&w);
	json_key(&w, "caption");
	json_null(&w);
	json_key(&w, "format");
	result->format ? json_string(&w, result->format) : json_null(&w);
	json_key(&w, "source");
	json_string(&w, request->path);
	json_key(&w, "digest");
	json_null(&w);
	json_key(&w, "state");
	json_string(&w, import_state_name(IMPORT_FAILED));
	json_key(&w, "error");
	json_begin_object(&w);
	json_key(&w, "code");
	json_string(&w, error_code_name(err->code));
	json_key(&w, "message");
	json_string(&w, err->message);
	json_key(&w, "hint");
	err->hint[0] ? json_string(&w, err->hint) : json_null(&w);
	json_end_object(&w);
	json_key(&w, "seconds");
	json_fixed3(&w, result->seconds);
	json_end_object(&w);
	putc('\n', out);
}

static int64_t
rows_named(const struct import_set *set, const char *name)
{
	for (size_t r = 0; set->rows && r < load_relation_count(); r++)
		if (strcmp(load_relation_name(r), name) == 0)
			return set->rows[r];
	return 0;
}

static const char *
noun(int64_t n, const char *one, const char *many)
{
	return by_count((unsigned long long)n, one, many);
}

/* ", N ones" or ", N many"; none is not worth a word. */
static void
print_part(FILE *out, int *parts, int64_t n, const char *one, const char *many)
{
	if (n)
		fprintf(out, "%s%" PRId64 " %s", (*parts)++ ? ", " : "", n, noun(n, one, many));
}

/* A result of nothing may be right: no object was left, no timing was asked for. */
static const char *
nothing(const char *format, bool all_events)
{
	if (strcmp(format, "chrome") == 0 && !all_events)
		return "no user timings; --events all loads the other events";
	if (strncmp(format, "aqtime", strlen("aqtime")) == 0)
		return "no objects, no errors";
	return "no samples, no spans";
}

/* Of the facts those that are there. */
static void
print_facts(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	int64_t stacks = rows_named(set, "stacks");
	int64_t frames = rows_named(set, "resource_profiler_creation_call_stack") +
			 rows_named(set, "resource_profiler_call_stack");
	int64_t samples = rows_named(set, "samples");
	int parts = 0;

	print_part(out, &parts, rows_named(set, "resource_profiler_objects"), "object", "objects");
	print_part(out, &parts, rows_named(set, "resource_profiler_errors"), "error", "errors");
	print_part(out, &parts, frames, "frame", "frames");
	print_part(out, &parts, samples, "sample", "samples");
	if ((frames || samples) && stacks)
		fprintf(out, " in %" PRId64 " distinct %s", stacks,
			noun(stacks, "stack", "stacks"));
	print_part(out, &parts, rows_named(set, "spans"), "span", "spans");
	if (parts)
		print_part(out, &parts, rows_named(set, "tracks"), "track", "tracks");
	else
		fputs(nothing(result->format, request->options.all_events), out);
	putc('\n', out);
}

static void
print_issues(const struct import_set *set, FILE *out)
{
	int parts = 0;

	if (!set->issues[ISSUE_ERROR] && !set->issues[ISSUE_WARNING])
		return;
	fputs("         ", out);
	print_part(out, &parts, set->issues[ISSUE_ERROR], "row left out", "rows left out");
	print_part(out, &parts, set->issues[ISSUE_WARNING], "warning", "warnings");
	if (set->state == IMPORT_LOADED)
		fprintf(out, ": profdepot report issues %" PRId64, set->inst_id);
	putc('\n', out);
}

static void
print_text(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	if (set->state == IMPORT_KNOWN) {
		fprintf(out, "known    result set %" PRId64 "  %s\n", set->inst_id, request->path);
		return;
	}
	if (set->state == IMPORT_CHECKED)
		fputs("checked  new result set", out);
	else
		fprintf(out, "loaded   result set %" PRId64, set->inst_id);
	fprintf(out, "  \"%.*s\": ", (int)set->caption.size,
		set->caption.data ? set->caption.data : "");
	print_facts(request, result, set, out);
	print_issues(set, out);
}

static void
count_result(const struct import_result *result, struct load_tally *t)
{
	for (size_t i = 0; i < result->set_count; i++) {
		const struct import_set *set = &result->sets[i];

		t->states[set->state]++;
		for (int s = 0; s < ISSUE_SEVERITIES; s++)
			t->issues[s] += set->issues[s];
		for (size_t r = 0; set->rows && r < load_relation_count(); r++)
			if (set->state != IMPORT_KNOWN)
				t->rows += set->rows[r];
	}
	t->bytes += result->input_bytes;
}

/* A refused input is no reason to ask for a new connection; a broken one does
 * not serve the next input. */
static void
end_failed(struct load_call *call, const struct error *err)
{
	bool refused = err->code == ERROR_INPUT || err->code == ERROR_LIMIT;

	if (call->db && refused) {
		db_rollback(call->db);
		if (db_is_alive(call->db))
			return;
	}
	db_close(call->db);
	call->db = NULL;
}

int
load_one(struct load_call *call, const char *path, bool database, struct load_tally *tally)
{
	const struct load_command *c = call->options;
	struct arena arena = ARENA_INIT;
	struct progress progress;
	struct error err = ERROR_INIT;
	struct import_result result = { NULL };
	struct import_request request = { .path = path,
		.odbc = database ? c->odbc : NULL,
		.from_db = database ? c->from_db : NULL,
		.from_tables = call->from_tables[0] ? call->from_tables : NULL,
		.inst_ids = database ? call->inst_ids : NULL,
		.inst_id_count = database ? c->inst_ids.count : 0,
		.format = c->format,
		.encoding = c->encoding,
		.caption = c->caption,
		.application = c->application,
		.app_version = c->app_version,
		.host = c->host,
		.labels = call->labels,
		.label_count = c->labels.count,
		.options = { .lenient = c->lenient,
			.all_events = strcmp(c->events, "all") == 0,
			.max_depth = (size_t)c->max_depth,
			.encoding = c->encoding },
		.strict = c->strict,
		.again = c->again,
		.dry_run = c->dry_run,
		.max_issues = c->max_issues,
		.progress = &progress };
	bool json = strcmp(c->output, "json") == 0;
	bool opened;
	bool ok;

	tally->inputs++;
	progress_begin(&progress, path, c->progress, c->quiet);
	opened = call->db || (call->db = depot_open(call->command, DB_ROLE_LOADER, &err));
	ok = opened && import_run(&arena, call->db, &request, &result, &err);
	progress_end(&progress);
	if (ok) {
		for (size_t i = 0; i < result.set_count; i++) {
			if (json)
				print_json(&request, &result, &result.sets[i], call->out);
			else if (!c->quiet)
				print_text(&request, &result, &result.sets[i], call->out);
		}
		count_result(&result, tally);
	} else {
		tally->failed_inputs++;
		tally->states[IMPORT_FAILED]++;
		tally->status = error_exit_status(err.code);
		if (!opened)
			error_prefix(&err, "%s", path);
		if (json)
			print_failure_json(&request, &result, &err, call->out);
		fflush(call->out);
		error_print(&err, stderr);
		end_failed(call, &err);
	}
	fflush(call->out);
	arena_release(&arena);
	return ok ? 0 : tally->status;
}

static void
print_summary(const struct load_tally *t, double seconds)
{
	fprintf(stderr,
		"profdepot: %" PRId64 " %s: %" PRId64 " loaded, %" PRId64 " known, %" PRId64
		" failed result %s; %" PRId64 " %s, %" PRId64 " %s, %" PRId64 " %s, %" PRId64
		" %s; %.1f s\n",
		t->inputs, noun(t->inputs, "input", "inputs"), t->states[IMPORT_LOADED],
		t->states[IMPORT_KNOWN], t->states[IMPORT_FAILED],
		noun(t->states[IMPORT_FAILED], "set", "sets"), t->rows,
		noun(t->rows, "row", "rows"), t->issues[ISSUE_ERROR],
		noun(t->issues[ISSUE_ERROR], "error", "errors"), t->issues[ISSUE_WARNING],
		noun(t->issues[ISSUE_WARNING], "warning", "warnings"), t->issues[ISSUE_INFO],
		noun(t->issues[ISSUE_INFO], "info", "infos"), seconds);
}

static int
run(struct command_call *command, struct error *err)
{
	struct load_command *c = command->target;
	struct load_call call = { .options = c, .command = command, .out = command->out };
	struct load_tally tally = { .status = 0 };
	double started = clock_seconds();

	if (!command->operands.count && !c->odbc && !c->from_db) {
		error_set(err, ERROR_USAGE, "load: no input given");
		error_hint(err,
			"profdepot load PATH..., where PATH is a file, a folder, an archive, "
			"or - for standard input");
		return -1;
	}
	if (!parse_labels(command->arena, &c->labels, &call.labels, err) || !check_texts(c, err) ||
		!parse_inst_ids(command->arena, c, &call.inst_ids, err) ||
		!parse_tables(command->arena, c, call.from_tables, err))
		return -1;
	if (c->odbc)
		load_one(&call, odbc_display_name(command->arena, c->odbc), true, &tally);
	if (c->from_db)
		load_one(&call, "MiniProfiler's storage", true, &tally);
	if (c->jobs > 1 && command->operands.count > 1) {
		db_close(call.db);
		call.db = NULL;
		if (!load_parallel(&call, &command->operands, c->jobs, &tally, err))
			return -1;
	} else {
		for (size_t i = 0; i < command->operands.count; i++)
			load_one(&call, command->operands.items[i], false, &tally);
		db_close(call.db);
	}
	if (!c->quiet)
		print_summary(&tally, clock_seconds() - started);
	if (tally.failed_inputs && tally.failed_inputs < tally.inputs)
		return error_exit_status(ERROR_PARTLY);
	return tally.status;
}

const struct command command_load = {
	.name = "load",
	.operands = "[PATH...]",
	.summary = "load result sets into the depot",
	.description =
		"Loads each PATH: a file, a folder or an archive (zip, tar), plain or compressed "
		"with gzip, zstd, xz or bzip2, or - for standard input. An AQTime export is a "
		"folder or archive with a file per table. An input is one transaction: all of it "
		"or nothing. What the depot has already is recognised and not loaded again.",
	.options = load_options,
	.target_size = sizeof(struct load_command),
	.defaults = set_defaults,
	.run = run,
};
