/* profdepot report: runs a report. */
#include "report/report.h"
#include "app/dossier.h"
#include "app/report_answer.h"
#include "app/suppressions.h"
#include "base/option.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/output_file.h"
#include "render/render.h"
#include "store/set_names.h"

#include <stddef.h>

struct report_options {
	struct report_request request;
	const char *by;
	bool flags[REPORT_PARAMS];
	const char *output;
	const char *format, *out; /* results of output_file_choose */
	int64_t timeout;
	struct option_list suppressions;
	bool no_suppressions, standard_leaks;
	const char *gen_suppressions; /* syntax of the suppressions to write */
};

#define MEMBER(m) offsetof(struct report_options, m)
/* Expands to a parameter's row in the option table, or to nothing for a parameter without an option. */
#define PARAM_ROW(code, name, option, value, word, help) PARAM_##value(code, option, word, help)
#define PARAM_OPERAND(code, option, word, help)
#define PARAM_OPERANDS(code, option, word, help)
#define PARAM_IDS(code, option, word, help)
#define PARAM_TEXTS(code, option, word, help)
#define PARAM_GLOBS(code, option, word, help) \
	{ option, 0, OPTION_LIST, word, help, MEMBER(request.lists[code]) },
#define PARAM_FLAG(code, option, word, help) \
	{ option, 0, OPTION_FLAG, NULL, help, MEMBER(flags[code]) },
#define PARAM_WORD(code, option, word, help) \
	{ option, 0, OPTION_TEXT, word, help, MEMBER(request.values[code]) },
#define PARAM_GROUPING(code, option, word, help) \
	{ option, 0, OPTION_CHOICE, word, help, MEMBER(by), REPORT_BY_CHOICES },
#define PARAM_INTEGER(code, option, word, help) PARAM_WORD(code, option, word, help)
#define PARAM_NUMBER(code, option, word, help) PARAM_WORD(code, option, word, help)
#define PARAM_BYTES(code, option, word, help) PARAM_WORD(code, option, word, help)
#define PARAM_TIME(code, option, word, help) PARAM_WORD(code, option, word, help)
static const struct option_spec specs[] = {
	{ "top", 'n', OPTION_INT, "N", "show only the first N rows; 0 means all",
		MEMBER(request.top), NULL, 0, INT64_MAX },
	{ "sort", 's', OPTION_TEXT, "COLUMN[:asc|desc]",
		"order by this column first; default direction: numbers descending, text ascending",
		MEMBER(request.sort) },
	{ "skip", 0, OPTION_INT, "N", "skip the first N rows, for paging", MEMBER(request.skip),
		NULL, 0, INT64_MAX },
	REPORT_PARAM_TABLE(PARAM_ROW){ "output", 'o', OPTION_TEXT, OUTPUT_CHOICE_VALUE,
		OUTPUT_CHOICE_HELP, MEMBER(output) },
	{ "out", 0, OPTION_TEXT, "FILE", "write to this file, completely or not at all",
		MEMBER(out) },
	{ "suppressions", 0, OPTION_LIST, "FILE",
		"leaks and errors: hide what this file suppresses, in the syntax of valgrind or the "
		"sanitizers; - is standard input",
		MEMBER(suppressions) },
	{ "no-suppressions", 0, OPTION_FLAG, NULL,
		"leaks and errors: ignore the suppressions in the depot and the result set",
		MEMBER(no_suppressions) },
	{ "hide-standard-leaks", 0, OPTION_FLAG, NULL,
		"leaks: hide memory that well-known runtimes never free", MEMBER(standard_leaks) },
	{ "gen-suppressions", 0, OPTION_CHOICE, "SYNTAX",
		"leaks and errors: write suppressions for the rows, ready to paste",
		MEMBER(gen_suppressions), "valgrind|lsan", 1, 0 },
	{ "timeout", 0, OPTION_INT, "SECONDS", "cancel a query after this time; 0 means never",
		MEMBER(timeout), NULL, 0, 1000000 },
	{ .name = NULL },
};
#undef PARAM_ROW
#undef PARAM_OPERAND
#undef PARAM_OPERANDS
#undef PARAM_IDS
#undef PARAM_TEXTS
#undef PARAM_GLOBS
#undef PARAM_FLAG
#undef PARAM_WORD
#undef PARAM_GROUPING
#undef PARAM_INTEGER
#undef PARAM_NUMBER
#undef PARAM_BYTES
#undef PARAM_TIME
#undef MEMBER

static bool
select_all(struct command_call *call, struct db *db, struct report_request *q, struct error *err)
{
	struct db_result *result = db_query(
		db, "SELECT i.inst_id FROM profdepot.instances i ORDER BY i.inst_id", NULL, 0, err);
	int64_t *ids;

	if (!result)
		return false;
	q->inst_id_count = db_result_rows(result);
	ids = arena_alloc_array(call->arena, q->inst_id_count, sizeof(*ids));
	for (size_t i = 0; i < q->inst_id_count; i++)
		ids[i] = db_result_int64(result, i, 0, 0);
	q->inst_ids = ids;
	db_result_free(result);
	if (q->inst_id_count)
		return true;
	error_set(err, ERROR_NOT_FOUND, "the depot has no result sets");
	return error_hint(err, "load one: profdepot load PATH");
}

/* Finds the result sets that are named by the operands after the report's name. The operand "all"
 * means all result sets. Without operands, finds the newest result set, or all of them for a report
 * on several result sets. */
static bool
find_sets(struct command_call *call, struct db *db, bool several, struct report_request *q,
	struct error *err)
{
	static const char *const latest[] = { "latest" };
	const char *const *names = call->operands.items + 1;
	size_t count = call->operands.count - 1;
	int64_t *ids;

	if (count ? count == 1 && strcmp(names[0], "all") == 0 : several)
		return select_all(call, db, q, err);
	if (!count) {
		names = latest;
		count = 1;
	}
	if (!set_names_find(db, call->arena, names, count, &ids, &q->inst_id_count, err))
		return false;
	q->inst_ids = ids;
	return true;
}

/* Opens the sink that receives the rows. */
static struct table_sink *
open_sink(const struct report_options *o, FILE *out, const struct render_options *options)
{
	if (!o->gen_suppressions)
		return renderer_find(o->format)->sink_new(out, options);
	return suppression_sink_new(out,
		strcmp(o->gen_suppressions, "lsan") == 0 ? SUPPRESS_SANITIZER : SUPPRESS_VALGRIND);
}

static void
close_sink(const struct report_options *o, struct table_sink *sink)
{
	if (o->gen_suppressions)
		suppression_sink_free(sink);
	else
		renderer_find(o->format)->sink_free(sink);
}

static bool
write_report(struct command_call *call, struct db *db, const struct report *r, struct error *err)
{
	struct report_options *o = call->target;
	struct report_request *q = &o->request;
	const struct suppressions_request suppressions = { &o->suppressions, o->no_suppressions,
		o->standard_leaks };
	bool together = report_takes(r, REPORT_INST_IDS);
	struct render_options options;
	struct output_file file;
	struct table_sink *sink;
	bool ok;

	if (!find_sets(call, db, together, q, err))
		return false;
	q->inst_id = q->inst_ids[0];
	r = report_answer_prepare(db, call->arena, r, o->by != NULL, q, &suppressions, err);
	if (!r || (o->gen_suppressions && !report_check_suppressions(r, err)) ||
		!output_file_open(&file, o->out, call->out, err))
		return false;
	options = screen_options(call, file.stream);
	options.several_sets = q->inst_id_count > 1 && !together;
	sink = open_sink(o, file.stream, &options);
	ok = report_answer_write(db, r, q, sink, err);
	close_sink(o, sink);
	return output_file_close(&file, ok, err) && ok;
}

static bool
is_dossier(const struct command_call *call)
{
	return strcmp(call->operands.items[0], dossier_report.name) == 0;
}

static bool
check_dossier(const struct report_options *o, struct error *err)
{
	if (!report_check(&dossier_report, &o->request, err))
		return false;
	if (o->by || o->request.top || o->request.skip || o->request.sort) {
		error_set(err, ERROR_USAGE,
			"report dossier does not take --by, --top, --skip or --sort");
		return error_hint(
			err, "use them with another report: profdepot report leaks --top 10");
	}
	if (strcmp(o->format, "html") == 0 && !o->gen_suppressions)
		return true;
	error_set(err, ERROR_USAGE, "a dossier is an HTML page");
	return error_hint(err, "name the page: profdepot report dossier 1 --output dossier.html");
}

static bool
answer_dossier(struct command_call *call, struct db *db, struct error *err)
{
	struct report_options *o = call->target;
	struct report_request *q = &o->request;
	const struct suppressions_request suppressions = { &o->suppressions, o->no_suppressions,
		o->standard_leaks };
	struct output_file file;
	bool ok = report_answer_begin(db, o->timeout * 1000, err) &&
		  find_sets(call, db, false, q, err);

	if (ok && q->inst_id_count > 1) {
		error_set(err, ERROR_USAGE, "a dossier is about one result set");
		ok = error_hint(
			err, "write one dossier for each: %lld, ...", (long long)q->inst_ids[0]);
	}
	ok = ok && output_file_open(&file, o->out, call->out, err);
	if (ok) {
		q->inst_id = q->inst_ids[0];
		ok = dossier_write(db, call->arena, q, &suppressions, file.stream, err);
		ok = output_file_close(&file, ok, err) && ok;
	}
	suppressions_free(q->suppressions);
	return ok;
}

static bool
answer(struct command_call *call, struct db *db, struct error *err)
{
	struct report_options *o = call->target;
	const struct report *r = report_find(call->operands.items[0], o->by, err);
	bool ok = r && report_answer_begin(db, o->timeout * 1000, err) &&
		  write_report(call, db, r, err);

	suppressions_free(o->request.suppressions);
	return ok;
}

static int
report_run_command(struct command_call *call, struct error *err)
{
	struct report_options *o = call->target;
	const struct report *r;

	if (!call->operands.count) {
		error_set(err, ERROR_USAGE, "which report?");
		error_hint(err, "\"profdepot reports\" lists them");
		return -1;
	}
	for (int p = 0; p < REPORT_PARAMS; p++)
		if (o->flags[p])
			o->request.values[p] = "true";
	if (!output_file_choose(o->output, &o->format, &o->out, err))
		return -1;
	if (is_dossier(call))
		return check_dossier(o, err) ? depot_run(call, DB_ROLE_READER, answer_dossier, err)
					     : -1;
	r = report_find(call->operands.items[0], o->by, err);
	if (!r || !(o->by ? report_check : report_check_any)(r, &o->request, err))
		return -1;
	return depot_run(call, DB_ROLE_READER, answer, err);
}

const struct command command_report = {
	.name = "report",
	.operands = "NAME [SET...|all]",
	.summary = "answer questions about leaks, classes, errors, routines",
	.description =
		"Runs a report on result sets and prints it. Without SET it uses the result set that was "
		"loaded last; reports on several result sets use all of them.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES ".\n\n"
		"\"profdepot reports\" lists the reports with their options and columns.\n\n"
		"In a GLOB, * matches any characters and ? matches a single one; case is ignored. An "
		"option that takes a GLOB may be repeated; one match is enough.",
	.options = specs,
	.target_size = sizeof(struct report_options),
	.defaults = &(
		const struct report_options){ .output = "text", .timeout = REPORT_TIMEOUT_SECONDS },
	.run = report_run_command,
	.paged = true,
};
