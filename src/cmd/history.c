/* profdepot history: the findings of a stream, and the runs of a finding. */
#include "app/history/history.h"
#include "app/report_answer.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/screen.h"
#include "render/render.h"

#include <stddef.h>

struct history_options {
	struct history_request request;
	const char *output;
};

#define MEMBER(m) offsetof(struct history_options, m)
static const struct option_spec specs[] = {
	{ "stream", 0, OPTION_TEXT, "STREAM",
		"the application and labels as \"profdepot stream list\" shows them, such as \"Orders "
		"branch=main\"; default: the stream with the newest run",
		MEMBER(request.stream) },
	{ "as-of", 0, OPTION_TEXT, "WHEN",
		"answer as of a ledger number, a time, or the load of a result set (set:7, latest or "
		"label:KEY=VALUE); default: now",
		MEMBER(request.as_of) },
	{ "new-since", 0, OPTION_TEXT, "RELEASE",
		"only findings that were first seen after this version or INST_ID",
		MEMBER(request.new_since) },
	{ "state", 0, OPTION_LIST, "STATE",
		"only findings with this state: new, open, \"came back\", \"not looked for\", gone or "
		"all; may be repeated; default: all except gone",
		MEMBER(request.states) },
	{ "review", 0, OPTION_LIST, "STATUS",
		"only findings with this review: open, confirmed, false-positive, intentional, fixed or "
		"none; may be repeated",
		MEMBER(request.reviews) },
	{ "kind", 0, OPTION_LIST, "GLOB",
		"only findings of these kinds, such as leak, access or definite",
		MEMBER(request.kinds) },
	{ "class", 0, OPTION_LIST, "GLOB", "only findings of these classes",
		MEMBER(request.classes) },
	{ "module", 0, OPTION_LIST, "GLOB", "only findings whose own frames are in these modules",
		MEMBER(request.modules) },
	{ "routine", 0, OPTION_LIST, "GLOB", "only findings whose own frames are in these routines",
		MEMBER(request.routines) },
	{ "owner", 0, OPTION_LIST, "GLOB", "only findings whose source files have these owners",
		MEMBER(request.owners) },
	{ "min-count", 0, OPTION_INT, "N", "only findings with at least N blocks or errors",
		MEMBER(request.min_count), NULL, 0, INT64_MAX },
	{ "min-size", 0, OPTION_INT, "BYTES", "only findings with at least this size",
		MEMBER(request.min_size), NULL, 0, INT64_MAX },
	{ "top", 'n', OPTION_INT, "N", "only the first N rows", MEMBER(request.top), NULL, 1,
		INT64_MAX },
	{ "skip", 0, OPTION_INT, "N", "skip N rows, for paging", MEMBER(request.skip), NULL, 0,
		INT64_MAX },
	{ "output", 'o', OPTION_CHOICE, "FORMAT", "output format", MEMBER(output),
		RENDERER_CHOICES },
	{ .name = NULL },
};
#undef MEMBER

static bool
print(struct command_call *call, struct db *db, struct error *err)
{
	const struct history_options *o = call->target;
	const struct render_options options = screen_options(call, call->out);

	return report_answer_begin(db, (int64_t)REPORT_TIMEOUT_SECONDS * 1000, err) &&
	       history_write(
		       db, &o->request, call->out, renderer_find(o->output), &options, NULL, err);
}

static int
history_run(struct command_call *call, struct error *err)
{
	struct history_options *o = call->target;

	if (call->operands.count > 1) {
		error_set(err, ERROR_USAGE, "expected at most one finding");
		return -1;
	}
	if (call->operands.count)
		o->request.finding = call->operands.items[0];
	return depot_run(call, DB_ROLE_READER, print, err);
}

const struct command command_history = {
	.name = "history",
	.operands = "[FINDING]",
	.summary = "list the findings of all runs of a stream, or the runs of a finding",
	.description =
		"A finding is a leak or error with an identity that is the same in every build and for "
		"every detector. Its history survives the removal of result sets.\n\n"
		"Without FINDING, the findings of a stream are listed with their states: new "
		"(first seen in the newest run that looked for such findings), open, came back "
		"(after it was gone), not looked for (in newer runs), or gone. A run neither opens "
		"nor closes findings of a kind if it did not finish or did not look for them.\n\n"
		"FINDING consists of the first digits of a finding's identity. With it, all runs of the "
		"stream are listed, the newest first, followed by the reviews and the newest stack "
		"of the finding.\n\n"
		"Each answer ends with a ledger number. --as-of with this number repeats the answer, even "
		"if result sets were loaded or removed or findings were reviewed in the meantime.",
	.options = specs,
	.target_size = sizeof(struct history_options),
	.defaults = &(const struct history_options){ .output = "text" },
	.run = history_run,
	.paged = true,
};
