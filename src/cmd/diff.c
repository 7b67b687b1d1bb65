/* profdepot diff: compares two result sets. */
#include "app/report_answer.h"
#include "app/report_rows.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/output_file.h"
#include "render/render.h"
#include "store/set_names.h"

#include <stddef.h>

struct diff_options {
	struct report_request request;
	const char *by;
	bool normalise, exit_code;
	struct option_list suppressions;
	bool no_suppressions, standard;
	const char *output;
	const char *format, *out; /* results of output_file_choose */
	int64_t timeout;
	uint64_t differences;
};

#define MEMBER(m) offsetof(struct diff_options, m)
static const struct option_spec specs[] = {
	{ "by", 0, OPTION_CHOICE, "KEY", "what to compare; default stack", MEMBER(by),
		"stack|class|routine|module|own|object" },
	{ "metric", 'm', OPTION_TEXT, "NAME",
		"the metric to compare by; default: objects if there are any, else the first metric",
		MEMBER(request.values[REPORT_METRIC]) },
	{ "match", 0, OPTION_CHOICE, "HOW",
		"match stacks by names, or by names and lines; default names",
		MEMBER(request.values[REPORT_MATCH]), "names|lines" },
	{ "normalise", 0, OPTION_FLAG, NULL,
		"compare shares of samples and spans instead of values", MEMBER(normalise) },
	{ "normalize", 0, OPTION_FLAG, NULL, "other spelling of --normalise", MEMBER(normalise) },
	{ "status", 0, OPTION_TEXT, "WORDS",
		"only rows with these states: new, gone, grown, shrunk, same; default: all but same",
		MEMBER(request.values[REPORT_STATUS]) },
	{ "exit-code", 0, OPTION_FLAG, NULL, "exit with status 1 if there is any difference",
		MEMBER(exit_code) },
	{ "get", 0, OPTION_LIST, "N",
		"compare results within one result set: those of AQTime's \"Get Results\" number N with "
		"those of the previous --get; give --get at least twice",
		MEMBER(request.lists[REPORT_GET]) },
	{ "class", 0, OPTION_LIST, "GLOB", "only objects of these classes",
		MEMBER(request.lists[REPORT_CLASS]) },
	{ "module", 0, OPTION_LIST, "GLOB", "only objects that these modules allocated",
		MEMBER(request.lists[REPORT_MODULE]) },
	{ "routine", 0, OPTION_LIST, "GLOB", "only stacks that contain a matching routine",
		MEMBER(request.lists[REPORT_ROUTINE]) },
	{ "thread", 0, OPTION_LIST, "GLOB",
		"only objects and errors of these threads, by the system's thread id",
		MEMBER(request.lists[REPORT_THREAD]) },
	{ "name", 0, OPTION_LIST, "GLOB", "only errors with these names",
		MEMBER(request.lists[REPORT_NAME]) },
	{ "own", 0, OPTION_LIST, "GLOB", "modules or classes of your own code, for --by own",
		MEMBER(request.lists[REPORT_OWN]) },
	{ "suppressions", 0, OPTION_LIST, "FILE",
		"hide what this file suppresses, in the syntax of valgrind or the sanitizers",
		MEMBER(suppressions) },
	{ "no-suppressions", 0, OPTION_FLAG, NULL,
		"ignore the suppressions in the depot and the result set",
		MEMBER(no_suppressions) },
	{ "hide-standard-leaks", 0, OPTION_FLAG, NULL, "also hide leaks of well-known runtimes",
		MEMBER(standard) },
	{ "top", 'n', OPTION_INT, "N", "show only the first N rows; 0 means all",
		MEMBER(request.top), NULL, 0, INT64_MAX },
	{ "sort", 's', OPTION_TEXT, "COLUMN[:asc|desc]",
		"order by this column first; default: largest change first", MEMBER(request.sort) },
	{ "skip", 0, OPTION_INT, "N", "skip the first N rows, for paging", MEMBER(request.skip),
		NULL, 0, INT64_MAX },
	{ "output", 'o', OPTION_TEXT, OUTPUT_CHOICE_VALUE, OUTPUT_CHOICE_HELP, MEMBER(output) },
	{ "out", 0, OPTION_TEXT, "FILE", "write to this file, completely or not at all",
		MEMBER(out) },
	{ "timeout", 0, OPTION_INT, "SECONDS", "cancel a query after this time; 0 means never",
		MEMBER(timeout), NULL, 0, 1000000 },
	{ .name = NULL },
};
#undef MEMBER

struct set_list {
	int64_t *ids; /* each result set is compared with the previous one */
	size_t count;
	struct arena *arena; /* memory for the sets' names */
};

/* Finds the result sets that the operands name. As a base, "latest" and "label:KEY=VALUE" name only result sets
 * that were loaded before the one to compare. */
static bool
find_sets(struct command_call *call, struct db *db, struct set_list *sets, struct error *err)
{
	const struct diff_options *o = call->target;
	const struct option_list *names = &call->operands;
	bool within = o->request.lists[REPORT_GET].count > 0;

	if (names->count < (within ? 1U : 2U)) {
		error_set(err, ERROR_USAGE, within ? "which result set?" : "give two result sets");
		return error_hint(err, "write profdepot diff BASE NEW, such as: profdepot diff "
				       "latest~1 latest");
	}
	if (within && names->count > 1) {
		error_set(err, ERROR_USAGE, "--get compares within one result set");
		return error_hint(err, "omit --get, or give only one result set");
	}
	sets->count = names->count;
	sets->ids = arena_alloc_array(call->arena, names->count, sizeof(*sets->ids));
	for (size_t i = names->count; i-- > 0;) {
		bool is_word = i + 1 < names->count && set_name_is_relative(names->items[i]);

		if (!set_name_find(db, names->items[i], is_word ? sets->ids[i + 1] : 0,
			    &sets->ids[i], err))
			return false;
	}
	return true;
}

static void
set_pair(struct report_request *q, const struct set_list *sets, size_t i)
{
	q->inst_id = sets->ids[i];
	if (i > 0)
		q->values[REPORT_BASE] =
			arena_printf(sets->arena, "%lld", (long long)sets->ids[i - 1]);
}

static bool
run_pairs(struct db *db, const struct report *r, struct report_request *q,
	const struct set_list *sets, struct table_sink *sink, uint64_t *differences,
	struct error *err)
{
	struct table_head head;

	report_head(r, &head);
	if (!sink->begin(sink, &head, err))
		return false;
	for (size_t i = sets->count > 1 ? 1 : 0; i < sets->count; i++) {
		set_pair(q, sets, i);
		if (!diff_report_answer(db, r, q, sink, differences, err))
			return false;
	}
	return sink->end(sink, err);
}

static bool
write_diff(struct command_call *call, struct db *db, struct error *err)
{
	struct diff_options *o = call->target;
	struct report_request *q = &o->request;
	const struct report *r = report_find("diff", o->by, err);
	const struct renderer *renderer = renderer_find(o->format);
	struct render_options options;
	struct set_list sets = { NULL, 0, call->arena };
	struct output_file file;
	struct table_sink *sink;
	bool ok;

	if (!r || !find_sets(call, db, &sets, err))
		return false;
	set_pair(q, &sets, sets.count - 1);
	r = diff_report_shape(db, call->arena, r, q, err);
	if (!r || !output_file_open(&file, o->out, call->out, err))
		return false;
	options = screen_options(call, file.stream);
	options.several_sets = sets.count > 2 || q->lists[REPORT_GET].count > 2;
	sink = renderer->sink_new(file.stream, &options);
	ok = run_pairs(db, r, q, &sets, sink, &o->differences, err);
	renderer->sink_free(sink);
	return output_file_close(&file, ok, err) && ok;
}

static bool
answer(struct command_call *call, struct db *db, struct error *err)
{
	struct diff_options *o = call->target;
	const struct suppressions_request request = { &o->suppressions, o->no_suppressions,
		o->standard };
	bool ok = report_answer_begin(db, o->timeout * 1000, err) &&
		  (o->request.suppressions = suppressions_open(db, &request, err)) != NULL &&
		  write_diff(call, db, err);

	suppressions_free(o->request.suppressions);
	return ok;
}

static int
diff_run(struct command_call *call, struct error *err)
{
	struct diff_options *o = call->target;

	if (o->normalise)
		o->request.values[REPORT_NORMALISE] = "true";
	if (!output_file_choose(o->output, &o->format, &o->out, err) ||
		depot_run(call, DB_ROLE_READER, answer, err) != 0)
		return -1;
	return o->exit_code && o->differences ? 1 : 0;
}

const struct command command_diff = {
	.name = "diff",
	.operands = "BASE NEW...",
	.summary = "compare result sets: new, gone, grown, shrunk",
	.description =
		"Compares a result set with an older one and shows what is new, grown, shrunk or gone: "
		"objects by count and size, errors by count, samples and spans by their metric. If "
		"there are more than two result sets, each is compared with the previous one.\n\n"
		"BASE and NEW are INST_IDs, " COMMAND_SET_NAMES
		". As BASE, \"latest\" and \"label:KEY=VALUE\" find the newest result set that was "
		"loaded before NEW.\n\n"
		"Stacks match if their frame names are equal, even if addresses and lines differ. "
		"With --match lines, files and lines must be equal, too.\n\n"
		"In a GLOB, * matches any characters and ? matches a single one; case is ignored. "
		"An option that takes a GLOB may be repeated; one match is enough.",
	.options = specs,
	.target_size = sizeof(struct diff_options),
	.defaults =
		&(const struct diff_options){ .output = "text", .timeout = REPORT_TIMEOUT_SECONDS },
	.run = diff_run,
	.paged = true,
};
