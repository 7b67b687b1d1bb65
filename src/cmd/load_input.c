/* profdepot load: loads one input and prints the result. */
#include "cmd/load_parts.h"

#include "app/run_gap.h"
#include "app/set_json.h"
#include "base/json_writer.h"
#include "base/terminal.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

#include <inttypes.h>
#include <string.h>

static void
print_json(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	struct json_writer w;

	json_writer_init_answer(&w, out, false);
	import_set_json(&w, request->path, result, set);
	putc('\n', out);
}

static void
print_failure_json(const struct import_request *request, const struct import_result *result,
	const struct error *err, FILE *out)
{
	struct json_writer w;

	json_writer_init_answer(&w, out, false);
	json_begin_object(&w);
	json_key_null(&w, "inst_id");
	json_key_null(&w, "caption");
	json_key_text(&w, "format", text_from(result->format));
	json_key_string(&w, "source", request->path);
	json_key_null(&w, "digest");
	json_key_string(&w, "state", import_state_name(IMPORT_FAILED));
	json_key_object(&w, "error");
	json_key_string(&w, "code", error_code_name(err->code));
	json_key_string(&w, "message", err->message);
	json_key_text(&w, "hint", err->hint[0] ? text_from(err->hint) : TEXT_NULL);
	json_end_object(&w);
	json_key_fixed3(&w, "seconds", result->seconds);
	json_end_object(&w);
	putc('\n', out);
}

static int64_t
rows_named(const struct import_set *set, const char *name)
{
	for (size_t r = 0; set->rows && r < relation_count(); r++)
		if (strcmp(relation_name(r), name) == 0)
			return set->rows[r];
	return 0;
}

/* Prints ", 2 objects", or nothing if n is 0. */
static void
print_part(FILE *out, int *parts, int64_t n, const char *one, const char *many)
{
	if (n)
		fprintf(out, "%s%" PRId64 " %s", (*parts)++ ? ", " : "", n,
			load_noun(n, one, many));
}

/* Prints "no leaks", or "no leaks (not looked for)". */
static void
print_absent(FILE *out, const char *what, const char *gap)
{
	fprintf(out, "no %s", what);
	if (gap && strcmp(gap, "unknown") == 0)
		fprintf(out, " (unknown whether looked for)");
	else if (gap)
		fprintf(out, " (%s)", gap);
}

/* Describes a result set without facts. Such a set is not necessarily an error: the program may have freed all
 * objects or recorded no timings. */
static void
print_nothing(FILE *out, const char *format, const struct run *run, bool all_events)
{
	bool aqtime = format && strncmp(format, "aqtime", strlen("aqtime")) == 0;

	if (!format || aqtime || strcmp(format, "sanitizer") == 0 ||
		strcmp(format, "valgrind") == 0) {
		print_absent(out, aqtime ? "objects" : "leaks",
			run_gap_word(run, COVERAGE_LEAKS, false));
		fputs(", ", out);
		print_absent(out, "errors", run_error_gap_word(run, false));
	} else {
		fputs(strcmp(format, "chrome") == 0 && !all_events
				? "no user timings; --events all loads the other events"
				: "no samples, no spans",
			out);
	}
}

static void
print_facts(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	int64_t stacks = rows_named(set, "stacks");
	int64_t frames = rows_named(set, "resource_profiler_creation_call_stack") +
			 rows_named(set, "resource_profiler_call_stack");
	int64_t samples = rows_named(set, "samples");
	int parts = 0;

	print_part(out, &parts, set->objects, "object", "objects");
	print_part(out, &parts, set->errors, "error", "errors");
	print_part(out, &parts, frames, "frame", "frames");
	print_part(out, &parts, samples, "sample", "samples");
	if ((frames || samples) && stacks)
		fprintf(out, " in %" PRId64 " distinct %s", stacks,
			load_noun(stacks, "stack", "stacks"));
	print_part(out, &parts, rows_named(set, "spans"), "span", "spans");
	if (parts)
		print_part(out, &parts, rows_named(set, "tracks"), "track", "tracks");
	else
		print_nothing(out, result->format, &set->run, request->options.all_events);
	putc('\n', out);
}

/* Prints the number of issues of each severity. If the set was loaded and `every` is false, omits issues with the
 * severity "info": they report no loss of data, and the depot contains them. */
static void
print_issues(const struct import_set *set, bool every, FILE *out)
{
	bool stored = set->state == IMPORT_LOADED;
	bool infos = set->issues[ISSUE_INFO] && (every || !stored);
	int parts = 0;

	if (!set->issues[ISSUE_ERROR] && !set->issues[ISSUE_WARNING] && !infos)
		return;
	fputs("         ", out);
	print_part(out, &parts, set->issues[ISSUE_ERROR], "row left out", "rows left out");
	print_part(out, &parts, set->issues[ISSUE_WARNING], "warning", "warnings");
	if (infos)
		print_part(out, &parts, set->issues[ISSUE_INFO], "info", "infos");
	if (stored)
		fprintf(out, ": profdepot report issues %" PRId64, set->inst_id);
	else if (!every)
		fputs(": --issues prints them", out);
	putc('\n', out);
	for (const struct load_issue_text *t = set->issue_texts; t; t = t->next)
		terminal_printf(out, "         %s\n", t->text);
}

static void
print_text(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	if (set->state == IMPORT_KNOWN) {
		terminal_printf(
			out, "known    result set %" PRId64 "  %s\n", set->inst_id, request->path);
		print_issues(set, request->issue_texts, out);
		return;
	}
	if (set->state == IMPORT_CHECKED)
		fputs("checked  new result set", out);
	else
		fprintf(out, "loaded   result set %" PRId64, set->inst_id);
	if (request->run.key)
		terminal_printf(out, " of run %s", request->run.key);
	fputs("  \"", out);
	terminal_print(out, set->caption);
	fputs("\": ", out);
	print_facts(request, result, set, out);
	print_issues(set, request->issue_texts, out);
}

static void
count_result(const struct import_result *result, struct load_tally *t)
{
	for (size_t i = 0; i < result->set_count; i++) {
		const struct import_set *set = &result->sets[i];

		t->states[set->state]++;
		for (int s = 0; s < ISSUE_SEVERITIES; s++)
			t->issues[s] += set->issues[s];
		for (size_t r = 0; set->rows && r < relation_count(); r++)
			if (set->state != IMPORT_KNOWN)
				t->rows += set->rows[r];
	}
	t->bytes += result->input_bytes;
}

/* Called after a failure. If the input was rejected and the connection is still alive, keeps the connection for
 * the next input. Otherwise closes it. */
static void
end_failed(struct load_call *call, const struct error *err)
{
	bool refused = err->code == ERROR_INPUT || err->code == ERROR_LIMIT ||
		       err->code == ERROR_MEMORY || err->code == ERROR_TIME ||
		       err->code == ERROR_DISK;

	if (call->db && refused) {
		db_rollback(call->db);
		if (db_is_alive(call->db))
			return;
	}
	db_close(call->db);
	call->db = NULL;
}

static struct import_request
make_request(
	const struct load_call *call, const char *path, bool database, struct progress *progress)
{
	const struct load_command *c = call->options;

	return (struct import_request){ .path = path,
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
		.limits = &call->limits,
		.labels = call->labels,
		.label_count = c->labels.count,
		.run = c->run,
		.tool = c->tool,
		.options = { .lenient = c->lenient,
			.all_events = strcmp(c->events, "all") == 0,
			.max_depth = (size_t)c->max_depth,
			.encoding = c->encoding,
			.maps = call->maps },
		.strict = c->strict,
		.again = c->again,
		.dry_run = c->dry_run,
		.max_issues = c->max_issues,
		.issue_texts = c->issues,
		.progress = progress };
}

static void
print_result(const struct load_call *call, const struct import_request *request,
	const struct import_result *result)
{
	for (size_t i = 0; i < result->set_count; i++) {
		if (strcmp(call->options->output, "json") == 0)
			print_json(request, result, &result->sets[i], call->out);
		else if (!call->options->quiet)
			print_text(request, result, &result->sets[i], call->out);
	}
}

static void
fail(struct load_call *call, const struct import_request *request,
	const struct import_result *result, const struct error *err, struct load_tally *tally)
{
	tally->failed_inputs++;
	tally->states[IMPORT_FAILED]++;
	tally->status = error_exit_status(err->code);
	if (strcmp(call->options->output, "json") == 0)
		print_failure_json(request, result, err, call->out);
	fflush(call->out);
	error_print(err, stderr);
	end_failed(call, err);
}

/* Prints an error that occurred after the commit. The error is only a warning, because the load is stored. */
static void
warn(struct load_call *call, const char *path, struct import_result *result)
{
	if (result->warning.code) {
		fflush(call->out);
		error_prefix(&result->warning, "%s: warning", path);
		error_print(&result->warning, stderr);
	}
	if (!db_is_alive(call->db)) {
		db_close(call->db);
		call->db = NULL;
	}
}

void
load_one(struct load_call *call, const char *path, bool database, struct load_tally *tally)
{
	const struct load_command *c = call->options;
	struct arena arena = ARENA_INIT;
	struct progress progress;
	struct error err = ERROR_INIT;
	struct import_result result = { NULL };
	struct import_request request = make_request(call, path, database, &progress);
	bool ok;

	tally->inputs++;
	progress_begin(&progress, path, c->progress, c->quiet);
	if (!call->db)
		call->db = depot_open(call->command, DB_ROLE_LOADER, &err);
	if (!call->db)
		error_prefix(&err, "%s", path);
	ok = call->db && import_run(&arena, call->db, &request, &result, &err);
	progress_end(&progress);
	if (ok) {
		print_result(call, &request, &result);
		count_result(&result, tally);
		warn(call, path, &result);
	} else {
		fail(call, &request, &result, &err, tally);
	}
	fflush(call->out);
	arena_release(&arena);
}
