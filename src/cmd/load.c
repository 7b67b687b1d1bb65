#include "cmd/commands.h"

#include "base/json_writer.h"
#include "cmd/depot.h"
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
		.help = "code page of text without a byte order mark, such as CP1251; default UTF-8",
		.offset = OPTION(encoding) },
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

static const char *
state_word(const struct import_set *set)
{
	return import_state_name(set->state);
}

static void
print_json(const struct import_request *request, const struct import_result *result,
	const struct import_set *set, FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, false);
	json_begin_object(&w);
	json_key(&w, "inst_id");
	set->inst_id ? json_int(&w, set->inst_id) : json_null(&w);
	json_key(&w, "caption");
	json_text(&w, set->caption);
	json_key(&w, "format");
	json_string(&w, result->format);
	json_key(&w, "source");
	json_string(&w, request->path);
	json_key(&w, "source_inst_id");
	set->source_inst_id == MODEL_NULL ? json_null(&w) : json_int(&w, set->source_inst_id);
	json_key(&w, "digest");
	set->digest[0] ? json_string(&w, set->digest) : json_null(&w);
	json_key(&w, "state");
	json_string(&w, state_word(set));
	json_key(&w, "rows");
	json_begin_object(&w);
	for (size_t r = 0; set->rows && r < load_relation_count(); r++) {
		if (!set->rows[r])
			continue;
		json_key(&w, load_relation_name(r));
		json_int(&w, set->rows[r]);
	}
	json_end_object(&w);
	json_key(&w, "issues");
	json_begin_object(&w);
	for (int i = 0; i < ISSUE_SEVERITIES; i++) {
		json_key(&w, issue_severity_name((enum issue_severity)i));
		json_int(&w, set->issues[i]);
	}
	json_end_object(&w);
	json_key(&w, "seconds");
	json_fixed3(&w, result->seconds);
	json_end_object(&w);
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

static void
print_text(const struct import_request *request, const struct import_set *set, FILE *out)
{
	if (set->state == IMPORT_KNOWN) {
		fprintf(out, "known    result set %" PRId64 "  %s\n", set->inst_id, request->path);
		return;
	}
	if (set->state == IMPORT_CHECKED)
		fputs("checked  new result set", out);
	else
		fprintf(out, "loaded   result set %" PRId64, set->inst_id);
	fprintf(out,
		"  \"%.*s\": %" PRId64 " objects, %" PRId64 " errors, %" PRId64
		" frames in %" PRId64 " distinct stacks\n",
		(int)set->caption.size, set->caption.data ? set->caption.data : "",
		rows_named(set, "resource_profiler_objects"),
		rows_named(set, "resource_profiler_errors"),
		rows_named(set, "resource_profiler_creation_call_stack") +
			rows_named(set, "resource_profiler_call_stack"),
		rows_named(set, "stacks"));
	if (set->issues[ISSUE_ERROR] || set->issues[ISSUE_WARNING])
		fprintf(out,
			"         %" PRId64 " rows left out, %" PRId64
			" warnings: profdepot report issues %" PRId64 "\n",
			set->issues[ISSUE_ERROR], set->issues[ISSUE_WARNING], set->inst_id);
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

int
load_one(struct load_call *call, const char *path, struct load_tally *tally)
{
	const struct load_command *c = call->options;
	struct arena arena = ARENA_INIT;
	struct progress progress;
	struct error err = ERROR_INIT;
	struct import_result result = { NULL };
	struct import_request request = { .path = path,
		.format = c->format,
		.encoding = c->encoding,
		.caption = c->caption,
		.application = c->application,
		.app_version = c->app_version,
		.host = c->host,
		.labels = call->labels,
		.label_count = c->labels.count,
		.strict = c->strict,
		.again = c->again,
		.dry_run = c->dry_run,
		.max_issues = c->max_issues,
		.progress = &progress };
	bool json = strcmp(c->output, "json") == 0;
	bool ok;

	tally->inputs++;
	progress_begin(&progress, path, c->progress, c->quiet);
	ok = (call->db || (call->db = depot_open(call->command, DB_ROLE_LOADER, &err))) &&
	     import_run(&arena, call->db, &request, &result, &err);
	progress_end(&progress);
	if (ok) {
		for (size_t i = 0; i < result.set_count; i++) {
			if (json)
				print_json(&request, &result, &result.sets[i], call->out);
			else if (!c->quiet)
				print_text(&request, &result.sets[i], call->out);
		}
		count_result(&result, tally);
	} else {
		tally->failed_inputs++;
		tally->states[IMPORT_FAILED]++;
		tally->status = error_exit_status(err.code);
		/* A file's name alone does not tell of which input. */
		if (!strstr(err.message, path))
			error_prefix(&err, "%s", path);
		if (json)
			print_failure_json(&request, &result, &err, call->out);
		fflush(call->out);
		error_print(&err, stderr);
		/* A broken connection or transaction does not serve the next input. */
		db_close(call->db);
		call->db = NULL;
	}
	fflush(call->out);
	arena_release(&arena);
	return ok ? 0 : tally->status;
}

static void
print_summary(const struct load_tally *t, double seconds)
{
	fprintf(stderr,
		"profdepot: %" PRId64 " input%s: %" PRId64 " loaded, %" PRId64 " known, %" PRId64
		" failed result sets; %" PRId64 " rows, %" PRId64 " errors, %" PRId64
		" warnings, %" PRId64 " infos; %.1f s\n",
		t->inputs, t->inputs == 1 ? "" : "s", t->states[IMPORT_LOADED],
		t->states[IMPORT_KNOWN], t->states[IMPORT_FAILED], t->rows, t->issues[ISSUE_ERROR],
		t->issues[ISSUE_WARNING], t->issues[ISSUE_INFO], seconds);
}

static int
run(struct command_call *command, struct error *err)
{
	struct load_command *c = command->target;
	struct load_call call = { .options = c, .command = command, .out = command->out };
	struct load_tally tally = { .status = 0 };
	double started = clock_seconds();

	if (!command->operands.count) {
		error_set(err, ERROR_USAGE, "load: no input given");
		error_hint(
			err, "profdepot load PATH..., where PATH is an export's folder or archive");
		return -1;
	}
	if (!parse_labels(command->arena, &c->labels, &call.labels, err) || !check_texts(c, err))
		return -1;
	if (c->jobs > 1 && command->operands.count > 1) {
		if (!load_parallel(&call, &command->operands, c->jobs, &tally, err))
			return -1;
	} else {
		for (size_t i = 0; i < command->operands.count; i++)
			load_one(&call, command->operands.items[i], &tally);
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
	.operands = "PATH...",
	.summary = "load result sets into the depot",
	.description =
		"Loads each PATH, an AQTime export: a folder, or a zip or tar of it, with a file "
		"per table. An input is one transaction: all of it or nothing. What the depot has "
		"already is recognised and not loaded again.",
	.options = load_options,
	.target_size = sizeof(struct load_command),
	.defaults = set_defaults,
	.run = run,
};
