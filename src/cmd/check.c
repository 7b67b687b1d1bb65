/* profdepot check: compares a result set with budgets. */
#include "render/check.h"
#include "app/budget_file.h"
#include "app/check/check.h"
#include "app/report_answer.h"
#include "app/suppressions.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/output_file.h"

#include <stddef.h>

enum {
	TOP_STACKS = 5,
	BROKEN = 1,
	COULD_NOT_JUDGE = 2
};

struct check_command_options {
	const char *budget, *base, *unjudged, *against;
	bool base_optional, record;
	struct option_list own, outputs, suppressions;
	bool no_suppressions, standard;
	const char *source_root;
	int64_t top;
	int64_t timeout;
};

#define MEMBER(m) offsetof(struct check_command_options, m)
static const struct option_spec specs[] = {
	{ "budget", 'b', OPTION_TEXT, "FILE",
		"the budgets, as JSON; - is standard input; default: the budgets in the depot, see "
		"profdepot-budget(1)",
		MEMBER(budget) },
	{ "base", 0, OPTION_TEXT, "SET",
		"measure growth since this result set: an INST_ID, latest~1, label:KEY=VALUE or run:KEY",
		MEMBER(base) },
	{ "base-optional", 0, OPTION_FLAG, NULL,
		"if there is no result set to compare with, as in a first run, skip the budgets that limit growth",
		MEMBER(base_optional) },
	{ "against", 0, OPTION_CHOICE, "WHAT",
		"history: fail on findings that are new to the stream and its parent, or that came back",
		MEMBER(against), "history" },
	{ "unjudged", 0, OPTION_CHOICE, "WHAT",
		"if a budget cannot be judged, fail the check or skip the budget; default fail",
		MEMBER(unjudged), "fail|skip" },
	{ "record", 0, OPTION_FLAG, NULL,
		"record the verdicts in the depot, so that \"profdepot show\" and the home page of "
		"\"profdepot serve\" show them",
		MEMBER(record) },
	{ "own", 0, OPTION_LIST, "GLOB",
		"modules or classes of your own code, in addition to those in the file",
		MEMBER(own) },
	{ "suppressions", 0, OPTION_LIST, "FILE",
		"hide what this file suppresses, in the syntax of valgrind or the sanitizers",
		MEMBER(suppressions) },
	{ "no-suppressions", 0, OPTION_FLAG, NULL,
		"ignore the suppressions in the depot and the result set",
		MEMBER(no_suppressions) },
	{ "hide-standard-leaks", 0, OPTION_FLAG, NULL, "also hide leaks of well-known runtimes",
		MEMBER(standard) },
	{ "output", 'o', OPTION_LIST, "FORMAT[=FILE]",
		"text, markdown, json, junit, sarif or github; default: text to standard output",
		MEMBER(outputs) },
	{ "source-root", 0, OPTION_TEXT, "FOLDER",
		"in sarif and github, print paths of source files relative to this folder",
		MEMBER(source_root) },
	{ "top", 'n', OPTION_INT, "N", "show N stacks of each exceeded budget; default 5",
		MEMBER(top), NULL, 1, 100 },
	{ "timeout", 0, OPTION_INT, "SECONDS", "cancel a query after this time; 0 means never",
		MEMBER(timeout), NULL, 0, 1000000 },
	{ .name = NULL },
};
#undef MEMBER

/* Parses the value of --output, such as "junit=build/leaks.xml". */
static const struct check_writer *
parse_output(struct command_call *call, const char *output, const char **path, struct error *err)
{
	const char *equals = strchr(output, '=');
	size_t n = equals ? (size_t)(equals - output) : strlen(output);
	const struct check_writer *w = check_writer_find(arena_strndup(call->arena, output, n));

	*path = equals ? equals + 1 : NULL;
	if (w && (!equals || **path))
		return w;
	error_set(err, ERROR_USAGE, "option --output: \"%.100s\" is not an output format", output);
	error_hint(err, "write FORMAT or FORMAT=FILE with %s", CHECK_WRITER_CHOICES);
	return NULL;
}

static bool
write_one(struct command_call *call, const char *output, const struct check *c, struct error *err)
{
	const struct check_command_options *o = call->target;
	struct check_options options = { .source_root = o->source_root, .top = (size_t)o->top };
	struct render_options screen;
	const struct check_writer *w;
	struct output_file file;
	const char *path;
	bool ok;

	w = parse_output(call, output, &path, err);
	if (!w || !output_file_open(&file, path, call->out, err))
		return false;
	screen = screen_options(call, file.stream);
	options.width = screen.width;
	options.color = screen.color;
	ok = w->write(file.stream, c, &options, err);
	return output_file_close(&file, ok, err) && ok;
}

static bool
write_all(struct command_call *call, const struct check *c, struct error *err)
{
	const struct check_command_options *o = call->target;

	if (!o->outputs.count)
		return write_one(call, "text", c, err);
	for (size_t i = 0; i < o->outputs.count; i++)
		if (!write_one(call, o->outputs.items[i], c, err))
			return false;
	return true;
}

/* Reports wrong usage and an invalid budget file before the depot is opened. Sets *budgets to NULL if the check is to use
 * the depot's budgets. */
static bool
read_options(struct command_call *call, const struct budget_list **budgets, struct error *err)
{
	const struct check_command_options *o = call->target;
	const char *path;

	if (call->operands.count > 1) {
		error_set(err, ERROR_USAGE, "check takes one result set");
		return error_hint(err, "--base compares it with another");
	}
	for (size_t i = 0; i < o->outputs.count; i++)
		if (!parse_output(call, o->outputs.items[i], &path, err))
			return false;
	if (o->budget) {
		*budgets = budget_file_read(call->arena, o->budget, err);
		return *budgets != NULL;
	}
	/* A check against the history needs no budgets. */
	*budgets = o->against ? arena_alloc(call->arena, sizeof(**budgets)) : NULL;
	return true;
}

static const struct check *
make_check(struct command_call *call, struct db *db, const struct budget_list *budgets,
	struct error *err)
{
	const struct check_command_options *o = call->target;
	const char *name = call->operands.count ? call->operands.items[0] : "latest";
	const struct suppressions_request suppressions = { &o->suppressions, o->no_suppressions,
		o->standard };
	const struct check_request q = { .budgets = budgets,
		.own = &o->own,
		.skip_unjudged = strcmp(o->unjudged, "skip") == 0,
		.base_optional = o->base_optional,
		.against_history = o->against != NULL };

	return report_answer_begin(db, o->timeout * 1000, err)
		       ? check_named(db, call->arena, name, o->base, &q, &suppressions, err)
		       : NULL;
}

/* The check itself only reads the depot, so it needs no rights of a loader. */
static bool
record(struct command_call *call, const struct check *c, struct error *err)
{
	const struct check_command_options *o = call->target;
	struct db *db = o->record ? depot_open(call, DB_ROLE_LOADER, err) : NULL;
	bool ok = db && check_record(db, c, err);

	if (db)
		db_close(db);
	return ok || !o->record;
}

static int
check_run_command(struct command_call *call, struct error *err)
{
	const struct budget_list *budgets = NULL;
	const struct check *c = NULL;
	struct db *db =
		read_options(call, &budgets, err) ? depot_open(call, DB_ROLE_READER, err) : NULL;

	if (db) {
		c = make_check(call, db, budgets, err);
		db_close(db);
	}
	/* After an error, c is NULL, and no budget has been judged. */
	if (!c || !write_all(call, c, err) || !record(call, c, err))
		return COULD_NOT_JUDGE;
	if (c->verdicts[CHECK_BROKEN])
		return BROKEN;
	return c->verdicts[CHECK_UNJUDGED] ? COULD_NOT_JUDGE : 0;
}

const struct command command_check = {
	.name = "check",
	.operands = "[SET]",
	.summary = "check a result set against budgets, for CI",
	.description =
		"Checks a result set against the budgets in a file or in the depot. A budget limits the value of "
		"a metric, the duration of a span, or the number of leaks and errors by class, module "
		"or kind. It can also limit the growth since another result set. "
		"Prints each exceeded budget with its stacks. Without SET it checks the result set "
		"that was loaded last.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES
		". With --base, \"latest\" and \"label:KEY=VALUE\" find the newest result set that "
		"was loaded before SET.\n\n"
		"--against history compares with all earlier runs of the stream instead of a single base. "
		"It fails on findings that no earlier run of the stream or its parent had, on findings that "
		"came back after they were gone, and on findings that a review marked as fixed. It can be "
		"combined with budgets, or used alone.\n\n"
		"With --record, the verdicts replace those of an earlier check of the same result sets.\n\n"
		"--output may be repeated, each time with its own file.",
	.options = specs,
	.target_size = sizeof(struct check_command_options),
	.defaults =
		&(const struct check_command_options){
			.top = TOP_STACKS, .unjudged = "fail", .timeout = REPORT_TIMEOUT_SECONDS },
	.run = check_run_command,
	.paged = true,
};
